// SPDX-License-Identifier: BSD-3-Clause
// A ring of packets from one process to another: single producer, single consumer, in shared memory.
//
// A packet is one 64-byte slot: 8 bytes {sequence, what}, then up to 14 arguments, published by one release
// store of those 8 bytes; the consumer polls the slot itself and never writes slots. What does not fit the
// slot (arguments 15 and 16, a payload) goes to the payload ring beside it, in order, so that no slot says
// where. A payload that fits behind the arguments stays in the slot. The consumer publishes its position
// every kPublishSlots slots or kPublishBytes payload bytes; the producer keeps a copy.
//
// RingWriter and RingReader are the two private ends. Writers of several threads need a lock outside.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "conduits/base/status.hpp"
#include "conduits/core/am_packet.hpp"

namespace upcr {

inline constexpr std::uint32_t kRingSlots = 256;
inline constexpr std::size_t kRingPayload = 256 * 1024;
inline constexpr std::size_t kMaxPayload = 65536 - 64;  // its length fits 16 bits
inline constexpr std::uint32_t kPublishSlots = 32;
inline constexpr std::size_t kPublishBytes = kRingPayload / 8;

struct alignas(64) RingSlot {
  std::atomic<std::uint64_t> head;
  std::uint32_t body[14];
};
static_assert(sizeof(RingSlot) == 64);

// Zero-filled memory is an empty ring.
struct Ring {
  alignas(64) std::atomic<std::uint64_t> slots_taken;  // by the consumer
  std::atomic<std::uint64_t> payload_taken;
  alignas(64) RingSlot slots[kRingSlots];
  alignas(64) char payload[kRingPayload];
};
inline constexpr std::size_t kRingBytes = sizeof(Ring);
// Whatever the positions, an idle ring takes a packet of any size: the largest one, what may be skipped at
// the end of the payload ring to keep it in one piece, and what the consumer has not published yet.
static_assert(kRingPayload >= 2 * (kMaxPayload + 64) + kPublishBytes);

class RingWriter {
 public:
  void attach(Ring* ring) noexcept { ring_ = ring; }
  // kOk or kNoResource.
  Status push(const AmPacket& packet) noexcept;
  // Room for a packet of the largest size?
  bool fits_any() noexcept;

 private:
  struct Place {
    std::uint64_t start, end;  // positions in the payload ring
  };
  Place place(std::size_t bytes) const noexcept;
  bool fits(const Place& place) noexcept;

  Ring* ring_ = nullptr;
  std::uint64_t slots_ = 0, payload_ = 0;  // next positions
  std::uint64_t slots_taken_ = 0, payload_taken_ = 0;
};

class RingReader {
 public:
  void attach(Ring* ring) noexcept { ring_ = ring; }
  // Any thread; the others are for the one that polls.
  bool ready() const noexcept {
    const std::uint64_t at = slots_.load(std::memory_order_relaxed);
    const std::uint64_t head = ring_->slots[at % kRingSlots].head.load(std::memory_order_acquire);
    return static_cast<std::uint32_t>(head) == static_cast<std::uint32_t>(at + 1);
  }
  // The next packet; valid until pop(). Only when ready().
  AmArrival front(Rank source, std::uint8_t channel_flags) noexcept;
  void pop() noexcept;

 private:
  Ring* ring_ = nullptr;
  std::atomic<std::uint64_t> slots_{0};  // next position; written by the polling thread only
  std::uint64_t payload_ = 0;
  std::uint64_t slots_published_ = 0, payload_published_ = 0;
  std::uint64_t payload_next_ = 0;             // payload_ after the packet that front() gave
  alignas(8) std::uint32_t args_[kMaxAmArgs];  // packets of 15 or 16 arguments are put together here
};

}  // namespace upcr
