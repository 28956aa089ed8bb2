// SPDX-License-Identifier: BSD-3-Clause
// A ring of packets from one process to another: single producer, single consumer, in shared memory.
//
// A packet is one slot of two cache lines: 8 bytes {sequence, descriptor}, then the arguments, published by
// one release store of those 8 bytes; the consumer polls the slot itself and never writes slots. A payload
// that fits behind the arguments stays in the slot; a larger one goes to the payload ring beside the slots,
// in order, so no slot contains its position. The consumer publishes its own position every kPublishSlots
// slots or kPublishBytes payload bytes; the producer keeps a copy.
//
// Up to 14 arguments do not touch a slot's second line. Further ones are stored first: if they were stored
// between two stores to the first line, the consumer, which polls that line all the time, would fetch it back
// in between. A producer prefetches the lines before it fills them, since the consumer has them, and a
// consumer that waits prefetches the second line. So both lines are transferred at the same time.
//
// With a payload outside, the slot's lines are prefetched by the producer only when the payload is copied:
// the consumer would fetch them back meanwhile. A consumer that waits also prefetches the lines where the
// next payload will be if it is as long as the last one, so that a short payload arrives together with its
// slot.
//
// With sums (packet_check.hpp) the last word of a slot is the CRC-32C of the whole packet, its sequence
// number included: check() compares it before front() reads the packet.
//
// RingWriter and RingReader are the two private ends. Writers of several threads need a lock outside. This
// header has the code for packets that fit their slot, which takes a few dozen instructions; ring.cpp has the
// code for packets with a payload outside.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/checksum/packet_sums.hpp"
#include "conduits/core/model/am_packet.hpp"

namespace upcr {

inline constexpr std::uint32_t kRingSlots = 256;
inline constexpr unsigned kFirstLineArgs = 14;
inline constexpr std::size_t kRingPayload = 256 * 1024;
inline constexpr std::size_t kMaxPayload = 65536 - 64;  // its length fits 16 bits
inline constexpr std::uint32_t kPublishSlots = 32;
inline constexpr std::size_t kPublishBytes = kRingPayload / 8;

struct alignas(128) RingSlot {
  std::atomic<std::uint64_t> head;
  std::uint32_t body[30];

