// SPDX-License-Identifier: BSD-3-Clause
// UPC locks: a queue of nodes (Mellor-Crummey and Scott). The lock's tail word names the last node in the
// queue; each node is in the segment of the thread that waits or holds.
//
//   lock    swaps its own node into the tail. Nobody before it: it has the lock. Else it writes its node's
//           address into its predecessor's `next` and waits until its own `state` is kLockGranted.
//   unlock  no successor: swaps the tail from its own node to 0. If that fails somebody is just coming:
//           waits for `next`. Then it writes kLockGranted into the successor's node.
//   free    the heap swaps the tail to kClosed before the memory can be given to anybody else. The last in
//           the queue is told by kLockFreed: a holder forgets the lock, a waiter reports an error.
//
// So the lock's home sees one swap per acquisition and one compare-and-swap per release at most, everybody
// spins on memory of his own, and the order is that of the swaps. The words are changed by sequentially
// consistent read-modify-write operations wherever they are mapped and by the same operations at their
// owner's elsewhere. lock, unlock and a successful attempt are fences: the swap or compare-and-swap is one
// on x86 and is followed by one elsewhere; a hand-over, which needs neither, ends with one; and blocking
// accesses that precede them are complete.
#include "upcr/lock.hpp"

#include <atomic>
#include <cstddef>

#include "conduits/base/report.hpp"
#include "conduits/core/progress.hpp"
#include "include/upcr/gmem_lock.h"
#include "include/upcr/gupc.h"
#include "include/upcr/lock.h"
#include "upcr/data.hpp"
#include "upcr/heap/heap.hpp"
#include "upcr/lock_nodes.hpp"
#include "upcr/small_broadcast.hpp"
#include "upcr/sptr_text.hpp"
#include "upcr/thread_ctx.hpp"

