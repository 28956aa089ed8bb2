// SPDX-License-Identifier: BSD-3-Clause
// UPC locks: MCS queue locks (Mellor-Crummey, Scott: Algorithms for scalable synchronization on shared-memory
// multiprocessors, TOCS 1991). The lock's tail word names the last node in the queue; each node is in the
// segment of the thread that waits for the lock or holds it.
//
//   lock    swaps its own node into the tail. If the queue was empty, it has the lock. Else it sets its
//           `state` to kLockWaiting, writes its node's address into its predecessor's `next` and waits until
//           its `state` is kLockGranted again.
//   unlock  without a successor swaps the tail from its own node to 0. If that fails, a successor is just
//           entering the queue: unlock waits for `next`. Then it writes kLockGranted into the successor's
//           node.
//   free    (lock_alloc.cpp) swaps the tail to kLockClosed and writes kLockFreed into the last node's state.
//
// So the lock's home sees at most one swap per acquisition and one compare-and-swap per release, each thread
// spins on memory of its own, and the order is that of the swaps. The words are changed by sequentially
// consistent read-modify-write operations where they are mapped, and by the same operations at their owner
// where not. lock, unlock and a successful attempt are fences: the swap or compare-and-swap is one on x86 and
// is followed by one on other CPUs; a hand-over, which needs neither, has one before it writes to the
// successor, so that the grant travels while this thread continues; and blocking accesses that precede them
// are complete.
//
// A lock without contention, mapped here, costs a swap and a compare-and-swap, and otherwise touches only
// memory of the thread's own.
#include "upcr/sync/lock.hpp"

#include <atomic>
#include <cstddef>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/wait/adaptive_spin.hpp"
#include "include/upcr/access_rep.h"
#include "include/upcr/lock.h"
#include "include/upcr/window.h"
#include "upcr/access/atomic.hpp"
#include "upcr/access/data.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/pointer/sptr_text.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"
#include "upcr/sync/lock_nodes.hpp"
#include "upcr/sync/lock_object.hpp"

