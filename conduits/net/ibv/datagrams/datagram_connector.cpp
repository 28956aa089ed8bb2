// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/datagrams/datagram_connector.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/connector/directory.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

std::uint32_t random_number() {
  std::uint32_t number = 1;
  (void)!::getrandom(&number, sizeof number, 0);
  return number;
}

}  // namespace

DatagramConnector::DatagramConnector(std::span<Port> ports, TransportTimeout timeout,
                                     std::uint8_t traffic_class)
    : ports_(ports) {
  settings_.service_level = static_cast<std::uint8_t>(config_int("UPCR_IBV_SERVICE_LEVEL"));
  settings_.traffic_class = traffic_class;
  settings_.timeout = timeout;
  for (const Port& port : ports) {
    queues_.emplace_back(port);
    partitions_.push_back(partition_index(port, config_string("UPCR_IBV_PKEY")));
  }
}

void DatagramConnector::publish(unsigned port, PublishedPort* published) {
  describe_port(ports_[port], published);
  published->queue_pair = queues_[port].number();
  UPCR_LOG(log_ibv, kInfo, "datagrams at %s, LID %u, of port %s", text_of(published->address).c_str(),
           published->lid, ports_[port].name.c_str());
}

void DatagramConnector::open(const Directory& directory, ConnectorEvents& events) {
  directory_ = &directory;
  Hello self;
  self.secret = directory.secret();
  self.rank = directory.rank();
  attempts_ = std::make_unique<DatagramAttempts>(self, directory.size(), random_number(),
                                                 static_cast<DatagramHost&>(*this), events);
  for (unsigned i = 0; i < ports_.size(); ++i) queues_[i].open(self.secret, partitions_[i]);
}

void DatagramConnector::add_fds(std::vector<pollfd>* fds) const {
  for (const DatagramQueue& queue : queues_) fds->push_back({queue.fd(), POLLIN, 0});
}

void DatagramConnector::process(Millis now) {
  for (unsigned i = 0; i < queues_.size(); ++i)
    queues_[i].process([&](const void* data, std::size_t bytes, const std::string& from) {
      attempts_->received(data, bytes, i, from, now);
    });
  attempts_->tick(now);
}

bool DatagramConnector::send(unsigned port, Rank peer, unsigned remote_port, const Datagram& datagram) {
  const Published& to = directory_->of(peer);
  if (remote_port >= to.count) return true;
  if (!queues_[port].has_room()) return false;
  const PublishedPort &local = directory_->of(directory_->rank()).ports[port],
                      &remote = to.ports[remote_port];
  const int error = queues_[port].send(path_to(remote, ports_[port], local, settings_), remote.queue_pair,
                                       &datagram, sizeof datagram);
  UPCR_LOG(log_ibv, kTrace, "datagram %u of attempt %u to rank %u: %s", static_cast<unsigned>(datagram.kind),
           datagram.attempt, peer, error == 0 ? "sent" : std::strerror(error));
  return true;
}

std::string DatagramConnector::connect_queue_pair(ConnectLink& link, unsigned remote_port,
                                                  const QueuePairEnd& own, const QueuePairEnd& remote) {
  const Connection& c = link.connection;
  const PublishedPort& local = directory_->of(directory_->rank()).ports[c.port];
  const int error =
      connect(c.qp, ports_[c.port], local, directory_->of(c.peer).ports[remote_port], own, remote, settings_);
  return error != 0 ? std::string("cannot connect the queue pair: ") + std::strerror(error) : "";
}

QueuePairEnd DatagramConnector::end_of(const ConnectLink& link) const {
  constexpr std::uint32_t kPacketNumbers = (1U << 24) - 1;
  return {link.connection.qp->qp_num, random_number() & kPacketNumbers,
          static_cast<std::uint8_t>(link.connection.device->limits().read_depth)};
}

std::string DatagramConnector::start(ConnectLink& link, PortPair ports) {
  attempts_->start(link, ports);
  return "";
}

int DatagramConnector::create_queue_pair(ConnectLink& link, ibv_qp_init_attr* attributes) {
  Connection& c = link.connection;
  c.qp = ::ibv_create_qp(c.device->pd(), attributes);
  if (c.qp == nullptr) return errno;
  const int error = initialise(c.qp, ports_[c.port], partitions_[c.port]);
  if (error != 0) ::ibv_destroy_qp(c.qp);
  return error;
}

std::string DatagramConnector::request(ConnectLink& link, const Hello& hello) {
  attempts_->request(link, hello, end_of(link), now_ms());
  return "";
}

std::string DatagramConnector::accept(ConnectLink& link, const PeerRequest& request, const Hello& hello) {
  return attempts_->accept(link, request, hello, end_of(link), now_ms());
}

void DatagramConnector::reject(const PeerRequest& request, RejectReason why) {
  attempts_->reject(request, why);
}

void DatagramConnector::disconnect(ConnectLink& link) { attempts_->disconnect(link, now_ms()); }
void DatagramConnector::release(ConnectLink& link) { attempts_->release(link, now_ms()); }

}  // namespace upcr::ibv
