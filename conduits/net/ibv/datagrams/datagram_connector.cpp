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

QueuePairEnd new_end(const Connection& connection) {
  constexpr std::uint32_t kPacketNumbers = (1U << 24) - 1;
  return {connection.qp != nullptr ? connection.qp->qp_num : 0, random_number() & kPacketNumbers,
          static_cast<std::uint8_t>(connection.device->limits().read_depth)};
}

}  // namespace

DatagramConnector::DatagramConnector(std::span<Port> ports, TransportTimeout timeout,
                                     std::uint8_t traffic_class, const XrcDomain* xrc)
    : ports_(ports), xrc_(xrc) {
  settings_.service_level = static_cast<std::uint8_t>(config_int("UPCR_IBV_SERVICE_LEVEL"));
  settings_.traffic_class = traffic_class;
  settings_.timeout = timeout;
  for (const Port& port : ports) {
    queues_.emplace_back(port);
    partitions_.push_back(partition_index(port, config_string("UPCR_IBV_PKEY")));
  }
  if (xrc == nullptr) return;
  xrc_queue_pairs_.emplace(ports_, partitions_, settings_);
  hosts_.emplace(*xrc_queue_pairs_);
}

DatagramConnector::~DatagramConnector() {
  if (hosts_.has_value())
    UPCR_LOG(log_ibv, kInfo, "XRC: at most %u queue pairs to hosts, %u that receive for this host",
             hosts_->most_initiators(), hosts_->targets());
}

void DatagramConnector::publish(unsigned port, PublishedPort* published) {
  describe_port(ports_[port], published);
  published->queue_pair = queues_[port].number();
  UPCR_LOG(log_ibv, kInfo, "datagrams at %s, LID %u, of port %s", text_of(published->address).c_str(),
           published->lid, ports_[port].name.c_str());
}

void DatagramConnector::open(const Directory& directory, ConnectorEvents& events) {
  directory_ = &directory;
  if (xrc_queue_pairs_.has_value()) xrc_queue_pairs_->open(directory);
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

std::string DatagramConnector::connect_queue_pair(ConnectLink& link, unsigned remote_port, QueuePairEnd* own,
                                                  const QueuePairEnd& remote) {
  if (link.host != nullptr) return hosts_->connect(link, remote_port, own, remote);
  const Connection& c = link.connection;
  const PublishedPort& local = directory_->of(directory_->rank()).ports[c.port];
  const int error = connect(c.qp, ports_[c.port], local, directory_->of(c.peer).ports[remote_port], *own,
                            remote, settings_);
  return error != 0 ? std::string("cannot connect the queue pair: ") + std::strerror(error) : "";
}

bool DatagramConnector::can_send(ConnectLink& link, QueuePairEnd* own) {
  return link.host == nullptr || hosts_->can_send(link, own);
}

QueuePairEnd DatagramConnector::end_of(ConnectLink& link) {
  return link.host != nullptr ? hosts_->end_of(link) : new_end(link.connection);
}

std::string DatagramConnector::start(ConnectLink& link, PortPair ports) {
  attempts_->start(link, ports);
  return "";
}

int DatagramConnector::create_queue_pair(ConnectLink& link, ibv_qp_init_attr* attributes) {
  Connection& c = link.connection;
  if (hosts_.has_value() && c.rail == 0) return join_host(link, attributes);
  c.qp = ::ibv_create_qp(c.device->pd(), attributes);
  if (c.qp == nullptr) return errno;
  const int error = initialise(c.qp, ports_[c.port], partitions_[c.port]);
  if (error != 0) ::ibv_destroy_qp(c.qp);
  return error;
}

int DatagramConnector::join_host(ConnectLink& link, ibv_qp_init_attr* attributes) {
  const Connection& c = link.connection;
  QueuePairEnd end = new_end(c);
  if (const int error = ::ibv_get_srq_num(attributes->srq, &end.srq); error != 0) return error;
  return hosts_->join(link, host_key(c), end, attributes);
}

HostKey DatagramConnector::host_key(const Connection& c) const {
  const PublishedPort& remote = directory_->of(c.peer).ports[c.remote_port];
  return {xrc_->host_of(c.peer), c.port, remote.address, remote.lid};
}

bool DatagramConnector::has_queue_pair(const ConnectLink& link) const {
  return hosts_.has_value() && link.connection.rail == 0 && hosts_->has(host_key(link.connection));
}

void DatagramConnector::destroy_queue_pair(ConnectLink& link) {
  if (link.host != nullptr) return hosts_->leave(link);
  Connector::destroy_queue_pair(link);
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
void DatagramConnector::release(ConnectLink& link) {
  if (hosts_.has_value()) hosts_->release(link);
  attempts_->release(link, now_ms());
}

}  // namespace upcr::ibv
