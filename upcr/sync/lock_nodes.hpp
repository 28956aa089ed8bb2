// SPDX-License-Identifier: BSD-3-Clause
// The queue nodes of one UPC thread, and which locks it holds, or asks for, with them. Used by its own thread
// only; the nodes themselves are in its segment, where its peers write to them.
//
// Two ways. Each of the first kEntries nodes belongs to a place, and a lock's address says which place is its
// own: while that is empty, taking and finding a node is a comparison. A lock whose place another lock has
// taken gets one of the other nodes, and is found in a table.
//
// A node that is in no queue has no successor and the state kLockGranted: so is it when its thread has the
// lock and nobody else wants it, and then taking the lock and releasing it leave the node as it is.
#pragma once
#include <cstdint>
#include <vector>

#include "include/upcr/gmem_lock.h"
#include "upcr/segment/runtime_area.hpp"
#include "upcr/sync/lock_node_cache.hpp"

namespace upcr {

enum LockNodeState : std::uint64_t {
  kLockWaiting = UPCR_LOCK_NO_SIGNAL,
  kLockGranted = UPCR_LOCK_SIGNAL,
  kLockFreed = 2,  // somebody freed the lock: it is held no more, and will not be granted
};

class LockNodes {
 public:
  LockNodes(LockNodeCache& places, Slot thread, char* segment);

  // A node to ask for the lock with; from now on it is the lock's, until drop(). nullptr when the lock has
  // one: the thread holds it. May take memory from the thread's heap.
  LockNode* take(std::uint64_t lock);
  // The node with which the thread holds the lock; nullptr when it does not. A lock that was freed while it
  // was held is held no more (and forgotten).
  LockNode* held(std::uint64_t lock);
  // The lock is not held, or no more: its node is in no queue.
  void drop(std::uint64_t lock, LockNode* node);

  // Of a lock that was dropped and whose place is empty: LockNodeCache::take() fails for it, take() does not.
  // It is for locks that others want, too.
  void expect_contention(std::uint64_t lock) {
    if (std::uint64_t& in = places_.locks[LockNodeCache::place(lock)]; in == 0) in = kContended;
  }

  // The mapped node, or nullptr, of the thread before the calling one in the queue that `node` was last in;
  // the node itself when there was none, or when `node` has no place.
  void note_predecessor(const LockNode* node, const void* there) {
    const auto i = static_cast<std::size_t>(node - places_.first);
    if (i < LockNodeCache::kEntries) predecessors_[i] = there != nullptr ? there : node;
  }
  const void* neighbour(const LockNode* node) const {
    const auto i = static_cast<std::size_t>(node - places_.first);
    return i < LockNodeCache::kEntries && predecessors_[i] != nullptr ? predecessors_[i] : node;
  }

  // As pack(); a node's address is never null.
  std::uint64_t address(const LockNode* node) const {
    return base_ + static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(node));
  }

  static bool freed(const LockNode* node) {
    return node->state.load(std::memory_order_acquire) == kLockFreed;
  }

 private:
  static constexpr std::uint64_t kContended =
      ~std::uint64_t{0};  // in an empty place: see expect_contention()
  struct Entry {
    std::uint64_t lock = 0;  // packed address; 0: empty
    LockNode* node = nullptr;
  };
  std::size_t find(std::uint64_t lock) const;
  void add_nodes(LockNode* first, std::size_t n);
  void insert(std::uint64_t lock, LockNode* node);
  void release_freed();

  LockNodeCache& places_;
  const void* predecessors_[LockNodeCache::kEntries] = {};
  std::uint64_t base_;  // what makes a node's address here a packed one
  char* segment_;
  std::vector<LockNode*> free_;  // of the others
  std::vector<Entry> table_;     // open addressing, a power of two, at most half full
  std::size_t total_ = 0;        // nodes without places
};

}  // namespace upcr
