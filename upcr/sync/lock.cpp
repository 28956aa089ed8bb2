// SPDX-License-Identifier: BSD-3-Clause
// UPC locks: MCS queue locks (Mellor-Crummey, Scott: Algorithms for scalable synchronization on shared-memory
// multiprocessors, TOCS 1991). The lock's tail word names the last node in the queue; each node is in the
// segment of the thread that waits for the lock or holds it.
//
//   lock    swaps its own node into the tail. If the queue was empty, it has the lock. Else its node's
//           `state` is kLockWaiting, it writes its node's address into its predecessor's `next` and waits
//           until the lock is granted; then its `state` is kLockGranted.
//   unlock  without a successor swaps the tail from its own node to 0. If that fails, a successor is just
//           entering the queue: unlock waits for `next`. Then it grants the lock. A successor that maps this
//           node watches it (lock_handover.hpp); else unlock writes kLockGranted into the successor's node.
//   free    (lock_alloc.cpp) swaps the tail to kLockClosed and writes kLockFreed into the last node's state.
//
// So the lock's home sees at most one swap per acquisition and one compare-and-swap per release, each thread
// spins on memory that no third thread uses, and the order is that of the swaps. The words are changed by
// sequentially consistent read-modify-write operations where they are mapped, and by the same operations at
// their owner where not. lock, unlock and a successful attempt are fences: the swap, the compare-and-swap or
// the exchange that passes a lock on is one on x86 and is followed by one on other CPUs, and blocking
// accesses that precede them are complete.
//
// A lock without contention, mapped here, costs a swap and a compare-and-swap, and otherwise touches only
// memory of the thread's own: include/upcr/lock_rep.h.
#define UPCRI_DEFINE_LOCKS
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
#include "upcr/sync/lock_handover.hpp"
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
  return upcri_lock_key(upcri_drop_phase(lock));
#else
  return upcri_lock_key(lock);
#endif
}

// Of both layouts of pointers the same: ThreadReport::lock.
std::uint64_t name_in_reports(SharedAddr lock) { return std::uint64_t{lock.thread} << 40 | lock.offset; }

std::uint64_t swap_tail(SharedAddr lock, std::uint64_t value) {
  std::uint64_t old;
  if (void* object = mapped(lock); object != nullptr)
    old = static_cast<LockObject*>(object)->tail.exchange(value, std::memory_order_seq_cst);
  else
    old = amo64(lock, AtomOp::kSwap, value);
  upcri_fence_after_atomic();
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
  upcri_fence_after_atomic();
  return *found == from;
}

[[noreturn, gnu::cold, gnu::noinline]] void report_freed(const char* function, upcr_shared_ptr_t lockptr) {
  fatal("%s: the lock %s was freed", function, PointerText(lockptr).c_str());
}

