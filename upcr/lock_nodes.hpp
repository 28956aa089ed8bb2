// SPDX-License-Identifier: BSD-3-Clause
// The queue nodes of one UPC thread, and which locks it holds, or asks for, with them. Used by its own thread
// only; the nodes themselves are in its segment, where its peers write to them.
//
// Two ways. Each of the first kPlaces nodes belongs to a place, and a lock's address says which place is its
// own: while that is empty, taking and finding a node is a comparison. A lock whose place another lock has
// taken gets one of the other nodes, and is found in a table.
//
// A node that is in no queue has no successor and the state kLockGranted: so is it when its thread has the
// lock and nobody else wants it, and then taking the lock and releasing it leave the node as it is.
#pragma once
#include <cstdint>
#include <vector>

#include "include/upcr/gmem_lock.h"
#include "upcr/runtime_area.hpp"

namespace upcr {

enum LockNodeState : std::uint64_t {
  kLockWaiting = UPCR_LOCK_NO_SIGNAL,
  kLockGranted = UPCR_LOCK_SIGNAL,
  kLockFreed = 2,  // somebody freed the lock: it is held no more, and will not be granted
};

struct LockNodes {
  LockNodes(Slot thread, char* segment);

  // A node to ask for the lock with; from now on it is the lock's, until drop(). nullptr when the lock has
  // one: the thread holds it. take() may take memory from the thread's heap, try_place() says nullptr instead
  // of looking farther than the lock's place.
  LockNode* take(std::uint64_t lock);
  LockNode* try_place(std::uint64_t lock) {
    const std::size_t i = place(lock);
    if (places_[i] != 0 || elsewhere_ != 0) return nullptr;
    places_[i] = lock;
    return first_ + i;
  }
  // The node with which the thread holds the lock; nullptr when it does not. A lock that was freed while it
  // was held is held no more (and forgotten).
  LockNode* held(std::uint64_t lock);
  // The same where it is in its place, else nullptr.
  LockNode* held_in_place(std::uint64_t lock) {
    const std::size_t i = place(lock);
    return places_[i] == lock && !freed(first_ + i) ? first_ + i : nullptr;
  }
  // The lock is not held, or no more: its node is in no queue.
  void drop(std::uint64_t lock, LockNode* node);
  // For a node of try_place() or held_in_place() whose words are as before.
  void leave_place(std::uint64_t lock) { places_[place(lock)] = 0; }

  // Of a lock that was dropped and whose place is empty: the next try_place() fails, take() does not. It is
  // for locks that others want, too.
  void expect_others(std::uint64_t lock) {
    if (std::uint64_t& in = places_[place(lock)]; in == 0) in = kOthers;
  }

  // As pack(); a node's address is never null.
  std::uint64_t address(const LockNode* node) const {
    return base_ + static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(node));
  }

 private:
  static constexpr unsigned kPlaceBits = 4;
  static constexpr std::size_t kPlaces = 1 << kPlaceBits;
  static_assert(kPlaces < kFirstLockNodes);
  static constexpr std::uint64_t kOthers = ~std::uint64_t{0};  // in an empty place: see expect_others()
  struct Entry {
    std::uint64_t lock = 0;  // packed address; 0: empty
    LockNode* node = nullptr;
  };
  static std::uint64_t mix(std::uint64_t lock) { return lock * 0x9E3779B97F4A7C15u; }
  static std::size_t place(std::uint64_t lock) { return mix(lock) >> (64 - kPlaceBits); }
  static bool freed(const LockNode* node) {
    return node->state.load(std::memory_order_acquire) == kLockFreed;
  }
  std::size_t find(std::uint64_t lock) const;
  void add_nodes(LockNode* first, std::size_t n);
  void insert(std::uint64_t lock, LockNode* node);
  void forget_freed();

  LockNode* first_;                     // of the nodes that have places
  std::uint64_t base_;                  // what makes a node's address here a packed one
  std::uint64_t places_[kPlaces] = {};  // packed addresses of locks; 0: empty
  std::size_t elsewhere_ = 0;           // locks in the table
  char* segment_;
  std::vector<LockNode*> free_;  // of the others
  std::vector<Entry> table_;     // open addressing, a power of two, at most half full
  std::size_t total_ = 0;        // nodes without places
};

}  // namespace upcr