  std::uint32_t descriptor() const noexcept {
    return static_cast<std::uint32_t>(head.load(std::memory_order_relaxed) >> 32);
  }
  // Prefetches the lines that the head and this number of words behind it will be written to.
  [[gnu::always_inline]] void fetch(std::size_t words) const noexcept {
    if (__builtin_expect(words > kFirstLineArgs, 0)) prefetch_for_writing(body + kFirstLineArgs);
    prefetch_for_writing(&head);
  }
  inline void set_arguments(const std::uint32_t* args, unsigned n) noexcept;
  inline void store(std::uint64_t sequence, AmHeader h) noexcept;
};
static_assert(sizeof(RingSlot) == 128 && sizeof(RingSlot::body) >= kMaxAmArgs * sizeof(std::uint32_t));

// The slot of the packet at this position. Slots that are neighbours in memory are used at moments that are
// far apart: a processor that uses a line prefetches lines around it, and would take those from the other
// process just when it uses them. kSlotStep divides the ring by the golden section, which keeps the multiples
// of a step apart as far as can be (Knuth, TAOCP 3, 6.4: Fibonacci hashing).
inline constexpr std::uint64_t kSlotStep = 99;
inline std::size_t ring_slot(std::uint64_t position) noexcept { return position * kSlotStep % kRingSlots; }
static_assert(kSlotStep % 2 != 0 && (kRingSlots & (kRingSlots - 1)) == 0, "each slot has its turn");

// Zero-filled memory is an empty ring.
struct Ring {
  alignas(64) std::atomic<std::uint64_t> slots_taken;  // by the consumer
  std::atomic<std::uint64_t> payload_taken;
  alignas(128) RingSlot slots[kRingSlots];
  alignas(64) char payload[kRingPayload];
};
inline constexpr std::size_t kRingBytes = sizeof(Ring);
// What a payload takes of the payload ring: its cache lines, and a gap that stays unused. Prefetchers run on
// behind what a processor reads or writes, the farther the longer that is. Without the gap they would take
// lines of the next payload from the other process.
inline constexpr std::size_t payload_room(std::size_t bytes) noexcept {
  constexpr std::size_t kLeastGap = 512, kMostGap = 2048;
  const std::size_t lines = round_up(bytes, kCacheLine);
  return lines + std::clamp(round_up(lines / 2, kCacheLine), kLeastGap, kMostGap);
}
// Consumers prefetch payloads up to this length; longer ones are left to the processor's prefetchers.
inline constexpr std::size_t kMaxExpected = 1024;

// At any position an idle ring has room for a packet of any size: for the largest packet, for the bytes that
// may be skipped at the end of the payload ring to keep it contiguous, and for those that the consumer has
// not published yet.
inline constexpr std::size_t kMaxOutside = 2 * payload_room(kMaxPayload);
static_assert(kRingPayload >= kMaxOutside + kPublishBytes);

// A slot's head: sequence (32), then the descriptor:
//   handler (8) | nargs (5) | flags without the channel (3) | payload bytes (16)
inline std::uint32_t slot_descriptor(AmHeader h) noexcept {
  return h.handler | (std::uint32_t{h.nargs} << 8) | (std::uint32_t{h.flags} >> 1 << 13) | (h.length << 16);
}
inline AmHeader header_of(std::uint32_t descriptor, std::uint8_t channel_flags) noexcept {
  return {static_cast<std::uint8_t>(descriptor), static_cast<std::uint8_t>((descriptor >> 8) & 31),
          static_cast<std::uint8_t>((((descriptor >> 13) & 7) << 1) | channel_flags), 0, descriptor >> 16};
}
static_assert(kAmReply == 1 && kAmInternal == 2 && kAmMedium == 4 && kAmLong == 8);

inline std::uint64_t ring_head(std::uint64_t sequence, AmHeader h) noexcept {
  return (sequence & 0xffffffff) | (std::uint64_t{slot_descriptor(h)} << 32);
}

[[gnu::always_inline]] inline void RingSlot::store(std::uint64_t sequence, AmHeader h) noexcept {
  head.store(ring_head(sequence, h), std::memory_order_release);
}

// Copies up to 16 words as runs that overlap: no loop, no call, no memory besides.
[[gnu::always_inline]] inline void copy_words(std::uint32_t* to, const std::uint32_t* from,
                                              unsigned n) noexcept {
  const auto copy = [&](unsigned at, auto words) {
    std::memcpy(to + at, from + at, decltype(words)::value * sizeof *to);
  };
  constexpr std::integral_constant<unsigned, 4> kFour;
  constexpr std::integral_constant<unsigned, 2> kTwo;
  if (n >= 4) {
    if (n >= 8) {
      copy(4, kFour);
      copy(n - 8, kFour);
    }
    copy(0, kFour);
    copy(n - 4, kFour);
  } else if (n >= 2) {
    copy(0, kTwo);
    copy(n - 2, kTwo);
  } else if (n == 1) {
    *to = *from;
  }
}

[[gnu::always_inline]] inline void RingSlot::set_arguments(const std::uint32_t* args, unsigned n) noexcept {
  if (__builtin_expect(n > kFirstLineArgs, 0)) {
    copy_words(body + kFirstLineArgs, args + kFirstLineArgs, n - kFirstLineArgs);
    std::atomic_signal_fence(std::memory_order_release);  // in this order, see above
    n = kFirstLineArgs;
  }
  copy_words(body, args, n);
}

class RingWriter {
 public:
  void attach(Ring* ring) noexcept { ring_ = ring; }
  // kOk or kNoResource.
  Status push(const AmPacket& packet) noexcept;
  // The same for a packet without payload, which fits its slot. False: there is no room.
  [[gnu::always_inline]] bool push_slot(AmHeader head, const std::uint32_t* args) noexcept {
    if (__builtin_expect(slots_ - slots_taken_ >= kRingSlots, 0)) {
      slots_taken_ = ring_->slots_taken.load(std::memory_order_acquire);
      if (slots_ - slots_taken_ >= kRingSlots) return false;
    }
    RingSlot& slot = ring_->slots[ring_slot(slots_)];
    slot.fetch(head.nargs);
    slot.set_arguments(args, head.nargs);
    ++slots_;
    if (packets_are_watched())
      store_watched(slot, head, nullptr);
    else
      slot.store(slots_, head);
    return true;
  }
  // For a thread that is about to push a packet: fetches the next slot meanwhile.
  [[gnu::always_inline]] void prefetch_slot() const noexcept { ring_->slots[ring_slot(slots_)].fetch(0); }
  // Room for a packet of the largest size?
  bool fits_any() noexcept {
    if (slots_ - slots_taken_ < kRingSlots && payload_ - payload_taken_ <= kRingPayload - kMaxOutside)
      return true;  // wherever in the payload ring it would start
    return fits(payload_range(payload_room(kMaxPayload)));
  }

