// SPDX-License-Identifier: BSD-3-Clause
// UPC locks: allocating and freeing them; acquiring and releasing is in lock.cpp. A lock is a block of a heap
// with a use of its own. It may be freed while a thread holds it:
//
//   free    the heap swaps the tail to kLockClosed. The state of the last node in the queue becomes
//           kLockFreed: a holder forgets the lock, a waiter reports an error. Only then the memory is freed,
//           because it may become the holder's next lock.
#include <atomic>

#include "include/upcr/gupc.h"
#include "include/upcr/lock.h"
#include "upcr/barrier/small_broadcast.hpp"
#include "upcr/heap/heap.hpp"
#include "upcr/heap/locks.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/state/thread_ctx.hpp"
#include "upcr/sync/lock.hpp"
#include "upcr/sync/lock_nodes.hpp"
#include "upcr/sync/lock_object.hpp"

namespace upcr {
namespace {

upcr_shared_ptr_t make_lock(SharedAddr at) {
  auto* lock = static_cast<LockObject*>(mapped(at));
  lock->tail.store(0, std::memory_order_relaxed);
  lock->holder.store(0, std::memory_order_relaxed);
  lock->magic.store(kLockMagic, std::memory_order_release);
  return encode(at);
}

upcr_shared_ptr_t new_lock(const char* function) {
  return make_lock(heap_alloc(sizeof(LockObject), BlockUse::kLock, function));
}

}  // namespace

void free_lock(upcr_shared_ptr_t lock, const char* function) {
  const std::uint64_t last = heap_free(lock, BlockUse::kLock, function);
  if (last == 0) return;
  store_and_ring(state_of(unpack(last)), kLockFreed);
  (void)heap_free(lock, BlockUse::kLock, function);
}

std::uint64_t close_lock(void* lock) noexcept {
  auto* object = static_cast<LockObject*>(lock);
  object->magic.store(0, std::memory_order_relaxed);
  const std::uint64_t last = object->tail.exchange(kLockClosed, std::memory_order_seq_cst);
  return last != kLockClosed ? last : 0;
}

extern "C" {

UPCRI_API upcr_shared_ptr_t upcr_global_lock_alloc(void) {
  const observe::Span span(observe::Kind::kLockAlloc);
  return new_lock("upc_global_lock_alloc");
}

UPCRI_API upcr_shared_ptr_t upcri_gupc_lock_alloc(void) {
  const SharedAddr at = heap_try_alloc(sizeof(LockObject), BlockUse::kLock, "upc_global_lock_alloc");
  return at.null() ? upcr_null_shared : make_lock(at);
}

UPCRI_API upcr_shared_ptr_t upcr_all_lock_alloc(void) {
  const observe::Span span(observe::Kind::kLockAlloc);
  ThreadCtx& c = ctx("upc_all_lock_alloc");
  SmallValue made{};
  if (c.thread == 0) made.words[0] = decode(new_lock("upc_all_lock_alloc")).offset;
  return encode({0, small_broadcast(c, 0, made).words[0]});
}

UPCRI_API void upcr_lock_free(upcr_shared_ptr_t lockptr) {
  const observe::Span span(observe::Kind::kFree);
  if (!upcr_isnull_shared(lockptr)) free_lock(lockptr, "upc_lock_free");
}

UPCRI_API void upcr_all_lock_free(upcr_shared_ptr_t lockptr) {
  const observe::Span span(observe::Kind::kFree);
  if (upcr_isnull_shared(lockptr)) return;
  if (small_arrive(ctx("upc_all_lock_free"))) free_lock(lockptr, "upc_all_lock_free");
}

}  // extern "C"
}  // namespace upcr
