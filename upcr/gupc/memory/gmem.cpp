// SPDX-License-Identifier: BSD-3-Clause
// The counting functions of gmem.h (chapter 13 of the design). They are relaxed transfers that wait for no
// row of the table. UPC threads, not in a handler.
#include "include/upcr/gmem.h"

#include "conduits/core/base/report/error.hpp"
#include "upcr/gupc/memory/check_range.hpp"
#include "upcr/gupc/memory/move.hpp"

namespace upcr::gupc {
namespace {

void wait_for(const char* function, unsigned accesses) {
  ThreadCtx& c = ctx(function);
  if (c.transfers != nullptr) c.transfers->wait_for(accesses);
}

}  // namespace

extern "C" {

UPCRI_API void upcr_error(const char* message) { fatal("%s", message); }

UPCRI_API void* upcr_gmem_shared_offset_to_local_addr(uint64_t offset) {
  return ctx("upcr_gmem_shared_offset_to_local_addr").segment + offset;
}

UPCRI_API void upcr_gmem_get(void* dest, upcr_gmem_addr_t src, size_t n) {
  ThreadCtx& c = ctx("upcr_gmem_get");
  start_get(c, kRelaxedRead, dest, checked_range("upcr_gmem_get", src, n), n);
}

UPCRI_API void upcr_gmem_put(upcr_gmem_addr_t dest, void* src, size_t n) {
  ThreadCtx& c = ctx("upcr_gmem_put");
  start_put(c, kRelaxedWrite, checked_range("upcr_gmem_put", dest, n), src, n);
}

UPCRI_API void upcr_gmem_copy(upcr_gmem_addr_t dest, upcr_gmem_addr_t src, size_t n) {
  ThreadCtx& c = ctx("upcr_gmem_copy");
  start_copy(c, kRelaxedWrite, checked_range("upcr_gmem_copy", dest, n),
             checked_range("upcr_gmem_copy", src, n), n);
}

UPCRI_API void upcr_gmem_set(upcr_gmem_addr_t dest, int c, size_t n) {
  ThreadCtx& me = ctx("upcr_gmem_set");
  start_set(me, kRelaxedWrite, checked_range("upcr_gmem_set", dest, n), c, n);
}

UPCRI_API void upcr_gmem_sync(void) { wait_for("upcr_gmem_sync", kReads | kWrites); }
UPCRI_API void upcr_gmem_sync_gets(void) { wait_for("upcr_gmem_sync_gets", kReads); }
UPCRI_API void upcr_gmem_sync_puts(void) { wait_for("upcr_gmem_sync_puts", kWrites); }

}  // extern "C"

}  // namespace upcr::gupc