 private:
  struct PayloadRange {
    std::uint64_t start, end;  // positions in the payload ring
  };
  PayloadRange payload_range(std::size_t bytes) const noexcept;
  bool fits(const PayloadRange& range) noexcept;
  void store_watched(RingSlot& slot, AmHeader head, char* payload) noexcept;

  Ring* ring_ = nullptr;
  std::uint64_t slots_ = 0, payload_ = 0;  // next positions
  std::uint64_t slots_taken_ = 0, payload_taken_ = 0;
};

class RingReader {
 public:
  void attach(Ring* ring) noexcept {
    ring_ = ring;
    next_ = ring->slots;
  }
  // Is there a packet? Any thread; the other functions are for the thread that polls.
  bool ready() const noexcept {
    const std::uint64_t at = slots_.load(std::memory_order_relaxed);
    return holds(ring_->slots[ring_slot(at)], static_cast<std::uint32_t>(at + 1));
  }
  // The same, for the thread that polls.
  [[gnu::always_inline]] bool has_packet() const noexcept { return holds(*next_, sequence_); }
  // For a thread that waits: prefetches lines of the next packet that has_packet() does not read. For the
  // thread that polls.
  [[gnu::always_inline]] void prefetch_next() const noexcept {
    __builtin_prefetch(next_->body + kFirstLineArgs);
    for (std::size_t at = 0; at < expected_bytes_; at += kCacheLine) __builtin_prefetch(expected_ + at);
  }
  // With sums: ends the job when the next packet is corrupted or, where there is none, when its slot holds
  // something that no writer has stored. `conduit`: for the message. For the thread that polls.
  void check(Rank source, std::uint8_t channel_flags, const char* conduit) const noexcept;
  // The next packet; valid until pop(). Only when there is one.
  [[gnu::always_inline]] bool front_fits_slot() const noexcept { return next_->descriptor() < (1u << 16); }
  [[gnu::always_inline]] AmArrival front_slot(Rank source, std::uint8_t channel_flags) noexcept {
    return {source, header_of(next_->descriptor(), channel_flags), next_->body, nullptr};
  }
  AmArrival front(Rank source, std::uint8_t channel_flags) noexcept;
  [[gnu::always_inline]] void pop() noexcept {
    const std::uint64_t slots = slots_.load(std::memory_order_relaxed) + 1;
    slots_.store(slots, std::memory_order_relaxed);
    next_ = ring_->slots + ring_slot(slots);
    ++sequence_;
    payload_ = payload_next_;
    if (slots - slots_published_ >= kPublishSlots || payload_ - payload_published_ >= kPublishBytes)
      publish();
  }

 private:
  static bool holds(const RingSlot& slot, std::uint32_t sequence) noexcept {
    return static_cast<std::uint32_t>(slot.head.load(std::memory_order_acquire)) == sequence;
  }
  void publish() noexcept;
  void expect(std::size_t bytes, std::size_t room) noexcept;

  RingSlot* next_ = nullptr;    // the next slot, and
  std::uint32_t sequence_ = 1;  // the sequence number of its head when it holds a packet
  Ring* ring_ = nullptr;
  std::atomic<std::uint64_t> slots_{0};  // next position; written by the polling thread only
  std::uint64_t payload_ = 0;
  std::uint64_t payload_next_ = 0;  // payload_ after the packet that front() gave
  std::uint64_t slots_published_ = 0, payload_published_ = 0;
  // Where the next payload will be if it has this length; 0: none is expected.
  const char* expected_ = nullptr;
  std::size_t expected_bytes_ = 0;
};

}  // namespace upcr
