// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/transport/rings/ring.hpp"

#include <algorithm>
#include <string>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/crc32c.hpp"
#include "conduits/core/checksum/packet_check.hpp"

namespace upcr {
namespace {

constexpr std::size_t kSlotBody = sizeof(RingSlot::body);
// With sums: the slot's last word.
constexpr std::size_t kSumWord = kSlotBody / sizeof(std::uint32_t) - 1;

inline std::size_t room_in_slot() noexcept {
  return packet_sums() ? kSumWord * sizeof(std::uint32_t) / 8 * 8 : kSlotBody;
}

// The position of a packet's payload: the same computation on both sides.
struct Layout {
  std::size_t payload_at;  // in the slot's body, when it is not outside
  std::size_t outside;     // its room in the payload ring, when it is
};
Layout layout(const AmHeader& h) noexcept {
  const std::size_t behind_args = round_up(h.nargs * sizeof(std::uint32_t), 8);
  if (h.length <= room_in_slot() - behind_args) return {behind_args, 0};
  return {0, payload_room(h.length)};
}
char* payload_address(const Layout& s, RingSlot& slot, char* outside) noexcept {
  return s.outside != 0 ? outside : reinterpret_cast<char*>(slot.body) + s.payload_at;
}

// Where a payload that takes so much room starts if the one before it ends at `position`: it is contiguous.
std::uint64_t start_outside(std::uint64_t position, std::size_t room) noexcept {
  const std::size_t left = kRingPayload - position % kRingPayload;
  return room > left ? position + left : position;
}

}  // namespace

RingWriter::PayloadRange RingWriter::payload_range(std::size_t bytes) const noexcept {
  const std::uint64_t start = start_outside(payload_, bytes);
  return {start, start + bytes};
}

bool RingWriter::fits(const PayloadRange& p) noexcept {
  if (slots_ - slots_taken_ < kRingSlots && p.end - payload_taken_ <= kRingPayload) return true;
  slots_taken_ = ring_->slots_taken.load(std::memory_order_acquire);
  payload_taken_ = ring_->payload_taken.load(std::memory_order_acquire);
  return slots_ - slots_taken_ < kRingSlots && p.end - payload_taken_ <= kRingPayload;
}

Status RingWriter::push(const AmPacket& packet) noexcept {
  const Layout s = layout(packet.head);
  const PayloadRange p = s.outside != 0 ? payload_range(s.outside) : PayloadRange{payload_, payload_};
  if (!fits(p)) return Status::kNoResource;

  RingSlot& slot = ring_->slots[ring_slot(slots_)];
  if (s.outside == 0) slot.fetch((s.payload_at + packet.head.length + 3) / 4);
  if (packet.head.length != 0) {
    char* const to = payload_address(s, slot, ring_->payload + p.start % kRingPayload);
    if (packet.prefix_bytes != 0) std::memcpy(to, packet.prefix, packet.prefix_bytes);
    if (packet.body_bytes != 0) std::memcpy(to + packet.prefix_bytes, packet.body, packet.body_bytes);
  }
  if (s.outside != 0) slot.fetch(packet.head.nargs);
  slot.set_arguments(packet.args, packet.head.nargs);
  payload_ = p.end;
  ++slots_;
  if (packets_are_watched())
    store_watched(slot, packet.head, payload_address(s, slot, ring_->payload + p.start % kRingPayload));
  else
    slot.store(slots_, packet.head);
  return Status::kOk;
}

// The next payload may be as long as this one.
inline void RingReader::expect(std::size_t bytes, std::size_t room) noexcept {
  expected_ = ring_->payload + start_outside(payload_next_, room) % kRingPayload;
  expected_bytes_ = bytes <= kMaxExpected ? bytes : 0;
}

AmArrival RingReader::front(Rank source, std::uint8_t channel_flags) noexcept {
  AmArrival a = front_slot(source, channel_flags);
  const Layout s = layout(a.head);
  payload_next_ = payload_;
  char* outside = nullptr;
  if (s.outside != 0) {
    const std::uint64_t start = start_outside(payload_, s.outside);
    outside = ring_->payload + start % kRingPayload;
    payload_next_ = start + s.outside;
    expect(a.head.length, s.outside);
  }
  if (a.head.length != 0) a.payload = payload_address(s, *next_, outside);
  return a;
}

#if defined(UPCR_DEBUG) && UPCR_DEBUG

namespace {

std::uint32_t sum_of(std::uint64_t head, const RingSlot& slot, AmHeader h, const char* payload) noexcept {
  std::uint32_t sum = crc32c(0, &head, sizeof head);
  sum = crc32c(sum, slot.body, h.nargs * sizeof *slot.body);
  return crc32c(sum, payload, h.length);
}

}  // namespace

// Publishes a packet that has been written: with its sum, and with a bit flipped if a test has scheduled
// that. The packet's bits are those of the head, the arguments, the payload and the sum.
void RingWriter::store_watched(RingSlot& slot, AmHeader h, char* payload) noexcept {
  std::uint64_t head = ring_head(slots_, h);
  const std::size_t args = h.nargs * sizeof *slot.body, sum = packet_sums() ? kPacketSumBytes : 0;
  if (packet_sums()) slot.body[kSumWord] = sum_of(head, slot, h, payload);
  if (std::size_t bit; packet_flip_due(8 * (sizeof head + args + h.length + sum), &bit)) {
    const auto flipped = static_cast<char>(1u << bit % 8);
    const std::size_t byte = bit / 8;
    if (byte < sizeof head)
      head ^= std::uint64_t{1} << bit;
    else if (byte < sizeof head + args)
      reinterpret_cast<char*>(slot.body)[byte - sizeof head] ^= flipped;
    else if (byte < sizeof head + args + h.length)
      payload[byte - sizeof head - args] ^= flipped;
    else
      reinterpret_cast<char*>(slot.body + kSumWord)[byte - sizeof head - args - h.length] ^= flipped;
  }
  slot.head.store(head, std::memory_order_release);
}

void RingReader::check(Rank source, std::uint8_t channel_flags, const char* conduit) const noexcept {
  const std::uint64_t head = next_->head.load(std::memory_order_acquire);
  const auto sequence = static_cast<std::uint32_t>(head);
  if (sequence != sequence_) {
    // No packet has arrived: this slot and those behind it are as the writer left them one round ago. (A
    // packet whose sequence number was corrupted into that round's is found when another one follows.)
    const bool first_round = slots_.load(std::memory_order_relaxed) < kRingSlots;
    const std::uint32_t before = first_round ? 0 : sequence_ - kRingSlots;
    const RingSlot& behind = ring_->slots[ring_slot(slots_.load(std::memory_order_relaxed) + 1)];
    if (sequence == before && (!holds(behind, sequence_ + 1) || holds(*next_, sequence_))) return;
    fatal(
        "a corrupted packet arrived from rank %u at rank %u by conduit %s: its slot in the ring of %s has "
        "sequence number %u instead of %u; nothing of it was used. %s",
        source, packet_sums_state.rank, conduit, channel_flags != 0 ? "replies" : "requests", sequence,
        sequence_, kCorruptionCure);
  }
  // The head may be wrong: nothing is read outside the slot and the ring.
  AmHeader h = header_of(static_cast<std::uint32_t>(head >> 32), channel_flags);
  const AmHeader claimed = h;
  h.nargs = std::min<std::uint8_t>(h.nargs, kMaxAmArgs);
  const Layout s = layout(h);
  char* const outside = ring_->payload + start_outside(payload_, s.outside) % kRingPayload;
  const std::uint32_t expected = sum_of(head, *next_, h, payload_address(s, *next_, outside));
  if (const std::uint32_t found = next_->body[kSumWord]; found != expected)
    report_corrupted_packet(source, conduit, describe_message(claimed),
                            sizeof head + h.nargs * sizeof *next_->body + h.length, expected, found);
}

#else

void RingWriter::store_watched(RingSlot& slot, AmHeader head, char*) noexcept { slot.store(slots_, head); }
void RingReader::check(Rank, std::uint8_t, const char*) const noexcept {}

#endif

void RingReader::publish() noexcept {
  if (payload_ == payload_published_) expected_bytes_ = 0;  // none of the latest packets had one
  slots_published_ = slots_.load(std::memory_order_relaxed);
  payload_published_ = payload_;
  ring_->payload_taken.store(payload_, std::memory_order_release);
  ring_->slots_taken.store(slots_published_, std::memory_order_release);
}

}  // namespace upcr
