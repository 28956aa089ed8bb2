// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/ring.hpp"

#include "conduits/base/cpu.hpp"

namespace upcr {
namespace {

constexpr std::size_t kSlotBody = sizeof(RingSlot::body);

// Where the payload of a packet is: the same computation on both sides.
struct Shape {
  std::size_t payload_at;  // in the slot's body, when it is not outside
  std::size_t outside;     // bytes in the payload ring
};
Shape shape(const AmHeader& h) noexcept {
  const std::size_t behind_args = round_up(h.nargs * sizeof(std::uint32_t), 8);
  if (h.length <= kSlotBody - behind_args) return {behind_args, 0};
  return {0, round_up(h.length, kCacheLine)};
}
char* place_of(const Shape& s, RingSlot& slot, char* outside) noexcept {
  return s.outside != 0 ? outside : reinterpret_cast<char*>(slot.body) + s.payload_at;
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
  slot.fetch(s.outside != 0 ? packet.head.nargs : (s.payload_at + packet.head.length + 3) / 4);
  if (packet.head.length != 0) {
    char* const to = place_of(s, slot, ring_->payload + p.start % kRingPayload);
    if (packet.prefix_bytes != 0) std::memcpy(to, packet.prefix, packet.prefix_bytes);
    if (packet.body_bytes != 0) std::memcpy(to + packet.prefix_bytes, packet.body, packet.body_bytes);
  }
  slot.set_arguments(packet.args, packet.head.nargs);
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
  if (a.head.length != 0) a.payload = place_of(s, *next_, outside);
  return a;
}

void RingReader::publish() noexcept {
  slots_published_ = slots_.load(std::memory_order_relaxed);
  payload_published_ = payload_;
  ring_->payload_taken.store(payload_, std::memory_order_release);
  ring_->slots_taken.store(slots_published_, std::memory_order_release);
}

}  // namespace upcr
