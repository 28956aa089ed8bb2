// SPDX-License-Identifier: BSD-3-Clause
// What follows what the connector reports. Service thread.
#include <algorithm>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/connect/service.hpp"
#include "conduits/net/ibv/device/choice.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

constexpr unsigned kMaxWarnings = 8;

}  // namespace

void Connections::Service::route_found(ConnectLink& link) {
  if (closing_) return;
  if (link.connection.rail != 0) return rails_.route_found(link);
  const Rank peer = link.connection.peer;
  make_queue_pair(link);
  machines_[peer].request_sent();
  if (const std::string error = connector_->request(link, own_hello(link.connection.port)); !error.empty())
    attempt_failed(peer, false, error);
}

void Connections::Service::requested(PeerRequest& request) {
  Hello hello;
  const HelloStatus status =
      check_hello(request.data, request.bytes, directory_.secret(), rank_, directory_.size(), &hello);
  if (status != HelloStatus::kValid) {
    reject_unauthenticated(request, status);
    return connector_->reject(request, RejectReason::kUnauthenticated);
  }
  if (closing_) return connector_->reject(request, RejectReason::kClosing);
  if (hello.rail != 0) return rails_.requested(request, hello, now_ms());
  const Rank peer = hello.rank;
  UPCR_LOG(log_ibv, kDebug, "rank %u requests a connection; own state: %s", peer,
           ibv::to_string(machines_[peer].state()));
  (void)close_evicted(peer);  // the peer has closed it, and this end is about to
  switch (machines_[peer].request_received(rank_ < peer, now_ms(), time_limits_)) {
    case ConnectStateMachine::Action::kRejectRace:
      return connector_->reject(request, RejectReason::kRace);
    case ConnectStateMachine::Action::kRejectConnected:
      return connector_->reject(request, RejectReason::kConnected);
    case ConnectStateMachine::Action::kDropAndAccept:
      drop(peer);
      [[fallthrough]];
    default:
      break;
  }
  add_timed_peer(peer);
  accept(peer, request, hello);
}

// Warns of the first few only.
void Connections::Service::reject_unauthenticated(const PeerRequest& request, HelloStatus status) {
  if (++unauthenticated_ <= kMaxWarnings)
    warn("a process at %s requested a connection and was rejected: it %s%s", request.from.c_str(),
         ibv::to_string(status), unauthenticated_ == kMaxWarnings ? "; further ones are not mentioned" : "");
  else
    UPCR_LOG(log_ibv, kInfo, "rejected a connection request from %s: its sender %s", request.from.c_str(),
             ibv::to_string(status));
}

void Connections::Service::established(ConnectLink& link, const void* data, std::size_t bytes) {
  const Connection& c = link.connection;
  if (c.rail != 0) return rails_.established(link, data, bytes);
  if (c.active) {
    Hello hello;
    const HelloStatus status =
        check_hello(data, bytes, directory_.secret(), rank_, directory_.size(), &hello);
    if (status != HelloStatus::kValid || hello.rank != c.peer)
      return attempt_failed(c.peer, true,
                            std::string("the process at its address ") + ibv::to_string(status));
    link.connection.remote_device = hello.device;
  }
  report_established(link);
}

void Connections::Service::report_established(ConnectLink& link) {
  Connection& c = link.connection;
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

void Connections::Service::failed(ConnectLink& link, const ConnectFailure& failure) {
  const Rank peer = link.connection.peer;
  if (link.connection.rail != 0) return rails_.failed(link, failure);
  if (closing_) return drop(peer);
  attempt_failed(peer, failure.no_listener,
                 failure.reason == RejectReason::kUnauthenticated
                     ? "the process at its address is not of this job"
                     : failure.why);
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

void Connections::Service::disconnected(ConnectLink& link) {
  const Rank peer = link.connection.peer;
  if (link.connection.rail != 0) {
    if (closing_) return rails_.disconnected_at_end(link);
    if (rails_.disconnected(link)) on_peer_closed(peer);
    return;
  }
  if (closing_) {                  // close() has a barrier between this flag and the first disconnection
    connector_->disconnect(link);  // the reply
    return drop(peer);
  }
  if (close_evicted(peer)) return;
  const ConnectStateMachine::Action what = machines_[peer].disconnected(now_ms(), time_limits_);
  if (what == ConnectStateMachine::Action::kLost) return on_peer_closed(peer);
  if (what == ConnectStateMachine::Action::kTimedOut) connect_timed_out(peer);
  drop(peer);
}

void Connections::Service::device_removed(const Device* device) {
  if (closing_) return;
  if (device == nullptr) fatal("an RDMA device was removed while the job was using it");
  fatal("device %s was removed while the job was using it", device->name());
}

}  // namespace upcr::ibv
