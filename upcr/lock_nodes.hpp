// SPDX-License-Identifier: BSD-3-Clause
// The queue nodes of one UPC thread, and which locks it holds with them. Used by its own thread only; the
// nodes themselves are in its segment, where its peers write to them.
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

  // A node that is in no queue. Takes memory from the thread's heap when all are in use.
  LockNode* take();
  void give_back(LockNode* node) { free_.push_back(node); }

  // The node with which the thread holds the lock; nullptr when it does not. A lock that was freed while it
  // was held is held no more (and forgotten).
  LockNode* held(std::uint64_t lock);
  void hold(std::uint64_t lock, LockNode* node);
  // The lock is held; its node may be used again.
  void drop(std::uint64_t lock);

  SharedAddr address(const LockNode* node) const {
    return {thread_, static_cast<std::uint64_t>(reinterpret_cast<const char*>(node) - segment_)};
  }

 private:
  struct Entry {
    std::uint64_t lock = 0;  // packed address; 0: empty
    LockNode* node = nullptr;
  };
  std::size_t place(std::uint64_t lock) const;
  void add_nodes(LockNode* first, std::size_t n);
  void forget_freed();
  void erase(std::size_t at);

  Slot thread_;
  char* segment_;
  std::vector<LockNode*> free_;
  std::vector<Entry> table_;  // open addressing, a power of two, at most half full
  std::size_t total_ = 0, held_ = 0;
};

}  // namespace upcr
