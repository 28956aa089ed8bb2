// SPDX-License-Identifier: BSD-3-Clause
// Posts the parts of a large transfer, each on a connection of its own. Each counts in the transfer's
// Pending, so that it is complete when all of them are, whatever their order.
//
// Threads: under the lock of the peer's send path.
#pragma once
#include <infiniband/verbs.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "conduits/net/ibv/rails/rail_set.hpp"
#include "conduits/net/ibv/sending/send_path.hpp"

namespace upcr::ibv {

struct Part {
  Link* link = nullptr;
  ibv_sge piece{};  // this side's memory
  std::uint64_t remote = 0;
  std::uint32_t remote_key = 0;
  Registration* registration = nullptr;  // of this side's memory, to be released; null: there is none
};

// The connections that take part: `first`, which has room, and the rails that have some. Those of one device
// may share the room of a completion queue, which is to suffice for all of them. Returns how many.
inline unsigned links_with_room(const SendPath& sends, Link& first, const RailSet& rails,
                                Link* (&links)[kMaxPorts]) {
  unsigned count = 0;
  links[count++] = &first;
  for (Link* rail : rails.links()) {
    const auto beside =
        std::count_if(links, links + count, [rail](const Link* other) { return other->room == rail->room; });
    if (sends.has_room(*rail, static_cast<unsigned>(beside))) links[count++] = rail;
  }
  return count;
}

// Each link has room. `local`: of a put; null: none. post(part, request, operation) posts one, signalled.
template <typename Post>
void post_parts(SendPath& sends, RailSet& rails, std::span<Part> parts, OperationKind kind, Pending& done,
                Pending* local, Post&& post) {
  const auto post_one = [&](Part& part) {
    Link& link = *part.link;
    Operation* const op = sends.begin(link, kind);
    op->done = &done;
    op->local = local;
    op->registration = part.registration;
    op->bytes = part.piece.length;
    done.add();
    if (local != nullptr) local->add();
    if (kind == OperationKind::kPut && link.is_rail()) rails.put_started();
    RailSet::Moved& moved = rails.moved(link.connection.port);
    ++moved.parts;
    moved.bytes += part.piece.length;
    ibv_send_wr request{};
    request.sg_list = &part.piece;
    request.num_sge = 1;
    request.opcode = kind == OperationKind::kPut ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
    request.wr.rdma.remote_addr = part.remote;
    request.wr.rdma.rkey = part.remote_key;
    post(link, request, op);
  };
  for (Part& part : parts) post_one(part);
}

// A part is complete, or another put or get.
inline void note_complete(const Operation& op) noexcept {
  if (op.kind == OperationKind::kPut && op.link->is_rail()) op.link->rails->put_ended();
}

}  // namespace upcr::ibv
