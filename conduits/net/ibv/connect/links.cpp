// SPDX-License-Identifier: BSD-3-Clause
// Creates and drops links. Service thread.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/connect/service.hpp"
#include "conduits/net/ibv/device/pin_error.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

constexpr int kResolveMs = 5'000;  // of one try

}  // namespace

Hello Connections::Service::hello_from(unsigned port) const {
  Hello hello;
  hello.secret = directory_.secret();
  hello.rank = rank_;
  hello.port = static_cast<std::uint16_t>(port);
  hello.device = static_cast<std::uint16_t>(ports_[port].device->index());
  return hello;
}

rdma_conn_param Connections::Service::parameters(const Hello& hello, const Device& device) const {
  rdma_conn_param p{};
  p.private_data = &hello;
  p.private_data_len = sizeof hello;
  p.responder_resources = p.initiator_depth = static_cast<std::uint8_t>(device.limits().read_depth);
  p.flow_control = 1;
  p.retry_count = transport_timeout_.retry_count;
  p.rnr_retry_count = 7;  // without end: credits keep receives posted, so this is for the worst case
  return p;
}

// Before the address is resolved, or a request accepted. The ack timeout has no effect where it cannot be
// set: iWARP has TCP's time-outs.
void Connections::Service::set_options(rdma_cm_id* id) {
  if (traffic_class_) {
    std::uint8_t traffic_class = *traffic_class_;
    if (::rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &traffic_class, sizeof traffic_class) != 0)
      fatal_setting("UPCR_IBV_TRAFFIC_CLASS=%u cannot be set: rdma_set_option: %s", traffic_class,
                    std::strerror(errno));
  }
  std::uint8_t& ack_timeout = transport_timeout_.ack_timeout;
  (void)::rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &ack_timeout, sizeof ack_timeout);
}

void Connections::Service::start(Rank peer) {
  const PortPair pair = directory_.pair_for(peer);
  auto link = std::make_unique<CmLink>();
  link->connection.peer = peer;
  link->connection.device = ports_[pair.own].device;
  link->connection.port = pair.own;
  link->connection.remote_device = directory_.of(peer).ports[pair.remote].device;
  link->connection.active = true;
  if (::rdma_create_id(channel_, &link->id, link.get(), RDMA_PS_TCP) != 0)
    fatal("cannot connect to %s: rdma_create_id: %s", directory_.name_of(peer).c_str(), std::strerror(errno));
  set_options(link->id);
  sockaddr_storage from = ports_[pair.own].address;
  sockaddr_storage to = from_wire(directory_.of(peer).ports[pair.remote].address, from);
  rdma_cm_id* id = link->id;
  links_[peer] = std::move(link);
  if (::rdma_resolve_addr(id, reinterpret_cast<sockaddr*>(&from), reinterpret_cast<sockaddr*>(&to),
                          kResolveMs) != 0)
    attempt_failed(peer, false, std::string("cannot resolve its address: ") + std::strerror(errno));
}

void Connections::Service::make_queue_pair(CmLink& link) {
  Connection& c = link.connection;
  if (link.id->verbs != c.device->context())
    fatal_setting(
        "the connection to %s goes through device %s instead of %s: the routes of the network interfaces "
        "lead there; name the port by UPCR_IBV_PORTS",
        directory_.name_of(c.peer).c_str(), ::ibv_get_device_name(link.id->verbs->device), c.device->name());
  ibv_qp_init_attr attributes{};
  attributes.qp_type = IBV_QPT_RC;
  client_->queue_pair_attributes(*c.device, &attributes);
  const ibv_qp_cap requested = attributes.cap;
  while (::rdma_create_qp(link.id, c.device->pd(), &attributes) != 0) {
    const int error = errno;
    if (!is_no_room(error) || !client_->make_room())
      fatal(
          "device %s: no queue pair can be created for %s (%u sends, %u receives, %u bytes inline): %s; it has "
          "%u in all, for all processes",
          c.device->name(), directory_.name_of(c.peer).c_str(), requested.max_send_wr, requested.max_recv_wr,
          requested.max_inline_data, std::strerror(error), c.device->limits().max_queue_pairs);
    attributes.cap = requested;
  }
  c.qp = link.id->qp;
  c.max_inline = attributes.cap.max_inline_data;
  link.prepared = true;
  client_->prepare(c);
}

void Connections::Service::send_connect_request(CmLink& link) {
  const Rank peer = link.connection.peer;
  make_queue_pair(link);
  const Hello hello = hello_from(link.connection.port);
  rdma_conn_param p = parameters(hello, *link.connection.device);
  machines_[peer].request_sent();
  if (::rdma_connect(link.id, &p) != 0)
    attempt_failed(peer, false, std::string("cannot send the request: ") + std::strerror(errno));
}

void Connections::Service::accept(Rank peer, const CmEvent& event, const Hello& hello) {
  const auto port = static_cast<unsigned>(std::find(listeners_.begin(), listeners_.end(), event.listener) -
                                          listeners_.begin());
  auto made = std::make_unique<CmLink>();
  CmLink& link = *made;
  link.id = event.id;
  link.id->context = &link;
  link.connection.peer = peer;
  link.connection.device = ports_[port].device;
  link.connection.port = port;
  link.connection.remote_device = hello.device;
  links_[peer] = std::move(made);
  set_options(link.id);
  make_queue_pair(link);
  const Hello own = hello_from(port);
  rdma_conn_param p = parameters(own, *link.connection.device);
  p.responder_resources = std::min(p.responder_resources, event.responder_resources);
  p.initiator_depth = std::min(p.initiator_depth, event.initiator_depth);
  if (::rdma_accept(link.id, &p) != 0)
    attempt_failed(peer, false, std::string("cannot accept its request: ") + std::strerror(errno));
}

void Connections::Service::reject(rdma_cm_id* id, RejectReason why) {
  Rejection rejection;
  rejection.why = why;
  (void)::rdma_reject(id, &rejection, sizeof rejection);
  ::rdma_destroy_id(id);
}

// Destroys the identifier at once, which tells the peer; the queue pair when the client has drained it.
void Connections::Service::drop(Rank peer) {
  std::unique_ptr<CmLink> link = std::move(links_[peer]);
  if (link == nullptr) return;
  if (link->prepared) {
    ibv_qp_attr error{};
    error.qp_state = IBV_QPS_ERR;
    (void)::ibv_modify_qp(link->connection.qp, &error, IBV_QP_STATE);
    link->id->qp = nullptr;  // destroyed by reap()
  }
  ::rdma_destroy_id(link->id);
  link->id = nullptr;
  UPCR_LOG(log_ibv, kDebug, "dropped a link with rank %u", peer);
  if (!link->prepared) return;
  client_->discarded(link->connection);
  retired_links_.push_back(std::move(link));
}

}  // namespace upcr::ibv
