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

// A failure's status: a rejection's reason (InfiniBand, RoCE), or a negated errno.
std::string words_for(const CmEvent& event) {
  std::string all = ::rdma_event_str(event.type);
  if (event.status < 0) return all + ": " + std::strerror(-event.status);
  if (event.type != RDMA_CM_EVENT_REJECTED) return all;
  switch (event.status) {
    case kInvalidServiceId:
      return all + ": nobody listens there";
    case 10:
      return all + ": an old connection is in the way";
    case 28:
      return all + ": refused by the process";
    case ECONNREFUSED:
      return all + ": nobody listens there";
    default:
      return all + ": reason " + std::to_string(event.status);
  }
}

bool nobody_listens(const CmEvent& event, Refusal refusal) {
  if (event.type != RDMA_CM_EVENT_REJECTED && event.type != RDMA_CM_EVENT_UNREACHABLE) return false;
  // Some drivers of iWARP give a refusal the status of a port where nobody listens; its words say who spoke.
  if (refusal == Refusal::kRace || refusal == Refusal::kConnected || refusal == Refusal::kClosing)
    return false;
  return refusal == Refusal::kUnauthenticated || event.status == kInvalidServiceId ||
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
    take(copy);
  }
}

void Connections::Service::take(const CmEvent& event) {
  UPCR_LOG(log_ibv, kTrace, "%s, status %d", ::rdma_event_str(event.type), event.status);
  if (event.type == RDMA_CM_EVENT_CONNECT_REQUEST) return requested(event);
  auto* link = static_cast<CmLink*>(event.id->context);
  if (link == nullptr) {  // of a listener
    if (event.type == RDMA_CM_EVENT_DEVICE_REMOVAL && !closing_)
      fatal("an RDMA device was removed while the job was using it (%s)", ::rdma_event_str(event.type));
    return;
  }
  switch (event.type) {
    case RDMA_CM_EVENT_ADDR_RESOLVED:
      return resolved(*link);
    case RDMA_CM_EVENT_ROUTE_RESOLVED:
      return routed(*link);
    case RDMA_CM_EVENT_ESTABLISHED:
      return established(*link, event);
    case RDMA_CM_EVENT_DISCONNECTED:
      return disconnected(*link);
    case RDMA_CM_EVENT_ADDR_ERROR:
    case RDMA_CM_EVENT_ROUTE_ERROR:
    case RDMA_CM_EVENT_CONNECT_ERROR:
    case RDMA_CM_EVENT_UNREACHABLE:
    case RDMA_CM_EVENT_REJECTED:
      return failed(*link, event);
    case RDMA_CM_EVENT_DEVICE_REMOVAL:
      if (!closing_)
        fatal("device %s was removed while the job was using it", link->connection.device->name());
      return;
    default:
      return;  // TIMEWAIT_EXIT, ADDR_CHANGE: no matter to an established connection
  }
}

void Connections::Service::requested(const CmEvent& event) {
  event.id->context = nullptr;
  Hello hello;
  const HelloStatus verdict =
      judge(event.data, event.bytes, directory_.secret(), rank_, directory_.size(), &hello);
  if (verdict != HelloStatus::kValid) {
    reject_unauthenticated(event, verdict);
    return refuse(event.id, Refusal::kUnauthenticated);
  }
  if (closing_) return refuse(event.id, Refusal::kClosing);
  const Rank peer = hello.rank;
  UPCR_LOG(log_ibv, kDebug, "rank %u asks for a connection; ours: %s", peer,
           ibv::words_for(machines_[peer].state()));
  switch (machines_[peer].requested(rank_ < peer, now_ms(), time_limits_)) {
    case ConnectStateMachine::Action::kRejectRace:
      return refuse(event.id, Refusal::kRace);
    case ConnectStateMachine::Action::kRejectConnected:
      return refuse(event.id, Refusal::kConnected);
    case ConnectStateMachine::Action::kDropAndAccept:
      drop(peer);
      [[fallthrough]];
    default:
      break;
  }
  add_timed_peer(peer);
  accept(peer, event, hello);
}