namespace upcr {
namespace {

constexpr bool kDebug = UPCR_DEBUG != 0;

thread_local AdaptiveSpin adaptive_spin;

// The addresses of the lock's words for the debug library.
SharedAddr holder_of(SharedAddr lock) { return {lock.thread, lock.offset + offsetof(LockObject, holder)}; }
SharedAddr magic_of(SharedAddr lock) { return {lock.thread, lock.offset + offsetof(LockObject, magic)}; }

// The key of a lock in LockNodes. Never 0.
std::uint64_t key_of(upcr_shared_ptr_t lock) {
#ifdef UPCRI_POINTER_packed
  return upcri_drop_phase(lock);
#else
  return (std::uint64_t{lock.s_thread} << 40) | lock.s_addr;
#endif
}

// Follows a read-modify-write operation that is to be a fence; on x86 it is one already.
void fence_after_rmw() {
#if !defined(__x86_64__)
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

// Of both layouts of pointers the same: ThreadReport::lock.
std::uint64_t name_in_reports(SharedAddr lock) { return std::uint64_t{lock.thread} << 40 | lock.offset; }

// The lock's address if it is mapped here, by the inlined code's test, which never finds what is not mapped.
bool find_mapped(upcr_shared_ptr_t lock, std::uintptr_t* address) {
  return upcri_find(lock, 0, 1, address) != 0;
}
LockObject* object_at(std::uintptr_t address) { return reinterpret_cast<LockObject*>(address); }

std::uint64_t swap_tail(SharedAddr lock, std::uint64_t value) {
  std::uint64_t old;
  if (void* object = mapped(lock); object != nullptr)
    old = static_cast<LockObject*>(object)->tail.exchange(value, std::memory_order_seq_cst);
  else
    old = amo64(lock, AtomOp::kSwap, value);
  fence_after_rmw();
  return old;
}

// True if the tail was `from` and is `to` now. *found: the value before.
bool change_tail(SharedAddr lock, std::uint64_t from, std::uint64_t to, std::uint64_t* found) {
  if (void* object = mapped(lock); object != nullptr) {
    *found = from;
    static_cast<LockObject*>(object)->tail.compare_exchange_strong(*found, to, std::memory_order_seq_cst);
  } else {
    *found = amo64(lock, AtomOp::kCas, from, to);
  }
  fence_after_rmw();
  return *found == from;
}

[[noreturn, gnu::cold, gnu::noinline]] void report_freed(const char* function, upcr_shared_ptr_t lockptr) {
  fatal("%s: the lock %s was freed", function, PointerText(lockptr).c_str());
}

[[noreturn, gnu::cold, gnu::noinline]] void report_not_held(upcr_shared_ptr_t lockptr) {
  const SharedAddr lock = decode(lockptr);
  const std::uint64_t holder = kDebug ? get_word(holder_of(lock)) : 0;
  if (holder != 0)
    fatal("upc_unlock: the calling thread does not hold the lock %s: UPC thread %u does",
          PointerText(lockptr).c_str(), unpack(holder).thread);
  fatal("upc_unlock: the calling thread does not hold the lock %s", PointerText(lockptr).c_str());
}

// Ends the job unless this is a lock and, in debug builds, the caller a UPC thread. In release builds other
// threads are caught by the slow path, because their cache of nodes is never used.
void check_lock(const char* function, upcr_shared_ptr_t lockptr) {
  if (upcr_isnull_shared(lockptr)) fatal("%s: the lock is a null pointer", function);
  if (!kDebug) return;
  (void)ctx(function);
  const SharedAddr lock = decode(lockptr);
  if (lock.thread >= job().topology.slots() || lock.offset % sizeof(LockObject) != 0 ||
      lock.offset < kFirstObjectOffset || lock.offset > job().segments.bytes - sizeof(LockObject) ||
      get_word(magic_of(lock)) != kLockMagic)
    fatal("%s: %s is no lock, or was freed", function, PointerText(lockptr).c_str());
}

void note_holder(SharedAddr lock, std::uint64_t holder) {
  if (kDebug) put_word(holder_of(lock), holder);
}

// The node is in the queue behind another one, and its state has not been kLockGranted since.
void wait_for_grant(ThreadCtx& c, SharedAddr predecessor, LockNode* node, SharedAddr lock) {
  store_and_ring(next_of(predecessor), c.locks->address(node));
  const auto granted = [node] { return node->state.load(std::memory_order_acquire) != kLockWaiting; };
  if (job().progress.poll() != 0 || !adaptive_spin(granted))
    job().progress.wait_until(
        c.thread, {"lock, behind UPC thread", predecessor.thread, WaitFor::kLock, name_in_reports(lock)},
        granted);
}

// The node's state is kLockGranted, or kLockFreed if the lock was freed meanwhile, which must not be
// overwritten: hence the comparison.
void begin_waiting(LockNode* node) {
  std::uint64_t state = kLockGranted;
  (void)node->state.compare_exchange_strong(state, kLockWaiting, std::memory_order_relaxed);
}

// For a lock that is not free (`before` is in the queue before `node`), or that has no entry in the cache
// (`node` is null).
[[gnu::cold, gnu::noinline]] void lock_slow(upcr_shared_ptr_t lockptr, LockNode* node, std::uint64_t before) {
  ThreadCtx& c = ctx("upc_lock");
  const SharedAddr lock = decode(lockptr);
  if (node != nullptr) {
    begin_waiting(node);
  } else {
    node = c.locks->acquire_node(key_of(lockptr));
    if (node == nullptr)
      fatal("upc_lock: the calling thread holds the lock %s already", PointerText(lockptr).c_str());
    node->state.store(kLockWaiting, std::memory_order_relaxed);
    before = swap_tail(lock, c.locks->address(node));
  }
  if (before == kLockClosed) report_freed("upc_lock", lockptr);
  if (before != 0) {
    c.locks->note_predecessor(node, mapped(unpack(before)));
    wait_for_grant(c, unpack(before), node, lock);
  } else {
    node->state.store(kLockGranted, std::memory_order_relaxed);
  }
  if (node->state.load(std::memory_order_relaxed) == kLockFreed) report_freed("upc_lock", lockptr);
  note_holder(lock, c.locks->address(node));
}

// Follows a release without a successor. A program may wait in a loop that acquires a lock and tests: threads
// that reach the lock by a network get it only if this thread serves their messages while it is free.
void poll_after_release() {
  if (__builtin_expect(upcri_window.strict_polls != 0, 0)) (void)job().progress.poll();
}

// `found`: the lock's tail if it was not the thread's node as expected, else 0.
[[gnu::cold, gnu::noinline]] void unlock_slow(upcr_shared_ptr_t lockptr, LockNode* node,
                                              std::uint64_t found) {
  ThreadCtx& c = ctx("upc_unlock");
  // The predecessor in the queue is likely to be the successor now: its node is fetched, to be written, while
  // this thread waits for the link to it.
  if (node != nullptr) prefetch_for_writing(c.locks->likely_successor(node));
  const SharedAddr lock = decode(lockptr);
  const std::uint64_t name = key_of(lockptr);
  if (node == nullptr) {
    node = c.locks->held_node(name);
    if (node == nullptr) report_not_held(lockptr);
    note_holder(lock, 0);
    if (node->next.load(std::memory_order_relaxed) == 0 &&
        change_tail(lock, c.locks->address(node), 0, &found)) {
      c.locks->release_node(name, node);
      return poll_after_release();
    }
  }
  if (LockNodes::freed(node)) report_not_held(lockptr);
  if (found == kLockClosed) report_freed("upc_unlock", lockptr);
  std::uint64_t next = 0;
  const auto linked = [&] { return (next = node->next.load(std::memory_order_acquire)) != 0; };
  if (!linked() && !adaptive_spin(linked))
    job().progress.wait_until(c.thread, {"next thread in a lock's queue", lock.offset}, linked);
  // A thread that competes for a lock is likely to acquire it again soon.
  if (const void* const object = mapped(lock); object != nullptr) prefetch_for_writing(object);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  store_and_ring(state_of(unpack(next)), kLockGranted);
  c.locks->release_node(name, node);
  c.locks->expect_contention(name);
}

// Locks that are not mapped, or have no entry in the cache. While operations are observed none has one
// (lock_thread_init), so that the fast paths need no test for it.
[[gnu::cold, gnu::noinline]] void lock_uncached(upcr_shared_ptr_t lockptr) {
  observe::Span span(observe::Kind::kLock, {0, observe::kNobody, upcr_threadof_shared(lockptr)});
  lock_slow(lockptr, nullptr, 0);
  span.acquired(key_of(lockptr));
}

[[gnu::cold, gnu::noinline]] void unlock_uncached(upcr_shared_ptr_t lockptr) {
  observe::Span span(observe::Kind::kUnlock, {0, observe::kNobody, upcr_threadof_shared(lockptr)});
  span.released(key_of(lockptr));
  unlock_slow(lockptr, nullptr, 0);
}

}  // namespace

void lock_thread_init(ThreadCtx& c) {
  c.locks = new LockNodes(lock_node_cache, c.thread, c.segment, !observe::observing);
}
void lock_thread_exit(ThreadCtx& c) {
  delete c.locks;
  c.locks = nullptr;
  lock_node_cache = {};
}

extern "C" {

UPCRI_API void upcr_lock(upcr_shared_ptr_t lockptr) {
  check_lock("upc_lock", lockptr);
  const std::uint64_t name = key_of(lockptr);
  LockNodeCache& cache = lock_node_cache;
  const std::size_t i = LockNodeCache::index_of(name);
  std::uintptr_t object;
  if (!find_mapped(lockptr, &object) || !cache.claim(i, name)) return lock_uncached(lockptr);
  const std::uint64_t address = cache.first_address + i * sizeof(LockNode);
  const std::uint64_t before = object_at(object)->tail.exchange(address, std::memory_order_seq_cst);
  fence_after_rmw();
  if (before != 0) return lock_slow(lockptr, cache.first + i, before);
  note_holder(decode(lockptr), address);
}

UPCRI_API int upcr_lock_attempt(upcr_shared_ptr_t lockptr) {
  LockNodes& nodes = *ctx("upc_lock_attempt").locks;
  check_lock("upc_lock_attempt", lockptr);
  observe::Span span(observe::Kind::kLockAttempt, {0, observe::kNobody, upcr_threadof_shared(lockptr)});
  const SharedAddr lock = decode(lockptr);
  const std::uint64_t name = key_of(lockptr);
  const std::size_t i = LockNodeCache::index_of(name);
  LockNode* const node =
      lock_node_cache.claim(i, name) ? lock_node_cache.first + i : nodes.acquire_node(name);
  if (node != nullptr) {  // else the thread holds the lock
    std::uint64_t found;
    if (change_tail(lock, 0, nodes.address(node), &found)) {
      note_holder(lock, nodes.address(node));
      span.acquired(name);
      return 1;
    }
    nodes.release_node(name, node);
    if (found == kLockClosed) report_freed("upc_lock_attempt", lockptr);
  }
  if (job().progress.poll() == 0) cpu_relax_or_yield();
  return 0;
}

// Needs no test whether the lock was freed meanwhile: its tail is not the thread's node then.
UPCRI_API void upcr_unlock(upcr_shared_ptr_t lockptr) {
  check_lock("upc_unlock", lockptr);
  const std::uint64_t name = key_of(lockptr);
  LockNodeCache& cache = lock_node_cache;
  const std::size_t i = LockNodeCache::index_of(name);
  std::uintptr_t object;
  if (!find_mapped(lockptr, &object) || !cache.holds(i, name)) return unlock_uncached(lockptr);
  LockNode* const node = cache.first + i;
  note_holder(decode(lockptr), 0);
  if (node->next.load(std::memory_order_relaxed) != 0) return unlock_slow(lockptr, node, 0);
  std::uint64_t tail = cache.first_address + i * sizeof(LockNode);
  if (!object_at(object)->tail.compare_exchange_strong(tail, 0, std::memory_order_seq_cst))
    return unlock_slow(lockptr, node, tail);
  fence_after_rmw();
  cache.release(i);
  poll_after_release();
}

}  // extern "C"
}  // namespace upcr
