// SPDX-License-Identifier: BSD-3-Clause
// Events of librdmacm. Service thread.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/connect/service.hpp"
#include "conduits/net/ibv/device/choice.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

constexpr int kInvalidServiceId = 8;  // InfiniBand's reason for a rejected: no process listens
constexpr unsigned kMaxWarnings = 8;

// The status of a failure: the reason of a rejection (InfiniBand, RoCE), or a negated errno.
std::string describe(const CmEvent& event) {
  std::string all = ::rdma_event_str(event.type);
  if (event.status < 0) return all + ": " + std::strerror(-event.status);
  if (event.type != RDMA_CM_EVENT_REJECTED) return all;
  switch (event.status) {
    case kInvalidServiceId:
      return all + ": no process listens there";
    case 10:
      return all + ": an old connection has the same queue pair";
    case 28:
      return all + ": rejected by the process";
    case ECONNREFUSED:
      return all + ": no process listens there";
    default:
      return all + ": reason " + std::to_string(event.status);
  }
}

bool no_listener(const CmEvent& event, RejectReason reason) {
  if (event.type != RDMA_CM_EVENT_REJECTED && event.type != RDMA_CM_EVENT_UNREACHABLE) return false;
  // Some iWARP drivers report a rejection with the status of a port on which no process listens; its private
  // data distinguishes the two.
  if (reason == RejectReason::kRace || reason == RejectReason::kConnected || reason == RejectReason::kClosing)
    return false;
  return reason == RejectReason::kUnauthenticated || event.status == kInvalidServiceId ||
         event.status == -ECONNREFUSED || event.status == ECONNREFUSED;
}

}  // namespace

void Connections::Service::process_cm_events() {
  for (rdma_cm_event* e = nullptr; ::rdma_get_cm_event(channel_, &e) == 0;) {
    CmEvent copy{};
    copy.type = e->event;
    copy.status = e->status;
    copy.id = e->id;
    copy.listener = e->listen_id;
    copy.responder_resources = e->param.conn.responder_resources;
    copy.initiator_depth = e->param.conn.initiator_depth;
    copy.bytes = e->param.conn.private_data != nullptr ? e->param.conn.private_data_len : 0;
    if (copy.bytes != 0) std::memcpy(copy.data, e->param.conn.private_data, copy.bytes);
    ::rdma_ack_cm_event(e);  // before its identifier may be destroyed
    handle_cm_event(copy);
  }
}

void Connections::Service::handle_cm_event(const CmEvent& event) {
  UPCR_LOG(log_ibv, kTrace, "%s, status %d", ::rdma_event_str(event.type), event.status);
  if (event.type == RDMA_CM_EVENT_CONNECT_REQUEST) return on_connect_request(event);
  auto* link = static_cast<CmLink*>(event.id->context);
  if (link == nullptr) {  // of a listener
    if (event.type == RDMA_CM_EVENT_DEVICE_REMOVAL && !closing_)
      fatal("an RDMA device was removed while the job was using it (%s)", ::rdma_event_str(event.type));
    return;
  }
  switch (event.type) {
    case RDMA_CM_EVENT_ADDR_RESOLVED:
      return on_address_resolved(*link);
    case RDMA_CM_EVENT_ROUTE_RESOLVED:
      return on_route_resolved(*link);
    case RDMA_CM_EVENT_ESTABLISHED:
      return on_established(*link, event);
    case RDMA_CM_EVENT_DISCONNECTED:
      return on_disconnected(*link);
    case RDMA_CM_EVENT_ADDR_ERROR:
    case RDMA_CM_EVENT_ROUTE_ERROR:
    case RDMA_CM_EVENT_CONNECT_ERROR:
    case RDMA_CM_EVENT_UNREACHABLE:
    case RDMA_CM_EVENT_REJECTED:
      return on_failed(*link, event);
    case RDMA_CM_EVENT_DEVICE_REMOVAL:
      if (!closing_)
        fatal("device %s was removed while the job was using it", link->connection.device->name());
      return;
    default:
      return;  // TIMEWAIT_EXIT, ADDR_CHANGE: no matter to an established connection
  }
}

void Connections::Service::on_connect_request(const CmEvent& event) {
  event.id->context = nullptr;
  Hello hello;
  const HelloStatus status =
      check_hello(event.data, event.bytes, directory_.secret(), rank_, directory_.size(), &hello);
  if (status != HelloStatus::kValid) {
    reject_unauthenticated(event, status);
    return reject(event.id, RejectReason::kUnauthenticated);
  }
  if (closing_) return reject(event.id, RejectReason::kClosing);
  const Rank peer = hello.rank;
  UPCR_LOG(log_ibv, kDebug, "rank %u requests a connection; own state: %s", peer,
           ibv::to_string(machines_[peer].state()));
  (void)close_evicted(peer);  // the peer has closed it, and this end is about to
  switch (machines_[peer].request_received(rank_ < peer, now_ms(), time_limits_)) {
    case ConnectStateMachine::Action::kRejectRace:
      return reject(event.id, RejectReason::kRace);
    case ConnectStateMachine::Action::kRejectConnected:
      return reject(event.id, RejectReason::kConnected);
    case ConnectStateMachine::Action::kDropAndAccept:
      drop(peer);
      [[fallthrough]];
    default:
      break;
  }
  add_timed_peer(peer);
  accept(peer, event, hello);
}

