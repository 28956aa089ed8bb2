// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/smp/ring.hpp"

#include <cstring>

#include "conduits/base/cpu.hpp"

namespace upcr {
namespace {

constexpr unsigned kSlotArgs = 14;
constexpr std::size_t kSlotBody = sizeof(RingSlot::body);

// head = sequence (32) | handler (8) | nargs (5) | flags without the channel (3) | payload bytes (16)
std::uint64_t encode(std::uint32_t sequence, const AmHeader& h) noexcept {
  const std::uint64_t what = h.handler | (std::uint64_t{h.nargs} << 8) |
                             (std::uint64_t{static_cast<std::uint8_t>(h.flags >> 1)} << 13) |
                             (std::uint64_t{h.length} << 16);
  return sequence | (what << 32);
}
AmHeader decode(std::uint64_t head, std::uint8_t channel_flags) noexcept {
  const auto what = static_cast<std::uint32_t>(head >> 32);
  return {static_cast<std::uint8_t>(what), static_cast<std::uint8_t>((what >> 8) & 31),
          static_cast<std::uint8_t>((((what >> 13) & 7) << 1) | channel_flags), 0, what >> 16};
}
static_assert(kAmReply == 1 && kAmInternal == 2 && kAmMedium == 4 && kAmLong == 8);

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

bool RingWriter::fits_any() noexcept { return fits(place(kMaxPayload + kCacheLine)); }

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
    for (unsigned i = 0; i < packet.head.nargs; ++i) slot.body[i] = packet.args[i];
  }
  if (packet.head.length != 0) {
    char* to = s.payload_outside ? outside + s.payload_at : reinterpret_cast<char*>(slot.body) + s.payload_at;
    if (packet.prefix_bytes != 0) std::memcpy(to, packet.prefix, packet.prefix_bytes);
    if (packet.body_bytes != 0) std::memcpy(to + packet.prefix_bytes, packet.body, packet.body_bytes);
  }
  payload_ = p.end;
  slot.head.store(encode(static_cast<std::uint32_t>(slots_ + 1), packet.head), std::memory_order_release);
  ++slots_;
  return Status::kOk;
}

AmArrival RingReader::front(Rank source, std::uint8_t channel_flags) noexcept {
  RingSlot& slot = ring_->slots[slots_.load(std::memory_order_relaxed) % kRingSlots];
  AmArrival a{source, decode(slot.head.load(std::memory_order_relaxed), channel_flags), slot.body, nullptr};
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
  if (s.args_outside) {
    std::memcpy(args_, slot.body, kSlotBody);
    std::memcpy(args_ + kSlotArgs, outside, s.args_bytes - kSlotBody);
    a.args = args_;
  }
  if (a.head.length != 0)
    a.payload =
        s.payload_outside ? outside + s.payload_at : reinterpret_cast<char*>(slot.body) + s.payload_at;
  return a;
}

void RingReader::pop() noexcept {
  const std::uint64_t slots = slots_.load(std::memory_order_relaxed) + 1;
  slots_.store(slots, std::memory_order_relaxed);
  payload_ = payload_next_;
  if (slots - slots_published_ < kPublishSlots && payload_ - payload_published_ < kPublishBytes) return;
  slots_published_ = slots;
  payload_published_ = payload_;
  ring_->payload_taken.store(payload_, std::memory_order_release);
  ring_->slots_taken.store(slots, std::memory_order_release);
}

}  // namespace upcr
