// SPDX-License-Identifier: BSD-3-Clause
// Events of librdmacm.
#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/rdmacm/cm_connector.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

constexpr int kInvalidServiceId = 8;  // InfiniBand's reason for a rejected: no process listens

}  // namespace

// The status of a failure: the reason of a rejection (InfiniBand, RoCE), or a negated errno.
std::string CmConnector::describe(const Event& event) {
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

bool CmConnector::no_listener(const Event& event, RejectReason reason) {
  if (event.type != RDMA_CM_EVENT_REJECTED && event.type != RDMA_CM_EVENT_UNREACHABLE) return false;
  // Some iWARP drivers report a rejection with the status of a port on which no process listens; its private
  // data distinguishes the two.
  if (reason == RejectReason::kRace || reason == RejectReason::kConnected || reason == RejectReason::kClosing)
    return false;
  return reason == RejectReason::kUnauthenticated || event.status == kInvalidServiceId ||
         event.status == -ECONNREFUSED || event.status == ECONNREFUSED;
}

void CmConnector::process(Millis now) {
  for (rdma_cm_event* e = nullptr; ::rdma_get_cm_event(channel_, &e) == 0;) {
    Event copy{};
    copy.type = e->event;
    copy.status = e->status;
    copy.id = e->id;
    copy.listener = e->listen_id;
    copy.responder_resources = e->param.conn.responder_resources;
    copy.initiator_depth = e->param.conn.initiator_depth;
    copy.bytes = e->param.conn.private_data != nullptr ? e->param.conn.private_data_len : 0;
    if (copy.bytes != 0) std::memcpy(copy.data, e->param.conn.private_data, copy.bytes);
    ::rdma_ack_cm_event(e);  // before its identifier may be destroyed
    handle(copy, now);
  }
  for (const RouteFinder::Failure& failure : routes_.look(now))
    events_->failed(*failure.link, {failure.why, RejectReason::kUnknown, false, failure.kept_path});
}

void CmConnector::handle(const Event& event, Millis now) {
  UPCR_LOG(log_ibv, kTrace, "%s, status %d", ::rdma_event_str(event.type), event.status);
  if (event.type == RDMA_CM_EVENT_CONNECT_REQUEST) return on_request(event);
  auto* link = static_cast<ConnectLink*>(event.id->context);
  if (event.type == RDMA_CM_EVENT_DEVICE_REMOVAL)
    return events_->device_removed(link != nullptr ? link->connection.device : nullptr);
  if (link == nullptr) return;  // of a listener
  switch (event.type) {
    case RDMA_CM_EVENT_ADDR_RESOLVED:
      if (const std::string error = routes_.find(*link, now); !error.empty()) events_->failed(*link, {error});
      return;
    case RDMA_CM_EVENT_ROUTE_RESOLVED:
      routes_.found(*link, now);
      return events_->route_found(*link);
    case RDMA_CM_EVENT_ESTABLISHED:
      routes_.reached_peer(*link);
      return events_->established(*link, event.data, event.bytes);
    case RDMA_CM_EVENT_DISCONNECTED:
      return events_->disconnected(*link);
    case RDMA_CM_EVENT_ADDR_ERROR:
    case RDMA_CM_EVENT_ROUTE_ERROR:
    case RDMA_CM_EVENT_CONNECT_ERROR:
    case RDMA_CM_EVENT_UNREACHABLE:
    case RDMA_CM_EVENT_REJECTED:
      return on_failed(*link, event);
    default:
      return;  // TIMEWAIT_EXIT, ADDR_CHANGE: no matter to an established connection
  }
}

void CmConnector::on_request(const Event& event) {
  event.id->context = nullptr;
  PeerRequest request;
  request.attempt = event.id;
  while (listeners_[request.port] != event.listener) ++request.port;
  request.data = event.data;
  request.bytes = event.bytes;
  sockaddr_storage from{};
  const sockaddr* peer = ::rdma_get_peer_addr(event.id);
  std::memcpy(&from, peer, peer->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
  request.from = text_of(from);
  request_ = &event;
  events_->requested(request);
  request_ = nullptr;
}

void CmConnector::on_failed(ConnectLink& link, const Event& event) {
  const RejectReason reason = event.type == RDMA_CM_EVENT_REJECTED ? reject_reason_in(event.data, event.bytes)
                                                                   : RejectReason::kUnknown;
  // Another one may have the address to which an old path leads: no process of upcr, or of another job.
  if (is_rejection(event.data, event.bytes) && reason != RejectReason::kUnauthenticated)
    routes_.reached_peer(link);
  const bool kept_path = routes_.failed(link);
  events_->failed(link, {describe(event), reason, no_listener(event, reason), kept_path});
}

}  // namespace upcr::ibv
