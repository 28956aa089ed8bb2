// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/xrc/host_connections.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

namespace upcr::ibv {

bool HostKey::operator<(const HostKey& other) const noexcept {
  const auto all_of = [](const HostKey& key) {
    return std::tuple(
        key.host, key.port, key.remote_lid,
        std::string_view(reinterpret_cast<const char*>(key.remote.bytes), sizeof key.remote.bytes));
  };
  return all_of(*this) < all_of(other);
}

HostConnections::~HostConnections() {
  while (!targets_.empty()) destroy_target(targets_.begin()->first);
  for (const auto& [key, host] : hosts_) queue_pairs_.destroy(host->qp);
}

int HostConnections::join(ConnectLink& link, const HostKey& key, const QueuePairEnd& end,
                          ibv_qp_init_attr* attributes) {
  std::unique_ptr<HostConnection>& host = hosts_[key];
  if (host == nullptr) {
    ibv_qp* const qp = queue_pairs_.create_initiator(link.connection, attributes);
    if (qp == nullptr) {
      const int error = errno != 0 ? errno : EINVAL;
      hosts_.erase(key);
      return error;
    }
    host = std::make_unique<HostConnection>();
    host->qp = qp;
    host->own = end;
    host->own.number = qp->qp_num;
    host->max_inline = attributes->cap.max_inline_data;
    most_initiators_ = std::max(most_initiators_, initiators());
  }
  ++host->links;
  link.host = host.get();
  link.connection.qp = host->qp;
  link.connection.shared = true;
  attributes->cap.max_inline_data = host->max_inline;
  return 0;
}

QueuePairEnd HostConnections::end_of(ConnectLink& link) {
  QueuePairEnd own = link.host->own;
  (void)can_send(link, &own);
  return own;
}

bool HostConnections::can_send(ConnectLink& link, QueuePairEnd* own) {
  HostConnection& host = *link.host;
  if (host.target == 0 && host.asking == nullptr) host.asking = &link;
  own->uses = host.target != 0       ? host.target
              : host.asking == &link ? QueuePairEnd::kNeedsTarget
                                     : QueuePairEnd::kAsksAnother;
  return host.target != 0;
}

std::string HostConnections::connect(ConnectLink& link, unsigned remote_port, QueuePairEnd* own,
                                     const QueuePairEnd& remote) {
  HostConnection& host = *link.host;
  std::string error;
  link.connection.remote_srq = remote.srq;
  if (remote.uses == QueuePairEnd::kNeedsTarget && own->target == 0) {
    ibv_qp* const target = queue_pairs_.create_target(link.connection, remote_port, *own, remote, &error);
    if (target == nullptr) return error;
    own->target = target->qp_num;
    // The active side's is in use from when the peer knows it, before this side is sure of that.
    targets_[own->target] = {target, link.connection.active ? nullptr : &link};
  }
  if (own->target != 0 && remote.uses == own->target) targets_[own->target].maker = nullptr;
  if (host.target == 0 && remote.target != 0) {
    const QueuePairEnd target{remote.target, 0, remote.reads};
    error = queue_pairs_.connect_initiator(link.connection, remote_port, host.own, target);
    if (!error.empty()) return error;
    host.target = remote.target;
    host.asking = nullptr;
  }
  return "";
}

void HostConnections::release(ConnectLink& link) {
  if (link.host != nullptr && link.host->asking == &link) link.host->asking = nullptr;
}

void HostConnections::leave(ConnectLink& link) {
  release(link);
  for (auto at = targets_.begin(); at != targets_.end();) {
    const auto next = std::next(at);
    if (at->second.maker == &link) destroy_target(at->first);
    at = next;
  }
  HostConnection* const host = std::exchange(link.host, nullptr);
  link.connection.qp = nullptr;
  if (host == nullptr || --host->links != 0) return;
  queue_pairs_.destroy(host->qp);
  std::erase_if(hosts_, [host](const auto& entry) { return entry.second.get() == host; });
}

void HostConnections::destroy_target(std::uint32_t number) {
  const auto at = targets_.find(number);
  queue_pairs_.destroy(at->second.qp);
  targets_.erase(at);
}

}  // namespace upcr::ibv