[[noreturn, gnu::cold, gnu::noinline]] void report_held(upcr_shared_ptr_t lockptr) {
  fatal("upc_lock: the calling thread holds the lock %s already", PointerText(lockptr).c_str());
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

// The lock's first word, if the lock is mapped here, by the inlined code's test, which never finds what is
// not.
std::uint64_t* find_tail(upcr_shared_ptr_t lock) {
  std::uintptr_t address;
  return upcri_find(lock, 0, 1, &address) != 0 ? reinterpret_cast<std::uint64_t*>(address) : nullptr;
}

// For a lock that is not held and not contended. Not in the debug library, which releases each lock with all
// checks.
void note_uncontended(LockNodes& nodes, upcr_shared_ptr_t lockptr, const LockNode* node) {
  if (std::uint64_t* const tail = kDebug ? nullptr : find_tail(lockptr); tail != nullptr)
    nodes.note_uncontended(key_of(lockptr), node, tail);
}

// A node in no queue gets the state that lock and attempt need; most have it.
void prepare(LockNode* node, LockNodeState state) {
  if (node->state.load(std::memory_order_relaxed) != state)
    node->state.store(state, std::memory_order_relaxed);
}

// The node is in the queue behind `before`, and its state has not been kLockGranted since.
void wait_for_grant(ThreadCtx& c, LockNode* node, SharedAddr before, upcr_shared_ptr_t lockptr) {
  void* const predecessor = mapped(before);
  const std::uint64_t address = c.locks->address(node);
  const Grant grant = predecessor != nullptr
                          ? Grant::link(*static_cast<LockNode*>(predecessor), *node, address)
                          : Grant(*node);
  if (predecessor == nullptr) put_word(next_of(before), address);
  ring(before.thread);
  const auto granted = [grant] { return grant.over(); };
  if (job().progress.poll() != 0 || !adaptive_spin(granted))
    job().progress.wait_until(
        c.thread,
        {"lock, behind UPC thread", before.thread, WaitFor::kLock, name_in_reports(decode(lockptr))},
        granted);
  if (LockNodes::freed(node)) report_freed("upc_lock", lockptr);
  prepare(node, kLockGranted);
}

// For a lock that has no idle entry in the cache, or is not mapped.
[[gnu::cold, gnu::noinline]] void lock_slow(upcr_shared_ptr_t lockptr) {
  ThreadCtx& c = ctx("upc_lock");
  LockNode* const node = c.locks->acquire_node(key_of(lockptr));
  if (node == nullptr) report_held(lockptr);
  const SharedAddr lock = decode(lockptr);
  prepare(node, kLockWaiting);
  const std::uint64_t before = swap_tail(lock, c.locks->address(node));
  if (before == kLockClosed) report_freed("upc_lock", lockptr);
  if (before != 0) {
    wait_for_grant(c, node, unpack(before), lockptr);
  } else {
    prepare(node, kLockGranted);
    note_uncontended(*c.locks, lockptr, node);
  }
  note_holder(lock, c.locks->address(node));
}

// For a lock behind whose last node, `before`, the entry's is.
void wait_in_entry(upcr_shared_ptr_t lockptr, const LockEntry& entry, std::uint64_t before) {
  ThreadCtx& c = ctx("upc_lock");
  // A lock of which the node is outside the cache may have an entry meanwhile.
  if (c.locks->held_outside(key_of(lockptr)) != nullptr) report_held(lockptr);
  if (before == kLockClosed) report_freed("upc_lock", lockptr);
  wait_for_grant(c, LockNodes::node_of(entry), unpack(before), lockptr);
}

// The thread has passed the lock on before: its node's state is kLockWaiting, and the lock is mapped.
void lock_contended(upcr_shared_ptr_t lockptr, LockEntry& entry) {
  const std::uint64_t key = key_of(lockptr);
  entry.lock = key + UPCRI_LOCK_QUEUED;
  const std::uint64_t before = __atomic_exchange_n(entry.last, entry.link, __ATOMIC_SEQ_CST);
  upcri_fence_after_atomic();
  if (before != 0) return wait_in_entry(lockptr, entry, before);
  prepare(LockNodes::node_of(entry), kLockGranted);
  entry.lock = key + UPCRI_LOCK_HELD;
}

// Follows a release without a successor: see upcri_unlock_here().
void poll_after_release() {
  if (__builtin_expect(upcri_window.strict_polls != 0, 0)) (void)job().progress.poll();
}

// After pass_on(), which returned `next`: not 0.
void passed_on(ThreadCtx& c, LockNode* node, std::uint64_t next, upcr_shared_ptr_t lockptr) {
  upcri_fence_after_atomic();
  if (!watches(*node, next)) {
    store_and_ring(state_of(unpack(next)), kLockGranted);
    return c.locks->release_node(key_of(lockptr), node);
  }
  // A thread that competes for a lock is likely to acquire it again soon.
  std::uint64_t* const tail = find_tail(lockptr);
  if (tail != nullptr) prefetch_for_writing(tail);
  node->state.store(kLockWaiting, std::memory_order_relaxed);
  ring(unpack(next).thread);
  c.locks->release_contended(key_of(lockptr), node, tail);
}

// Grants the lock to the thread behind the node, which has begun to enter the queue.
void hand_over(ThreadCtx& c, LockNode* node, upcr_shared_ptr_t lockptr) {
  const auto linked = [node] { return node->next.load(std::memory_order_acquire) != 0; };
  if (!linked() && !adaptive_spin(linked))
    job().progress.wait_until(c.thread, {"next thread in a lock's queue", decode(lockptr).offset}, linked);
  passed_on(c, node, pass_on(*node), lockptr);
}

// For a lock that was not acquired, or is not released, by the fast path.
[[gnu::cold, gnu::noinline]] void unlock_slow(upcr_shared_ptr_t lockptr) {
  ThreadCtx& c = ctx("upc_unlock");
  const std::uint64_t key = key_of(lockptr);
  LockNode* const node = c.locks->held_node(key);
  if (node == nullptr) report_not_held(lockptr);
  const SharedAddr lock = decode(lockptr);
  note_holder(lock, 0);
  if (std::uint64_t found; node->next.load(std::memory_order_relaxed) == 0) {
    if (change_tail(lock, c.locks->address(node), 0, &found)) {
      c.locks->release_node(key, node);
      return poll_after_release();
    }
    if (found == kLockClosed) report_freed("upc_unlock", lockptr);
  }
  hand_over(c, node, lockptr);
}

// While operations are observed the cache is not used (lock_thread_init), so that the fast path needs no test
// for it.
[[gnu::cold, gnu::noinline]] void lock_uncached(upcr_shared_ptr_t lockptr) {
  check_lock("upc_lock", lockptr);
  observe::Span span(observe::Kind::kLock, {0, observe::kNobody, upcr_threadof_shared(lockptr)});
  lock_slow(lockptr);
  span.acquired(key_of(lockptr));
}

[[gnu::cold, gnu::noinline]] void unlock_uncached(upcr_shared_ptr_t lockptr) {
  observe::Span span(observe::Kind::kUnlock, {0, observe::kNobody, upcr_threadof_shared(lockptr)});
  span.released(key_of(lockptr));
  unlock_slow(lockptr);
}

}  // namespace

