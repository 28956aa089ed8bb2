// SPDX-License-Identifier: BSD-3-Clause
// Passing a lock on between two threads that map each other's nodes. As in a CLH lock (Craig 1993; Magnusson,
// Landin, Hagersten 1994) the waiting thread watches its predecessor's node, not its own: `next`, which it
// has set to its own node and which its predecessor clears. So one exchange finds whether there is a
// successor and grants it the lock: the releasing thread fetches one cache line, its own, and the waiting
// thread fetches it back. With the grant in the successor's node, as in an MCS lock, the releasing thread has
// two lines to fetch, one after the other.
//
// The predecessor may use its node again at once, for this lock or another one: only the waiting thread
// itself would set `next` to its node again.
#pragma once
#include <atomic>
#include <cstdint>

#include "conduits/core/base/system/cpu.hpp"
#include "upcr/sync/lock_nodes.hpp"

namespace upcr {

// What a waiting thread watches.
class Grant {
 public:
  // For a node that its predecessor, which is not mapped here, will write to.
  explicit Grant(const LockNode& own) : own_(own) {}

  // Links `own`, whose address is `address`, behind a node that is mapped here. Its thread must be rung.
  static Grant link(LockNode& predecessor, const LockNode& own, std::uint64_t address) {
    Grant grant(own);
    grant.watched_ = &predecessor.next;
    grant.address_ = address;
    prefetch_for_writing(&predecessor);
    predecessor.watcher.store(address, std::memory_order_relaxed);
    predecessor.next.store(address, std::memory_order_release);
    return grant;
  }

  // The lock is granted, or was freed.
  bool over() const {
    return (watched_ != nullptr && watched_->load(std::memory_order_acquire) != address_) ||
           own_.state.load(std::memory_order_acquire) != kLockWaiting;
  }

 private:
  const LockNode& own_;
  const std::atomic<std::uint64_t>* watched_ = nullptr;
  std::uint64_t address_ = 0;
};

// Grants the lock to the successor, if one is linked and watches. A full fence on x86. Returns the
// successor's address; 0: none is linked.
inline std::uint64_t pass_on(LockNode& node) { return node.next.exchange(0, std::memory_order_seq_cst); }
// After pass_on(), which returned this: false if the successor does not watch, but waits for its state to
// change. What a thread wrote here that watched earlier is not the address of one that does not.
inline bool watches(const LockNode& node, std::uint64_t successor) {
  return node.watcher.load(std::memory_order_relaxed) == successor;
}

}  // namespace upcr