// Warns of the first few only.
void Connections::Service::reject_unauthenticated(const CmEvent& event, HelloStatus status) {
  sockaddr_storage from{};
  const sockaddr* peer = ::rdma_get_peer_addr(event.id);
  std::memcpy(&from, peer, peer->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
  const std::string where = text_of(from);
  if (++unauthenticated_ <= kMaxWarnings)
    warn("a process at %s requested a connection and was rejected: it %s%s", where.c_str(),
         ibv::to_string(status), unauthenticated_ == kMaxWarnings ? "; further ones are not mentioned" : "");
  else
    UPCR_LOG(log_ibv, kInfo, "rejected a connection request from %s: its sender %s", where.c_str(),
             ibv::to_string(status));
}

void Connections::Service::on_address_resolved(CmLink& link) {
  if (::rdma_resolve_route(link.id, 5'000) != 0)
    attempt_failed(link.connection.peer, false, std::string("cannot find a route: ") + std::strerror(errno));
}

void Connections::Service::on_route_resolved(CmLink& link) {
  if (!closing_) send_connect_request(link);
}

void Connections::Service::on_established(CmLink& link, const CmEvent& event) {
  Connection& c = link.connection;
  if (c.active) {
    Hello hello;
    const HelloStatus status =
        check_hello(event.data, event.bytes, directory_.secret(), rank_, directory_.size(), &hello);
    if (status != HelloStatus::kValid || hello.rank != c.peer)
      return attempt_failed(c.peer, true,
                            std::string("the process at its address ") + ibv::to_string(status));
    c.remote_device = hello.device;
  }
  ibv_qp_attr attributes{};
  ibv_qp_init_attr made{};
  c.read_depth = c.device->limits().read_depth;
  if (::ibv_query_qp(c.qp, &attributes, IBV_QP_MAX_QP_RD_ATOMIC, &made) == 0 && attributes.max_rd_atomic != 0)
    c.read_depth = std::min<std::uint32_t>(c.read_depth, attributes.max_rd_atomic);
  machines_[c.peer].established();
  last_errors_.erase(c.peer);
  UPCR_LOG(log_ibv, kInfo, "connected with %s, %s, by port %s, %u reads, %u bytes inline",
           directory_.name_of(c.peer).c_str(), c.active ? "active" : "passive", ports_[c.port].name.c_str(),
           c.read_depth, c.max_inline);
  client_->established(c);
  const std::lock_guard guard(mutex_);
  ++connected_;
  connected_more_.notify_all();
}

void Connections::Service::on_failed(CmLink& link, const CmEvent& event) {
  const Rank peer = link.connection.peer;
  if (closing_) return drop(peer);
  const RejectReason reason = event.type == RDMA_CM_EVENT_REJECTED ? reject_reason_in(event.data, event.bytes)
                                                                   : RejectReason::kUnknown;
  attempt_failed(peer, no_listener(event, reason),
                 reason == RejectReason::kUnauthenticated ? "the process at its address is not of this job"
                                                          : describe(event));
}

void Connections::Service::attempt_failed(Rank peer, bool no_listener, const std::string& why) {
  UPCR_LOG(log_ibv, kDebug, "link with rank %u: %s", peer, why.c_str());
  last_errors_[peer] = why;
  const ConnectStateMachine::Action what = machines_[peer].failed(no_listener, now_ms(), time_limits_);
  if (what == ConnectStateMachine::Action::kTimedOut) connect_timed_out(peer);
  add_timed_peer(peer);
  drop(peer);
}

void Connections::Service::connect_timed_out(Rank peer) {
  const auto error = last_errors_.find(peer);
  fatal(
      "cannot connect to %s after %u tries: %s%s; its process or host has ended, a firewall is between the "
      "hosts, or the address is wrong (UPCR_IBV_CONNECT_TIMEOUT)%s",
      directory_.name_of(peer).c_str(), machines_[peer].tries() + 1,
      error != last_errors_.end() ? error->second.c_str() : "no reply", watch_.down_ports().c_str(),
      other_conduit());
}

void Connections::Service::on_disconnected(CmLink& link) {
  const Rank peer = link.connection.peer;
  if (closing_) {                      // close() has a barrier between this flag and the first disconnection
    (void)::rdma_disconnect(link.id);  // the reply
    return drop(peer);
  }
  if (close_evicted(peer)) return;
  const ConnectStateMachine::Action what = machines_[peer].disconnected(now_ms(), time_limits_);
  if (what == ConnectStateMachine::Action::kLost) return on_peer_closed(peer);
  if (what == ConnectStateMachine::Action::kTimedOut) connect_timed_out(peer);
  drop(peer);
}

}  // namespace upcr::ibv