namespace upcr {
namespace {

// Begins as upcr_lock_t, which programs may look at.
struct alignas(64) LockObject {
  std::atomic<std::uint64_t> tail;    // packed address of the queue's last node; 0: free; kClosed
  std::atomic<std::uint64_t> holder;  // debug: packed address of the holder's node, else 0
  std::atomic<std::uint64_t> magic;   // kMagic while it is a lock
};
static_assert(offsetof(LockObject, tail) == offsetof(upcr_lock_t, last) &&
              offsetof(LockObject, holder) == offsetof(upcr_lock_t, owner_link));
static_assert(offsetof(LockNode, next) == offsetof(upcr_lock_link_t, next) &&
              offsetof(LockNode, state) == offsetof(upcr_lock_link_t, signal));

constexpr std::uint64_t kClosed = ~std::uint64_t{0};
constexpr std::uint64_t kMagic = 0x75706372206c636b;  // any value that memory is unlikely to hold
constexpr bool kDebug = UPCR_DEBUG != 0;

SharedAddr member(SharedAddr base, std::size_t offset) { return {base.thread, base.offset + offset}; }
#define UPCRI_NEXT(node) member(node, offsetof(LockNode, next))
#define UPCRI_STATE(node) member(node, offsetof(LockNode, state))

// After a read-modify-write operation that is to be a fence: on x86 it is one already.
void fence_after_rmw() {
#if !defined(__x86_64__)
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

std::uint64_t swap_tail(SharedAddr lock, std::uint64_t value) {
  std::uint64_t old;
  if (void* here = mapped(lock); here != nullptr)
    old = static_cast<LockObject*>(here)->tail.exchange(value, std::memory_order_seq_cst);
  else
    old = amo(lock, AmoOp::kSwap, value);
  fence_after_rmw();
  return old;
}

// True when the tail was `from`, and is `to` now. *found: what it was.
bool change_tail(SharedAddr lock, std::uint64_t from, std::uint64_t to, std::uint64_t* found) {
  if (void* here = mapped(lock); here != nullptr) {
    *found = from;
    static_cast<LockObject*>(here)->tail.compare_exchange_strong(*found, to, std::memory_order_seq_cst);
  } else {
    *found = amo(lock, AmoOp::kCas, from, to);
  }
  fence_after_rmw();
  return *found == from;
}

// Into a node's word; its thread, which may sleep on it, is woken.
void tell(SharedAddr word, std::uint64_t value) {
  if (void* here = mapped(word); here != nullptr)
    static_cast<std::atomic<std::uint64_t>*>(here)->store(value, std::memory_order_release);
  else
    put_word(word, value);
  ring(word.thread);
}

[[noreturn]] void report_freed(const char* function, upcr_shared_ptr_t lockptr) {
  fatal("%s: the lock %s was freed", function, PointerText(lockptr).c_str());
}

[[noreturn]] void report_not_held(upcr_shared_ptr_t lockptr) {
  const SharedAddr lock = decode(lockptr);
  const std::uint64_t holder = kDebug ? get_word(member(lock, offsetof(LockObject, holder))) : 0;
  if (holder != 0)
    fatal("upc_unlock: the calling thread does not hold the lock %s: UPC thread %u does",
          PointerText(lockptr).c_str(), unpack(holder).thread);
  fatal("upc_unlock: the calling thread does not hold the lock %s", PointerText(lockptr).c_str());
}

// Is it a lock at all?
void check_lock(const char* function, upcr_shared_ptr_t lockptr) {
  if (upcr_isnull_shared(lockptr)) fatal("%s: the lock is a null pointer", function);
  if (!kDebug) return;
  const SharedAddr lock = decode(lockptr);
  if (lock.thread >= job().topology.slots() || lock.offset % sizeof(LockObject) != 0 ||
      lock.offset < kRuntimeAreaBytes || lock.offset > job().segments.bytes - sizeof(LockObject) ||
      get_word(member(lock, offsetof(LockObject, magic))) != kMagic)
    fatal("%s: %s is no lock, or was freed", function, PointerText(lockptr).c_str());
}

void note_holder(SharedAddr lock, std::uint64_t holder) {
  if (kDebug) put_word(member(lock, offsetof(LockObject, holder)), holder);
}

LockNode* new_node(LockNodes& nodes) {
  LockNode* node = nodes.take();
  node->next.store(0, std::memory_order_relaxed);
  node->state.store(kLockWaiting, std::memory_order_relaxed);
  return node;
}

void acquired(ThreadCtx& c, SharedAddr lock, LockNode* node) {
  node->state.store(kLockGranted, std::memory_order_relaxed);
  c.locks->hold(pack(lock), node);
  note_holder(lock, pack(c.locks->address(node)));
}

void wait_for_grant(ThreadCtx& c, SharedAddr predecessor, LockNode* node, upcr_shared_ptr_t lockptr) {
  tell(UPCRI_NEXT(predecessor), pack(c.locks->address(node)));
  wait_until(c.thread, {"lock", decode(lockptr).offset},
             [&] { return node->state.load(std::memory_order_acquire) != kLockWaiting; });
  if (node->state.load(std::memory_order_relaxed) == kLockFreed) report_freed("upc_lock", lockptr);
}

upcr_shared_ptr_t make_lock(SharedAddr at) {
  auto* lock = static_cast<LockObject*>(mapped(at));
  lock->tail.store(0, std::memory_order_relaxed);
  lock->holder.store(0, std::memory_order_relaxed);
  lock->magic.store(kMagic, std::memory_order_release);
  return encode(at);
}

upcr_shared_ptr_t new_lock(const char* function) {
  return make_lock(heap_alloc(sizeof(LockObject), BlockUse::kLock, function));
}

// A thread that waits is told too, and ends the job: it would wait for ever.
void free_lock(const char* function, upcr_shared_ptr_t lockptr) {
  const std::uint64_t last = heap_free(lockptr, BlockUse::kLock, function);
  if (last != 0) tell(UPCRI_STATE(unpack(last)), kLockFreed);
}

}  // namespace

void lock_thread_init(ThreadCtx& c) { c.locks = new LockNodes(c.thread, c.segment); }
void lock_thread_exit(ThreadCtx& c) {
  delete c.locks;
  c.locks = nullptr;
}

std::uint64_t close_lock(void* lock) noexcept {
  auto* object = static_cast<LockObject*>(lock);
  object->magic.store(0, std::memory_order_relaxed);
  return object->tail.exchange(kClosed, std::memory_order_seq_cst);
}

}  // namespace upcr

using namespace upcr;

extern "C" {

upcr_shared_ptr_t upcr_global_lock_alloc(void) { return new_lock("upc_global_lock_alloc"); }

upcr_shared_ptr_t upcri_gupc_lock_alloc(void) {
  const SharedAddr at = heap_try_alloc(sizeof(LockObject), BlockUse::kLock, "upc_global_lock_alloc");
  return at.null() ? upcr_null_shared : make_lock(at);
}

upcr_shared_ptr_t upcr_all_lock_alloc(void) {
  ThreadCtx& c = ctx("upc_all_lock_alloc");
  SmallValue made{};
  if (c.thread == 0) made.words[0] = decode(new_lock("upc_all_lock_alloc")).offset;
  return encode({0, small_broadcast(c, 0, made).words[0]});
}

void upcr_lock(upcr_shared_ptr_t lockptr) {
  ThreadCtx& c = ctx("upc_lock");
  check_lock("upc_lock", lockptr);
  const SharedAddr lock = decode(lockptr);
  if (c.locks->held(pack(lock)) != nullptr)
    fatal("upc_lock: the calling thread holds the lock %s already", PointerText(lockptr).c_str());
  LockNode* node = new_node(*c.locks);
  const std::uint64_t before = swap_tail(lock, pack(c.locks->address(node)));
  if (before == kClosed) report_freed("upc_lock", lockptr);
  if (before != 0) wait_for_grant(c, unpack(before), node, lockptr);
  acquired(c, lock, node);
}

int upcr_lock_attempt(upcr_shared_ptr_t lockptr) {
  ThreadCtx& c = ctx("upc_lock_attempt");
  check_lock("upc_lock_attempt", lockptr);
  const SharedAddr lock = decode(lockptr);
  std::uint64_t found = kLockGranted;  // any value that is not 0: held by this thread
  if (c.locks->held(pack(lock)) == nullptr) {
    LockNode* node = new_node(*c.locks);
    if (change_tail(lock, 0, pack(c.locks->address(node)), &found)) {
      acquired(c, lock, node);
      return 1;
    }
    c.locks->give_back(node);
  }
  if (found == kClosed) report_freed("upc_lock_attempt", lockptr);
  if (make_progress() == 0) cpu_relax_or_yield();
  return 0;
}

void upcr_unlock(upcr_shared_ptr_t lockptr) {
  ThreadCtx& c = ctx("upc_unlock");
  check_lock("upc_unlock", lockptr);
  const SharedAddr lock = decode(lockptr);
  LockNode* node = c.locks->held(pack(lock));
  if (node == nullptr) report_not_held(lockptr);
  note_holder(lock, 0);
  std::uint64_t next = node->next.load(std::memory_order_acquire);
  if (next == 0) {
    std::uint64_t found;
    if (!change_tail(lock, pack(c.locks->address(node)), 0, &found)) {
      if (found == kClosed) report_freed("upc_unlock", lockptr);
      wait_until(c.thread, {"next thread in a lock's queue", lock.offset},
                 [&] { return (next = node->next.load(std::memory_order_acquire)) != 0; });
    }
  }
  c.locks->drop(pack(lock));
  if (next == 0) return;
  tell(UPCRI_STATE(unpack(next)), kLockGranted);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void upcr_lock_free(upcr_shared_ptr_t lockptr) {
  if (!upcr_isnull_shared(lockptr)) free_lock("upc_lock_free", lockptr);
}

void upcr_all_lock_free(upcr_shared_ptr_t lockptr) {
  if (upcr_isnull_shared(lockptr)) return;
  if (small_arrive(ctx("upc_all_lock_free"))) free_lock("upc_all_lock_free", lockptr);
}

}  // extern "C"
