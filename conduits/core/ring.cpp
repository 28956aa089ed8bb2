// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/ring.hpp"

#include "conduits/base/cpu.hpp"

namespace upcr {
namespace {

constexpr std::size_t kSlotBody = sizeof(RingSlot::body);

// Where things of a packet are: the same computation on both sides.
struct Shape {
  bool args_outside, payload_outside;
  std::size_t args_bytes, payload_at;  // payload_at: in the slot's body, or behind the outside arguments
  std::size_t outside;                 // bytes in the payload ring
};
Shape shape(const AmHeader& h) noexcept {
  Shape s{};
  s.args_bytes = h.nargs * sizeof(std::uint32_t);
  s.args_outside = h.nargs > kSlotArgs;
  const std::size_t behind_args = round_up(s.args_outside ? 0 : s.args_bytes, 8);
  s.payload_outside = h.length > kSlotBody - behind_args;
  s.payload_at = behind_args;
  if (s.args_outside) s.outside = 16;  // arguments 15 and 16; the payload behind them keeps its alignment
  if (s.payload_outside) {
    s.payload_at = s.outside;
    s.outside += round_up(h.length, 8);
  } else if (s.args_outside) {
    s.payload_outside = h.length != 0;  // the slot is full of arguments
    s.payload_at = s.outside;
    s.outside += round_up(h.length, 8);
  }
  if (s.outside != 0) s.outside = round_up(s.outside, kCacheLine);
  return s;
}

}  // namespace

RingWriter::Place RingWriter::place(std::size_t bytes) const noexcept {
  std::uint64_t start = payload_;
  const std::size_t left = kRingPayload - start % kRingPayload;
  if (bytes > left) start += left;  // keep it in one piece
  return {start, start + bytes};
}

bool RingWriter::fits(const Place& p) noexcept {
  if (slots_ - slots_taken_ < kRingSlots && p.end - payload_taken_ <= kRingPayload) return true;
  slots_taken_ = ring_->slots_taken.load(std::memory_order_acquire);
  payload_taken_ = ring_->payload_taken.load(std::memory_order_acquire);
  return slots_ - slots_taken_ < kRingSlots && p.end - payload_taken_ <= kRingPayload;
}

bool RingWriter::slot_is_free() noexcept { return fits({payload_, payload_}); }

Status RingWriter::push(const AmPacket& packet) noexcept {
  const Shape s = shape(packet.head);
  const Place p = s.outside != 0 ? place(s.outside) : Place{payload_, payload_};
  if (!fits(p)) return Status::kNoResource;

  RingSlot& slot = ring_->slots[slots_ % kRingSlots];
  char* outside = ring_->payload + p.start % kRingPayload;
  if (s.args_outside) {
    std::memcpy(slot.body, packet.args, kSlotBody);
    std::memcpy(outside, packet.args + kSlotArgs, s.args_bytes - kSlotBody);
  } else {
    copy_words(slot.body, packet.args, packet.head.nargs);
  }
  if (packet.head.length != 0) {
    char* to = s.payload_outside ? outside + s.payload_at : reinterpret_cast<char*>(slot.body) + s.payload_at;
    if (packet.prefix_bytes != 0) std::memcpy(to, packet.prefix, packet.prefix_bytes);
    if (packet.body_bytes != 0) std::memcpy(to + packet.prefix_bytes, packet.body, packet.body_bytes);
  }
  payload_ = p.end;
  slot.store(++slots_, packet.head);
  return Status::kOk;
}

AmArrival RingReader::front(Rank source, std::uint8_t channel_flags) noexcept {
  AmArrival a = front_slot(source, channel_flags);
  const Shape s = shape(a.head);
  payload_next_ = payload_;
  char* outside = nullptr;
  if (s.outside != 0) {
    std::uint64_t start = payload_;
    const std::size_t left = kRingPayload - start % kRingPayload;
    if (s.outside > left) start += left;
    outside = ring_->payload + start % kRingPayload;
    payload_next_ = start + s.outside;
  }
  std::uint32_t* const body = next_->body;
  if (s.args_outside) {
    std::memcpy(args_, body, kSlotBody);
    std::memcpy(args_ + kSlotArgs, outside, s.args_bytes - kSlotBody);
    a.args = args_;
  }
  if (a.head.length != 0)
    a.payload = s.payload_outside ? outside + s.payload_at : reinterpret_cast<char*>(body) + s.payload_at;
  return a;
}

void RingReader::publish() noexcept {
  slots_published_ = slots_.load(std::memory_order_relaxed);
  payload_published_ = payload_;
  ring_->payload_taken.store(payload_, std::memory_order_release);
  ring_->slots_taken.store(slots_published_, std::memory_order_release);
}

}  // namespace upcr
