// SPDX-License-Identifier: BSD-3-Clause
// The start of each thread's segment, where no object of the program is.
//
//   null page      Not mapped. A null pointer-to-shared leads here, and so does a small offset. (Offsets
//                  0 and 1 are nobody's address, which null and UPCR_INITIALIZED_* rely on.)
//   RuntimeArea    What peers must reach by ordinary remote access, on every conduit. The initial state of
//                  every member is zero, which is what start-up leaves here.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "upcr/pointer/pointer.hpp"

namespace upcr {

// A waiter's (or holder's) place in the queue of one lock: see lock.cpp. Begins as upcr_lock_link_t.
struct alignas(64) LockNode {
  std::atomic<std::uint64_t> next;   // packed address of the successor's node; 0: none known
  std::atomic<std::uint64_t> state;  // LockNodeState
  std::uint64_t unused[6];
};
static_assert(sizeof(LockNode) == 64);

// What small_broadcast() leaves at every thread: see small_broadcast.cpp.
struct alignas(32) Mailbox {
  std::atomic<std::uint64_t> words[2];
  std::atomic<std::uint64_t> sequence;  // number of the collective, counted from 1, whose words these are
  std::uint64_t unused;
};
static_assert(sizeof(Mailbox) == 32);

inline constexpr unsigned kMailboxes = 16;
inline constexpr unsigned kFirstLockNodes = 32;

struct RuntimeArea {
  // How far both heaps reach in this segment: see heap/water_mark.hpp. Changed by compare-and-swap.
  alignas(64) std::atomic<std::uint64_t> water_marks;

  // What upcr_heap_p points to (include/upcr/gmem_heap.h): this thread's local heap; on thread 0 the global
  // one. Only their addresses mean something.
  struct alignas(64) HeapName {
    std::uint64_t words[8];
  } heaps[2];

  // Small collectives. On every thread: how many epochs are over everywhere. On thread 0 only: arrivals.
  alignas(64) std::atomic<std::uint64_t> epochs_done;
  std::atomic<std::uint64_t>
      root_ended;  // 1 + how many such calls thread 0 made in its program, once it is over
  alignas(64) std::atomic<std::uint64_t> epoch_arrivals[2];
  std::atomic<std::uint64_t> arrivals[kMailboxes];
  Mailbox mailboxes[kMailboxes];

  LockNode lock_nodes[kFirstLockNodes];
};
inline constexpr std::size_t kNullPageBytes = UPCR_PAGESIZE, kRuntimeAreaBytes = UPCR_PAGESIZE;
inline constexpr std::size_t kFirstObjectOffset = kNullPageBytes + kRuntimeAreaBytes;
static_assert(sizeof(RuntimeArea) <= kRuntimeAreaBytes);

// The area in a segment that is mapped here.
inline RuntimeArea* area_in(char* segment) noexcept {
  return reinterpret_cast<RuntimeArea*>(segment + kNullPageBytes);
}
// The address of a member: area_address(thread, offsetof(RuntimeArea, water_marks)).
inline SharedAddr area_address(Slot thread, std::size_t member_offset) noexcept {
  return {thread, kNullPageBytes + member_offset};
}
// The area of a thread whose segment is mapped here.
inline RuntimeArea* mapped_area(Slot thread) noexcept {
  return area_in(reinterpret_cast<char*>(job().segments.mapped[thread]));
}

}  // namespace upcr