void lock_thread_init(ThreadCtx& c) {
  c.locks = new LockNodes(upcri_lock_entries, c.thread, c.segment, !observe::observing);
}
void lock_thread_exit(ThreadCtx& c) {
  delete c.locks;
  c.locks = nullptr;
  for (LockEntry& entry : upcri_lock_entries) entry = {};
}

extern "C" {

UPCRI_API constinit UPCRI_THREAD_LOCAL LockEntry upcri_lock_entries[LockNodes::kEntries] = {};

// A thread that uses many locks finds most of them in idle entries that other locks had, one that competes
// for a lock finds it contended: both are faster here than in lock_slow().
UPCRI_API void upcri_lock_far(upcr_shared_ptr_t lockptr) {
  const std::uint64_t key = key_of(lockptr);
  LockEntry& entry = LockNodes::entry_of(key);
  if (kDebug || upcr_isnull_shared(lockptr)) return lock_uncached(lockptr);
  if (entry.lock == key + UPCRI_LOCK_CONTENDED) return lock_contended(lockptr, entry);
  std::uint64_t* const tail = LockNodes::idle(entry) ? find_tail(lockptr) : nullptr;
  if (tail == nullptr) return lock_uncached(lockptr);
  entry.last = tail;
  entry.lock = key + UPCRI_LOCK_IDLE;
  (void)upcri_lock_here(encode(decode(lockptr)));
}

UPCRI_API void upcri_lock_behind(upcr_shared_ptr_t lockptr, std::uint64_t before) {
  LockEntry& entry = LockNodes::entry_of(key_of(lockptr));
  entry.lock = key_of(lockptr) + UPCRI_LOCK_QUEUED;
  // The state is kLockGranted, or kLockFreed if the lock was freed meanwhile, which must not be overwritten.
  std::uint64_t state = kLockGranted;
  (void)LockNodes::node_of(entry)->state.compare_exchange_strong(state, kLockWaiting,
                                                                 std::memory_order_relaxed);
  wait_in_entry(lockptr, entry, before);
}

UPCRI_API void upcri_unlock_far(upcr_shared_ptr_t lockptr) {
  check_lock("upc_unlock", lockptr);
  const LockEntry& entry = LockNodes::entry_of(key_of(lockptr));
  if (!kDebug && entry.lock == key_of(lockptr) + UPCRI_LOCK_QUEUED) {
    LockNode* const node = LockNodes::node_of(entry);
    if (const std::uint64_t next = pass_on(*node); next != 0)
      return passed_on(*ctx_or_null(), node, next, lockptr);
  }
  unlock_uncached(lockptr);
}

UPCRI_API void upcri_unlock_before(upcr_shared_ptr_t lockptr, std::uint64_t found) {
  ThreadCtx& c = ctx("upc_unlock");
  LockNode* const node = LockNodes::node_of(LockNodes::entry_of(key_of(lockptr)));
  if (LockNodes::freed(node)) report_not_held(lockptr);
  if (found == kLockClosed) report_freed("upc_unlock", lockptr);
  hand_over(c, node, lockptr);
}

// Programs call these by pointers, or where the functions of the same names are not inlined.
UPCRI_API void upcr_lock(upcr_shared_ptr_t lockptr) {
  if (!upcri_lock_here(lockptr)) upcri_lock_far(lockptr);
}
UPCRI_API void upcr_unlock(upcr_shared_ptr_t lockptr) {
  if (!upcri_unlock_here(lockptr)) upcri_unlock_far(lockptr);
}

UPCRI_API int upcr_lock_attempt(upcr_shared_ptr_t lockptr) {
  LockNodes& nodes = *ctx("upc_lock_attempt").locks;
  check_lock("upc_lock_attempt", lockptr);
  observe::Span span(observe::Kind::kLockAttempt, {0, observe::kNobody, upcr_threadof_shared(lockptr)});
  const std::uint64_t key = key_of(lockptr);
  LockNode* const node = nodes.acquire_node(key);
  if (node != nullptr) {  // else the thread holds the lock
    std::uint64_t found;
    prepare(node, kLockGranted);
    if (change_tail(decode(lockptr), 0, nodes.address(node), &found)) {
      note_uncontended(nodes, lockptr, node);
      note_holder(decode(lockptr), nodes.address(node));
      span.acquired(key);
      return 1;
    }
    nodes.release_node(key, node);
    if (found == kLockClosed) report_freed("upc_lock_attempt", lockptr);
  }
  if (job().progress.poll() == 0) cpu_relax_or_yield();
  return 0;
}

}  // extern "C"
}  // namespace upcr
