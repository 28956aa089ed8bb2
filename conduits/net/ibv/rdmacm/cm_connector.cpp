// SPDX-License-Identifier: BSD-3-Clause
// The operations of the connector by librdmacm.
#include "conduits/net/ibv/rdmacm/cm_connector.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/connector/directory.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

constexpr int kResolveMs = 5'000;  // of one try

rdma_cm_id* id_of(const ConnectLink& link) { return static_cast<rdma_cm_id*>(link.attempt); }

std::string failed_to(const char* what) {
  return std::string("cannot ") + what + ": " + std::strerror(errno);
}

}  // namespace

CmConnector::CmConnector(std::span<Port> ports, TransportTimeout timeout,
                         std::optional<std::uint8_t> traffic_class, std::span<std::byte> shared, Millis limit)
    : ports_(ports),
      timeout_(timeout),
      traffic_class_(traffic_class),
      routes_(ports, shared, traffic_class, limit) {
  channel_ = ::rdma_create_event_channel();
  if (channel_ == nullptr) fatal_errno("cannot make connections: no event channel");
  ::fcntl(channel_->fd, F_SETFL, ::fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
}

CmConnector::~CmConnector() {
  for (rdma_cm_id* id : listeners_) ::rdma_destroy_id(id);
  ::rdma_destroy_event_channel(channel_);
}

// The kernel chooses the port number, which is published in network byte order.
void CmConnector::publish(unsigned port, PublishedPort* published) {
  rdma_cm_id* id = nullptr;
  sockaddr_storage address = ports_[port].address;
  if (::rdma_create_id(channel_, &id, nullptr, RDMA_PS_TCP) != 0 ||
      ::rdma_bind_addr(id, reinterpret_cast<sockaddr*>(&address)) != 0 || ::rdma_listen(id, 1024) != 0)
    fatal("cannot listen for connections at %s of port %s: %s", text_of(address).c_str(),
          ports_[port].name.c_str(), std::strerror(errno));
  listeners_.push_back(id);
  sockaddr_storage bound = address;
  std::memcpy(&bound, ::rdma_get_local_addr(id), length_of(address));
  UPCR_LOG(log_ibv, kInfo, "listening at %s of port %s", text_of(bound, true).c_str(),
           ports_[port].name.c_str());
  published->address = to_wire(address, ports_[port].prefix_bits);
  published->address.port = ::rdma_get_src_port(id);
}

void CmConnector::open(const Directory& directory, ConnectorEvents& events) {
  directory_ = &directory;
  events_ = &events;
}

rdma_conn_param CmConnector::parameters(const Hello& hello, const Device& device) const {
  rdma_conn_param p{};
  p.private_data = &hello;
  p.private_data_len = sizeof hello;
  p.responder_resources = p.initiator_depth = static_cast<std::uint8_t>(device.limits().read_depth);
  p.flow_control = 1;
  p.retry_count = timeout_.retry_count;
  p.rnr_retry_count = 7;  // without end: credits keep receives posted, so this is for the worst case
  return p;
}

// Before the address is resolved, or a request accepted. The ack timeout has no effect where it cannot be
// set: iWARP has TCP's time-outs.
void CmConnector::set_options(rdma_cm_id* id) {
  if (traffic_class_) {
    std::uint8_t traffic_class = *traffic_class_;
    if (::rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &traffic_class, sizeof traffic_class) != 0)
      fatal_setting("UPCR_IBV_TRAFFIC_CLASS=%u cannot be set: rdma_set_option: %s", traffic_class,
                    std::strerror(errno));
  }
  (void)::rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout_.ack_timeout,
                          sizeof timeout_.ack_timeout);
}

std::string CmConnector::start(ConnectLink& link, PortPair ports) {
  rdma_cm_id* id = nullptr;
  const Rank peer = link.connection.peer;
  const bool made = ::rdma_create_id(channel_, &id, &link, RDMA_PS_TCP) == 0;
  if (!made && link.connection.rail != 0) return failed_to("begin");
  if (!made)
    fatal("cannot connect to %s: rdma_create_id: %s", directory_->name_of(peer).c_str(),
          std::strerror(errno));
  link.attempt = id;
  set_options(id);
  sockaddr_storage from = ports_[ports.own].address;
  sockaddr_storage to = from_wire(directory_->of(peer).ports[ports.remote].address, from);
  const int result = ::rdma_resolve_addr(id, reinterpret_cast<sockaddr*>(&from),
                                         reinterpret_cast<sockaddr*>(&to), kResolveMs);
  return result != 0 ? failed_to("resolve its address") : "";
}

int CmConnector::create_queue_pair(ConnectLink& link, ibv_qp_init_attr* attributes) {
  rdma_cm_id* id = id_of(link);
  const Device& device = *link.connection.device;
  const bool leads_elsewhere = id->verbs != device.context();
  if (leads_elsewhere && link.connection.rail != 0) return EXDEV;
  if (leads_elsewhere)
    fatal_setting(
        "the connection to %s goes through device %s instead of %s: the routes of the network interfaces "
        "lead there; name the port by UPCR_IBV_PORTS",
        directory_->name_of(link.connection.peer).c_str(), ::ibv_get_device_name(id->verbs->device),
        device.name());
  if (::rdma_create_qp(id, device.pd(), attributes) != 0) return errno;
  link.connection.qp = id->qp;
  return 0;
}

std::string CmConnector::request(ConnectLink& link, const Hello& hello) {
  rdma_conn_param p = parameters(hello, *link.connection.device);
  if (::rdma_connect(id_of(link), &p) == 0) return "";
  std::string error = failed_to("send the request");
  (void)routes_.failed(link);
  return error;
}

std::string CmConnector::accept(ConnectLink& link, const PeerRequest&, const Hello& hello) {
  rdma_cm_id* id = id_of(link);
  id->context = &link;
  set_options(id);
  rdma_conn_param p = parameters(hello, *link.connection.device);
  p.responder_resources = std::min(p.responder_resources, request_->responder_resources);
  p.initiator_depth = std::min(p.initiator_depth, request_->initiator_depth);
  return ::rdma_accept(id, &p) != 0 ? failed_to("accept its request") : "";
}

void CmConnector::reject(const PeerRequest& request, RejectReason why) {
  Rejection rejection;
  rejection.why = why;
  auto* id = static_cast<rdma_cm_id*>(request.attempt);
  (void)::rdma_reject(id, &rejection, sizeof rejection);
  ::rdma_destroy_id(id);
}

void CmConnector::disconnect(ConnectLink& link) { (void)::rdma_disconnect(id_of(link)); }

// Destroys the identifier, which tells the peer. The queue pair stays.
void CmConnector::release(ConnectLink& link) {
  routes_.release(link);
  id_of(link)->qp = nullptr;
  ::rdma_destroy_id(id_of(link));
  link.attempt = nullptr;
}

}  // namespace upcr::ibv