// Each of the first few is worth a line; a flood of them is not.
void Connections::Service::reject_unauthenticated(const CmEvent& event, HelloStatus verdict) {
  sockaddr_storage from{};
  const sockaddr* peer = ::rdma_get_peer_addr(event.id);
  std::memcpy(&from, peer, peer->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
  const std::string where = text_of(from);
  if (++unauthenticated_ <= kMaxWarnings)
    warn("a stranger at %s asked this job for a connection and was refused: it %s%s", where.c_str(),
         ibv::words_for(verdict), unauthenticated_ == kMaxWarnings ? "; further ones are not mentioned" : "");
  else
    UPCR_LOG(log_ibv, kInfo, "refused a stranger at %s: it %s", where.c_str(), ibv::words_for(verdict));
}

void Connections::Service::resolved(CmLink& link) {
  if (::rdma_resolve_route(link.id, 5'000) != 0)
    failed(link.connection.peer, false, std::string("cannot find a route: ") + std::strerror(errno));
}

void Connections::Service::routed(CmLink& link) {
  if (!closing_) ask(link);
}

void Connections::Service::established(CmLink& link, const CmEvent& event) {
  Connection& c = link.connection;
  if (c.active) {
    Hello hello;
    const HelloStatus verdict =
        judge(event.data, event.bytes, directory_.secret(), rank_, directory_.size(), &hello);
    if (verdict != HelloStatus::kValid || hello.rank != c.peer)
      return failed(c.peer, true, std::string("who answers at its address ") + ibv::words_for(verdict));
    c.remote_device = hello.device;
  }
  ibv_qp_attr attributes{};
  ibv_qp_init_attr made{};
  c.read_depth = c.device->limits().read_depth;
  if (::ibv_query_qp(c.qp, &attributes, IBV_QP_MAX_QP_RD_ATOMIC, &made) == 0 && attributes.max_rd_atomic != 0)
    c.read_depth = std::min<std::uint32_t>(c.read_depth, attributes.max_rd_atomic);
  machines_[c.peer].established();
  last_errors_.erase(c.peer);
  UPCR_LOG(log_ibv, kInfo, "connected with %s, %s, by port %s, %u reads, %u bytes in line",
           directory_.name_of(c.peer).c_str(), c.active ? "asked" : "was asked", ports_[c.port].name.c_str(),
           c.read_depth, c.max_inline);
  client_->established(c);
  const std::lock_guard guard(mutex_);
  ++connected_;
  connected_more_.notify_all();
}

void Connections::Service::failed(CmLink& link, const CmEvent& event) {
  const Rank peer = link.connection.peer;
  if (closing_) return drop(peer);
  const Refusal refusal =
      event.type == RDMA_CM_EVENT_REJECTED ? reject_reason_in(event.data, event.bytes) : Refusal::kUnknown;
  failed(peer, nobody_listens(event, refusal),
         refusal == Refusal::kUnauthenticated ? "who answers at its address is not of this job"
                                              : words_for(event));
}

void Connections::Service::failed(Rank peer, bool nobody, const std::string& why) {
  UPCR_LOG(log_ibv, kDebug, "link with rank %u: %s", peer, why.c_str());
  last_errors_[peer] = why;
  const ConnectStateMachine::Action what = machines_[peer].failed(nobody, now_ms(), time_limits_);
  if (what == ConnectStateMachine::Action::kGiveUp) give_up(peer);
  add_timed_peer(peer);
  drop(peer);
}

void Connections::Service::give_up(Rank peer) {
  const auto trouble = last_errors_.find(peer);
  fatal(
      "cannot connect to %s after %u tries: %s%s; its process or host has ended, or a firewall or a wrong "
      "address "
      "is between us (UPCR_IBV_CONNECT_TIMEOUT)%s",
      directory_.name_of(peer).c_str(), machines_[peer].tries() + 1,
      trouble != last_errors_.end() ? trouble->second.c_str() : "no answer", watch_.trouble().c_str(),
      other_conduit());
}

void Connections::Service::disconnected(CmLink& link) {
  const Rank peer = link.connection.peer;
  if (closing_) {                      // close() has a barrier between this flag and the first disconnection
    (void)::rdma_disconnect(link.id);  // the reply
    return drop(peer);
  }
  const ConnectStateMachine::Action what = machines_[peer].disconnected(now_ms(), time_limits_);
  if (what == ConnectStateMachine::Action::kLost) return lost(peer);
  if (what == ConnectStateMachine::Action::kGiveUp) give_up(peer);
  drop(peer);
}

}  // namespace upcr::ibv
