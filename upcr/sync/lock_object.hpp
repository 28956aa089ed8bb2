// SPDX-License-Identifier: BSD-3-Clause
// The words of a lock and of its queue's nodes in shared memory, for lock.cpp, which describes them, and
// lock_alloc.cpp.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "include/upcr/gmem_lock.h"
#include "upcr/access/data.hpp"
#include "upcr/segment/runtime_area.hpp"

namespace upcr {

// Begins as upcr_lock_t, which programs may read.
struct alignas(64) LockObject {
  std::atomic<std::uint64_t> tail;    // packed address of the queue's last node; 0: free; kLockClosed
  std::atomic<std::uint64_t> holder;  // debug: packed address of the holder's node, else 0
  std::atomic<std::uint64_t> magic;   // kLockMagic while it is a lock
};
static_assert(offsetof(LockObject, tail) == offsetof(upcr_lock_t, last) &&
              offsetof(LockObject, holder) == offsetof(upcr_lock_t, owner_link));
static_assert(offsetof(LockNode, next) == offsetof(upcr_lock_link_t, next) &&
              offsetof(LockNode, state) == offsetof(upcr_lock_link_t, signal));

inline constexpr std::uint64_t kLockClosed = ~std::uint64_t{0};
inline constexpr std::uint64_t kLockMagic = 0x75706372206c636b;  // a value that memory is unlikely to hold

// The addresses of a node's words.
inline SharedAddr next_of(SharedAddr node) { return {node.thread, node.offset + offsetof(LockNode, next)}; }
inline SharedAddr state_of(SharedAddr node) { return {node.thread, node.offset + offsetof(LockNode, state)}; }

// Stores into a node's word and wakes its thread, which may sleep until then.
inline void store_and_ring(SharedAddr word, std::uint64_t value) {
  if (void* at = mapped(word); at != nullptr)
    static_cast<std::atomic<std::uint64_t>*>(at)->store(value, std::memory_order_release);
  else
    put_word(word, value);
  ring(word.thread);
}

}  // namespace upcr
