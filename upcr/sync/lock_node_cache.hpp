// SPDX-License-Identifier: BSD-3-Clause
// A direct-mapped cache of MCS nodes (lock_nodes.hpp): acquiring and releasing a lock without contention uses
// nothing else of them. It is thread-local itself, because each pointer to follow before a locked instruction
// counts.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr {

struct LockNode;

struct LockNodeCache {
  static constexpr unsigned kBits = 4;
  static constexpr std::size_t kEntries = 1 << kBits;

  static std::uint64_t mix(std::uint64_t lock) { return lock * 0x9E3779B97F4A7C15u; }
  static std::size_t place(std::uint64_t lock) { return mix(lock) >> (64 - kBits); }

  // The place is the lock's now; false when that may be otherwise.
  bool take(std::size_t i, std::uint64_t lock) {
    if (locks[i] != 0 || elsewhere != 0) return false;
    locks[i] = lock;
    return true;
  }
  // Is the lock there? It may have been freed meanwhile.
  bool has(std::size_t i, std::uint64_t lock) const { return locks[i] == lock; }
  // The words of its node are as take() found them.
  void leave(std::size_t i) { locks[i] = 0; }

  std::uint64_t locks[kEntries] = {};  // names of locks (lock.cpp); 0: empty
  // Locks that the thread holds, or asks for, without a place. Not 0 on a thread that is no UPC thread, so
  // that it gets no place.
  std::size_t elsewhere = 1;
  LockNode* first = nullptr;        // the places' nodes
  std::uint64_t first_address = 0;  // as pack()
};

// The calling thread's.
extern __thread LockNodeCache lock_node_cache __attribute__((tls_model("initial-exec")));

}  // namespace upcr
