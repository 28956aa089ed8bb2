// SPDX-License-Identifier: BSD-3-Clause
// The MCS nodes of one UPC thread, and the locks that it holds or waits for with them. Used by its own thread
// only; the nodes themselves are in its segment, where its peers write to them.
//
// Each of the first nodes belongs to an entry of a cache, which inlined code uses too (include/upcr/
// lock_rep.h), indexed by a hash of the lock's key. A lock whose entry is used by another lock that the
// thread holds gets one of the other nodes, which is found in a hash table.
//
// A node that is in no queue has no successor. Its state is kLockGranted where its next lock is expected to
// be free: so acquiring and releasing a lock without contention leave the node as it is.
#pragma once
#include <cstdint>
#include <vector>

#include "include/upcr/gmem_lock.h"
#include "include/upcr/lock_rep.h"
#include "upcr/segment/runtime_area.hpp"

namespace upcr {

enum LockNodeState : std::uint64_t {
  kLockWaiting = UPCR_LOCK_NO_SIGNAL,
  kLockGranted = UPCR_LOCK_SIGNAL,
  kLockFreed = 2,  // the lock was freed: it is not held any more and will not be granted
};

using LockEntry = upcri_lock_entry;

class LockNodes {
 public:
  static constexpr std::size_t kEntries = std::size_t{1} << UPCRI_LOCK_ENTRY_BITS;

  // `entries`: the thread's cache. `cached`: it is used.
  LockNodes(LockEntry* entries, Slot thread, char* segment, bool cached = true);

  // ---- entries of the cache, for locks in it ----

  static LockEntry& entry_of(std::uint64_t lock) { return upcri_lock_entries[upcri_lock_index(lock)]; }
  // Has the thread acquired the lock with the entry's node? The lock may have been freed meanwhile.
  static bool holds(const LockEntry& entry, std::uint64_t lock) {
    return entry.lock == lock + UPCRI_LOCK_HELD || entry.lock == lock + UPCRI_LOCK_QUEUED;
  }
  static bool idle(const LockEntry& entry) { return (entry.lock & kStates) == UPCRI_LOCK_IDLE; }
  static LockNode* node_of(const LockEntry& entry) { return static_cast<LockNode*>(entry.node); }

  // ---- any lock ----

  // A node for the lock, until it is released. nullptr if the lock has one: the thread holds it. May
  // allocate from the thread's local heap.
  LockNode* acquire_node(std::uint64_t lock);
  // The node with which the thread holds the lock; nullptr if it does not. A lock that was freed while the
  // thread held it is not held any more, and its node is released.
  LockNode* held_node(std::uint64_t lock);
  // The same for locks outside the cache alone.
  LockNode* held_outside(std::uint64_t lock);
  // The lock, whose first word is mapped at `last`, was acquired without contention: inlined code may release
  // it, if its node is in the cache.
  void note_uncontended(std::uint64_t lock, const LockNode* node, std::uint64_t* last);
  // Releases the lock's node, which is in no queue (any more).
  void release_node(std::uint64_t lock, LockNode* node);
  // The same after pass_on(), with the state kLockWaiting. The next acquisition, likely to be contended, does
  // not use the fast path, which acquires a lock before it prepares the node for waiting. `last`: as above;
  // nullptr if it is not mapped.
  void release_contended(std::uint64_t lock, LockNode* node, std::uint64_t* last);

  // The node's packed address, which is never null.
  std::uint64_t address(const LockNode* node) const {
    return base_ + static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(node));
  }

  static bool freed(const LockNode* node) {
    return node->state.load(std::memory_order_acquire) == kLockFreed;
  }

 private:
  static constexpr std::uint64_t kStates = 3;
  // Of an entry without a lock. The key is of none, since it is in the reserved page.
  static constexpr std::uint64_t kNoLock = 64;
  struct Entry {
    std::uint64_t lock = 0;  // key; 0: empty
    LockNode* node = nullptr;
  };
  std::size_t find(std::uint64_t lock) const;
  void add_nodes(LockNode* first, std::size_t n);
  void insert(std::uint64_t lock, LockNode* node);
  void remove(std::uint64_t lock, LockNode* node);
  void release_freed();

  const bool cached_;
  std::uint64_t base_;  // packed address of a node minus its address here
  char* segment_;
  std::vector<LockNode*> free_;  // outside the cache
  std::vector<Entry> table_;     // of locks outside it: open addressing, a power of two, at most half full
  std::size_t total_ = 0;        // nodes outside the cache
  std::size_t outside_ = 0;      // locks in the table
};

}  // namespace upcr
