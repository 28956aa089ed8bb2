// SPDX-License-Identifier: BSD-3-Clause
// Messages leave. Any thread, under the lock.
#include <cstring>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/ibv/endpoint/conduit.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"

namespace upcr::ibv {
namespace {

// What is copied into the work request anyway is put together here.
constexpr std::size_t kMostInline = 1024;

}  // namespace

Head IbvConduit::head(Link& link, PacketKind kind) noexcept {
  const Head h{kind, link.credits.unsolicited_received(), link.credits.processed(), topology_->rank};
  link.credits.acks_sent();
  return h;
}

Status IbvConduit::am_send(Rank to, const AmPacket& p) {
  const OptionalGuard guard(lock_, multithreaded_);
  Link* link = links_[to];
  if (link == nullptr) return ask(to);
  if ((p.head.flags & kAmReply) != 0 && to == serving_) {
    serving_ = kNobody;  // one reply a request: its room was seen to before the request was served
    send_message(*link, PacketKind::kReply, p);
    return Status::kOk;
  }
  if (!has_room_for_packet(*link, bytes_on_wire(p))) return Status::kNoResource;
  if ((p.head.flags & kAmReply) == 0) {
    if (link->credits.credits() == 0) return Status::kNoResource;
    link->credits.take_credit();
    send_message(*link, PacketKind::kRequest, p);
  } else {
    if (!link->credits.may_send_unsolicited()) return Status::kNoResource;
    link->credits.unsolicited_sent();
    send_message(*link, PacketKind::kUnsolicitedReply, p);
  }
  return Status::kOk;
}

void IbvConduit::send_message(Link& link, PacketKind kind, const AmPacket& p) {
  alignas(8) char small[kMostInline];
  const std::size_t bytes = bytes_on_wire(p);
  const bool in_line = bytes <= link.connection.max_inline && bytes <= kMostInline;
  char* buffer = in_line ? nullptr : sends_.take();
  char* packet = in_line ? small : buffer;
  const Head h = head(link, kind);
  std::memcpy(packet, &h, sizeof h);
  (void)pack_message(packet + sizeof h, p);
  send_packet(link, packet, bytes - extra_bytes_, buffer);
}

// A packet that is nothing but a head. There is room.
void IbvConduit::send_head(Link& link, PacketKind kind) {
  const Head h = head(link, kind);
  alignas(8) char small[sizeof h + kPacketSumBytes];
  char* const buffer = sizeof h + extra_bytes_ > link.connection.max_inline ? sends_.take() : nullptr;
  char* const packet = buffer != nullptr ? buffer : small;
  std::memcpy(packet, &h, sizeof h);
  send_packet(link, packet, sizeof h, buffer);
}

// There is room behind the packet for its checksum. `buffer`: of sends_, given back when the packet has left;
// null: it is sent inline, the caller's memory is free on return.
void IbvConduit::send_packet(Link& link, char* packet, std::size_t bytes, char* buffer) {
  if (__builtin_expect(check_ != nullptr, 0)) bytes = check_->seal(packet, bytes);
  ibv_sge piece{reinterpret_cast<std::uintptr_t>(packet), static_cast<std::uint32_t>(bytes), 0};
  ibv_send_wr request;
  request.next = nullptr;
  request.sg_list = &piece;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = 0;
  if (buffer == nullptr)
    request.send_flags = IBV_SEND_INLINE;
  else
    piece.lkey = sends_.key(link.queues->device());
  if (buffer != nullptr || link.queue.needs_signal() || link.queues->is_nearly_full()) {
    Operation* op = operations_.take(&link, What::kMessage);
    op->buffer = buffer;
    post_signalled(link, request, op);
  } else {
    request.wr_id = identifier(&link);
    (void)link.queue.post(false);
    link.queues->use_room();
    post(link, request);
  }
  doorbells_->ring_neighbour(*topology_, link.connection.peer);
}

void IbvConduit::note_posted(Link& link, Operation* op) noexcept {
  if (counts_apart(*op))
    link.queue.post_unordered();
  else
    op->number = link.queue.post(true);
  link.queues->use_room();
  link.queues->operation_started();
}

void IbvConduit::post_signalled(Link& link, ibv_send_wr& request, Operation* op) {
  note_posted(link, op);
  request.wr_id = identifier(op);
  request.send_flags |= IBV_SEND_SIGNALED;
  post(link, request);
}

void IbvConduit::post(Link& link, ibv_send_wr& first) {
  ibv_send_wr* bad = nullptr;
  const int error = ibv_post_send(link.connection.qp, &first, &bad);
  if (error != 0) refused(link, error);
}

}  // namespace upcr::ibv
