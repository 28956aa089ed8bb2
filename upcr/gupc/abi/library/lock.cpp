// SPDX-License-Identifier: BSD-3-Clause
// Locks (UPC 1.3 7.2.4), for programs of GCC-UPC and Clang-UPC: upcr's, and the ordering of accesses that
// table 5.3 of the design demands. When there is no memory for a lock it is a null pointer; all calls
// except those that free locks end the job when they are passed one. UPC threads.
#include "upcr/lock.h"
#include "gasp_upc.h"

#include "upcr/gmem_heap.h"
#include "upcr/gupc/abi/library/call.hpp"
#include "upcr/gupc/abi/tool/tool.hpp"
#include "upcr/misc.h"

namespace gupc {

extern "C" {

upc_shared_ptr_t upc_global_lock_alloc(void) {
  gupc_need_runtime("upc_global_lock_alloc");
  return gupc_from_upcr(upcri_gupc_lock_alloc());
}

// The older name.
upc_shared_ptr_t upc_lock_alloc(void) { return upc_global_lock_alloc(); }

upc_shared_ptr_t upc_all_lock_alloc(void) {
  gupc_need_runtime("upc_all_lock_alloc");
  upcr_shared_ptr_t made;
  if (upcr_mythread() == 0) {
    made = upcri_gupc_lock_alloc();
    upcr_broadcast_put(&made, sizeof made);
  } else {
    upcr_broadcast_get(&made, sizeof made);
  }
  return gupc_from_upcr(made);
}

void upc_lock(upc_shared_ptr_t p) {
  gupc_need_runtime("upc_lock");
  upcr_lock(gupc_to_upcr(p));
  upcri_gupc_sync(UPCRI_GUPC_LOCK);
}

int upc_lock_attempt(upc_shared_ptr_t p) {
  gupc_need_runtime("upc_lock_attempt");
  const int got = upcr_lock_attempt(gupc_to_upcr(p));
  if (got) upcri_gupc_sync(UPCRI_GUPC_LOCK_ATTEMPT);
  return got;
}

void upc_unlock(upc_shared_ptr_t p) {
  gupc_need_runtime("upc_unlock");
  upcri_gupc_sync(UPCRI_GUPC_UNLOCK);
  upcr_unlock(gupc_to_upcr(p));
}

void upc_lock_free(upc_shared_ptr_t p) { upcr_lock_free(gupc_to_upcr(p)); }
void upc_all_lock_free(upc_shared_ptr_t p) { upcr_all_lock_free(gupc_to_upcr(p)); }

upc_shared_ptr_t upc_global_lock_allocg(const char* file, int line) {
  return InstrumentedCall(file, line).allocation_span(GASP_UPC_GLOBAL_LOCK_ALLOC, [] {
    return upc_global_lock_alloc();
  });
}
upc_shared_ptr_t upc_all_lock_allocg(const char* file, int line) {
  return InstrumentedCall(file, line).allocation_span(GASP_UPC_ALL_LOCK_ALLOC, [] {
    return upc_all_lock_alloc();
  });
}
void upc_lockg(upc_shared_ptr_t p, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t lock = as_upcr_pointer(p);
  events.span(
      GASP_UPC_LOCK, [=] { upc_lock(p); }, &lock);
}
int upc_lock_attemptg(upc_shared_ptr_t p, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t lock = as_upcr_pointer(p);
  events.event(GASP_UPC_LOCK_ATTEMPT, GASP_START, &lock);
  const int got = upc_lock_attempt(p);
  events.event(GASP_UPC_LOCK_ATTEMPT, GASP_END, &lock, got);
  return got;
}
void upc_unlockg(upc_shared_ptr_t p, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t lock = as_upcr_pointer(p);
  events.span(
      GASP_UPC_UNLOCK, [=] { upc_unlock(p); }, &lock);
}
void upc_lock_freeg(upc_shared_ptr_t p, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t lock = as_upcr_pointer(p);
  events.span(
      GASP_UPC_LOCK_FREE, [=] { upc_lock_free(p); }, &lock);
}
void upc_all_lock_freeg(upc_shared_ptr_t p, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t lock = as_upcr_pointer(p);
  events.span(
      GASP_UPC_LOCK_FREE, [=] { upc_all_lock_free(p); }, &lock);
}

}  // extern "C"

}  // namespace gupc
