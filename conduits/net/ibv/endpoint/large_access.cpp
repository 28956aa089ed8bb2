// SPDX-License-Identifier: BSD-3-Clause
// Large puts and gets over several connections: RemoteAccess, where the peer has rails
// (connect/rail_connections.hpp). What cannot be distributed now goes over the first connection alone.
#include <span>

#include "conduits/net/ibv/endpoint/remote_access.hpp"
#include "conduits/net/ibv/rails/distribute.hpp"

namespace upcr::ibv {

// A part for the first connection, and one for each rail that has room. Empty: there is no such rail, or the
// memory cannot be registered now.
std::span<Part> RemoteAccess::prepare_parts(Link& first, RailSet& rails, std::uint64_t raddr, const void* at,
                                            std::size_t bytes, Use use, Part (&parts)[kMaxPorts]) {
  Link* links[kMaxPorts];
  const unsigned count = links_with_room(*first.path, first, rails, links);
  if (count == 1) return {};
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  const Parts cut = distribute(begin, bytes, count);
  unsigned prepared = 0;
  bool good = cut.count > 1;
  for (; good && prepared < cut.count; ++prepared) {
    Part& part = parts[prepared];
    part.link = links[prepared];
    const Device& device = part.link->queues->device();
    const void* const from = static_cast<const char*>(at) + cut.begin(prepared);
    const std::size_t length = cut.bytes(prepared);
    part.piece = {begin + cut.begin(prepared), static_cast<std::uint32_t>(length), 0};
    part.remote = raddr + cut.begin(prepared);
    part.remote_key =
        memory_.remote_key(first.rank, part.remote, length, part.link->connection.remote_device, &good);
    if (!good) break;
    if (memory_.segment_key(device, from, length, &part.piece.lkey)) continue;
    part.registration = memory_.pin(device, from, length, use);
    good = part.registration != nullptr;
    if (!good) break;
    part.piece.lkey = part.registration->key;
  }
  if (good) return {parts, prepared};
  for (const Part& part : std::span(parts).first(prepared))
    if (part.registration != nullptr) memory_.unpin(part.registration);
  return {};
}

bool RemoteAccess::lacks_rails(Rank peer) const noexcept {
  const Link* const first = links_.find(peer);
  return first != nullptr && first->leaving == Leaving::kNo && RailTable::lacks(*first);
}

void RemoteAccess::request_rails(Rank peer) {
  if (lacks_rails(peer)) links_.rails().request(*links_.find(peer), links_.ready_count());
}

// As put(), `kind` kPut, or as get(). kNotSupported: not in parts.
Status RemoteAccess::move_in_parts(OperationKind kind, Rank peer, std::uint64_t raddr, const void* at,
                                   std::size_t bytes, Pending& done, Pending* local) {
  Link* const first = links_.find(peer);
  if (first == nullptr || first->leaving != Leaving::kNo) return Status::kNotSupported;
  SendPath& sends = *first->path;
  RailSet* const rails = RailTable::usable(*first);
  if (rails == nullptr || !rails->may_distribute() || !sends.has_room(*first)) return Status::kNotSupported;
  Part made[kMaxPorts];
  const bool is_put = kind == OperationKind::kPut;
  const std::span<Part> parts =
      prepare_parts(*first, *rails, raddr, at, bytes, is_put ? Use::kSource : Use::kSink, made);
  if (parts.empty()) return Status::kNotSupported;
  post_parts(sends, *rails, parts, kind, done, local, [&](Link& link, ibv_send_wr& request, Operation* op) {
    if (is_put)
      post_write(link, request, op, false, false);
    else
      sends.post_signalled(link, request, op);
  });
  return Status::kInProgress;
}

}  // namespace upcr::ibv
