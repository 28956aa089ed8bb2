// SPDX-License-Identifier: BSD-3-Clause
// The first two pages of each thread's segment, which hold no object of the program.
//
//   reserved page  Not mapped. Null pointers-to-shared and small offsets lead here. (No object has offset 0
//                  or 1, which null and UPCR_INITIALIZED_* rely on.)
//   RuntimeArea    The words that peers access by ordinary remote access, on every conduit. The initial state
//                  of every member is zero, as start-up leaves the page.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "upcr/pointer/pointer.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {

// A node of an MCS lock's queue, of a thread that waits for the lock or holds it: see lock.cpp. Begins as
// upcr_lock_link_t.
struct alignas(64) LockNode {
  std::atomic<std::uint64_t> next;   // packed address of the successor's node; 0: none known
  std::atomic<std::uint64_t> state;  // LockNodeState
  // The successor's node if its thread watches this one: see lock_handover.hpp.
  std::atomic<std::uint64_t> watcher;
  std::uint64_t unused[5];
};
static_assert(sizeof(LockNode) == 64);

// The words of one small_broadcast(): see small_broadcast.cpp.
struct alignas(32) Mailbox {
  std::atomic<std::uint64_t> words[2];
  std::atomic<std::uint64_t> sequence;  // number of the collective, counted from 1, whose words these are
  std::uint64_t unused;
};
static_assert(sizeof(Mailbox) == 32);

inline constexpr unsigned kMailboxes = 16;
inline constexpr unsigned kFirstLockNodes = 32;

struct RuntimeArea {
  // The ends of both heaps in this segment: see heap/water_mark.hpp. Changed by compare-and-swap.
  alignas(64) std::atomic<std::uint64_t> water_marks;

  // The targets of upcr_heap_p (include/upcr/gmem_heap.h): this thread's local heap; on thread 0 the global
  // heap. Only their addresses are used.
  struct alignas(64) HeapName {
    std::uint64_t words[8];
  } heaps[2];

  // Small collectives. On every thread: the number of epochs that are over everywhere. On thread 0 only:
  // counts of arrivals.
  alignas(64) std::atomic<std::uint64_t> epochs_done;
  std::atomic<std::uint64_t> root_ended;  // not 0 once thread 0's program is over
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
