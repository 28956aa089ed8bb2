// SPDX-License-Identifier: BSD-3-Clause
// A direct-mapped cache of MCS nodes (lock_nodes.hpp): acquiring and releasing a lock without contention uses
// nothing else of them. It is thread-local itself, because each pointer to follow before a locked instruction
// counts, and aligned, so that fewer of its cache lines are used.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/base/system/cpu.hpp"

namespace upcr {

struct LockNode;

struct alignas(kCacheLine) LockNodeCache {
  static constexpr unsigned kBits = 4;
  static constexpr std::size_t kEntries = 1 << kBits;

  static std::uint64_t mix(std::uint64_t lock) { return lock * 0x9E3779B97F4A7C15u; }
  static std::size_t index_of(std::uint64_t lock) { return mix(lock) >> (64 - kBits); }

  // Assigns entry `i` to the lock; false if the entry is in use or the lock may have a node outside the
  // cache.
  bool claim(std::size_t i, std::uint64_t lock) {
    if (locks[i] != 0 || uncached != 0) return false;
    locks[i] = lock;
    return true;
  }
  // Does entry `i` belong to the lock? The lock may have been freed meanwhile.
  bool holds(std::size_t i, std::uint64_t lock) const { return locks[i] == lock; }
  // The words of the entry's node must be as claim() found them.
  void release(std::size_t i) { locks[i] = 0; }

  std::uint64_t locks[kEntries] = {};  // keys of locks (lock.cpp); 0: empty
  // How many locks the thread holds, or waits for, with nodes outside the cache. One more if the cache is not
  // to be used: on a thread that is not a UPC thread, and while operations are observed.
  std::size_t uncached = 1;
  LockNode* first = nullptr;        // the entries' nodes
  std::uint64_t first_address = 0;  // its packed address
};

// The calling thread's.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local LockNodeCache lock_node_cache;

}  // namespace upcr
