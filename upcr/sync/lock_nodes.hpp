// SPDX-License-Identifier: BSD-3-Clause
// The MCS nodes of one UPC thread, and the locks that it holds or waits for with them. Used by its own thread
// only; the nodes themselves are in its segment, where its peers write to them.
//
// Each of the first kEntries nodes belongs to an entry of a cache that is indexed by a hash of the lock's
// address: while the entry is empty, getting and finding a node is a comparison. A lock whose entry is used
// by another lock gets one of the other nodes, which is found in a hash table.
//
// A node that is in no queue has no successor and the state kLockGranted. A node is the same while its thread
// holds the lock without contention, so acquiring and releasing such a lock leave the node as it is.
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
  kLockFreed = 2,  // the lock was freed: it is not held any more and will not be granted
};

class LockNodes {
 public:
  // `cached`: the nodes of the cache are used.
  LockNodes(LockNodeCache& cache, Slot thread, char* segment, bool cached = true);

  // A node for the lock, until release_node(). nullptr if the lock has one: the thread holds it. May allocate
  // from the thread's local heap.
  LockNode* acquire_node(std::uint64_t lock);
  // The node with which the thread holds the lock; nullptr if it does not. A lock that was freed while the
  // thread held it is not held any more, and its node is released.
  LockNode* held_node(std::uint64_t lock);
  // Releases the lock's node, which is in no queue (any more).
  void release_node(std::uint64_t lock, LockNode* node);

  // For a lock whose node was released and whose cache entry is empty: the next LockNodeCache::claim() fails,
  // so that the thread takes the slow path, which suits locks under contention.
  void expect_contention(std::uint64_t lock) {
    if (std::uint64_t& in = cache_.locks[LockNodeCache::index_of(lock)]; in == 0) in = kContended;
  }

  // note_predecessor: `there` is the mapped node (or nullptr) before `node` in the queue. likely_successor:
  // the one noted last, which is likely to be behind `node` now; `node` itself if there is none, or if `node`
  // is outside the cache.
  void note_predecessor(const LockNode* node, const void* there) {
    const auto i = static_cast<std::size_t>(node - cache_.first);
    if (i < LockNodeCache::kEntries) predecessors_[i] = there != nullptr ? there : node;
  }
  const void* likely_successor(const LockNode* node) const {
    const auto i = static_cast<std::size_t>(node - cache_.first);
    return i < LockNodeCache::kEntries && predecessors_[i] != nullptr ? predecessors_[i] : node;
  }

  // The node's packed address, which is never null.
  std::uint64_t address(const LockNode* node) const {
    return base_ + static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(node));
  }

  static bool freed(const LockNode* node) {
    return node->state.load(std::memory_order_acquire) == kLockFreed;
  }

 private:
  static constexpr std::uint64_t kContended =
      ~std::uint64_t{0};  // in an empty entry: see expect_contention()
  struct Entry {
    std::uint64_t lock = 0;  // packed address; 0: empty
    LockNode* node = nullptr;
  };
  std::size_t find(std::uint64_t lock) const;
  void add_nodes(LockNode* first, std::size_t n);
  void insert(std::uint64_t lock, LockNode* node);
  void release_freed();

  LockNodeCache& cache_;
  const bool cached_;
  const void* predecessors_[LockNodeCache::kEntries] = {};
  std::uint64_t base_;  // packed address of a node minus its address here
  char* segment_;
  std::vector<LockNode*> free_;  // outside the cache
  std::vector<Entry> table_;     // open addressing, a power of two, at most half full
  std::size_t total_ = 0;        // nodes outside the cache
};

}  // namespace upcr
