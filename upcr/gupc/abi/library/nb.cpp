// SPDX-License-Identifier: BSD-3-Clause
// Non-blocking copies (UPC 1.3 7.7, <upc_nb.h>), for programs of GCC-UPC and Clang-UPC: upcr's non-blocking
// operations, which may be pending across fences and barriers. The engine that orders ordinary accesses does
// not know them, so pending accesses are completed first; in the other direction a program may not access
// memory that is being copied. UPC threads.
#include <cstddef>

#include "upcr/bulk.h"
#include "upcr/gupc/abi/library/call.hpp"

namespace gupc {

using upc_handle_t = unsigned long;  // 0: complete

namespace {

upc_handle_t number(upcr_handle_t h) { return reinterpret_cast<upc_handle_t>(h); }
upcr_handle_t handle(upc_handle_t h) { return reinterpret_cast<upcr_handle_t>(h); }

upcr_handle_t get(const char* function, void* dst, upc_shared_ptr_t src, std::size_t n, unsigned how) {
  if (n == 0) return UPCR_INVALID_HANDLE;
  const upcr_shared_ptr_t from = argument(src, n);
  complete_accesses();
  return upcri_get_nb(function, dst, from, 0, n, how | UPCRI_NB_GET | UPCRI_NB_BULK);
}

upcr_handle_t put(const char* function, upc_shared_ptr_t dst, const void* src, std::size_t n, unsigned how) {
  if (n == 0) return UPCR_INVALID_HANDLE;
  const upcr_shared_ptr_t to = argument(dst, n);
  complete_accesses();
  return upcri_put_nb(function, to, 0, src, n, how | UPCRI_NB_BULK);
}

upcr_handle_t copy(const char* function, upc_shared_ptr_t dst, upc_shared_ptr_t src, std::size_t n,
                   unsigned how) {
  if (n == 0) return UPCR_INVALID_HANDLE;
  const upcr_shared_ptr_t to = argument(dst, n), from = argument(src, n);
  complete_accesses();
  return upcri_memcpy_nb(function, to, from, n, how | UPCRI_NB_BULK);
}

upcr_handle_t set(const char* function, upc_shared_ptr_t dst, int c, std::size_t n, unsigned how) {
  if (n == 0) return UPCR_INVALID_HANDLE;
  const upcr_shared_ptr_t to = argument(dst, n);
  complete_accesses();
  return upcri_memset_nb(function, to, c, n, how | UPCRI_NB_BULK);
}

}  // namespace

extern "C" {

upc_handle_t upc_memget_nb(void* dst, upc_shared_ptr_t src, size_t n) {
  return number(get("upc_memget_nb", dst, src, n, 0));
}
upc_handle_t upc_memput_nb(upc_shared_ptr_t dst, const void* src, size_t n) {
  return number(put("upc_memput_nb", dst, src, n, 0));
}
upc_handle_t upc_memcpy_nb(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n) {
  return number(copy("upc_memcpy_nb", dst, src, n, 0));
}
upc_handle_t upc_memset_nb(upc_shared_ptr_t dst, int c, size_t n) {
  return number(set("upc_memset_nb", dst, c, n, 0));
}

void upc_memget_nbi(void* dst, upc_shared_ptr_t src, size_t n) {
  (void)get("upc_memget_nbi", dst, src, n, UPCRI_NB_IMPLICIT);
}
void upc_memput_nbi(upc_shared_ptr_t dst, const void* src, size_t n) {
  (void)put("upc_memput_nbi", dst, src, n, UPCRI_NB_IMPLICIT);
}
void upc_memcpy_nbi(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n) {
  (void)copy("upc_memcpy_nbi", dst, src, n, UPCRI_NB_IMPLICIT);
}
void upc_memset_nbi(upc_shared_ptr_t dst, int c, size_t n) {
  (void)set("upc_memset_nbi", dst, c, n, UPCRI_NB_IMPLICIT);
}

void upc_sync(upc_handle_t h) {
  if (h != 0) upcri_wait_nb("upc_sync", handle(h), 0);
}
int upc_sync_attempt(upc_handle_t h) { return h == 0 || upcri_try_nb("upc_sync_attempt", handle(h), 0); }
void upc_synci(void) { upcri_wait_nbi("upc_synci", 1, 1); }
int upc_synci_attempt(void) { return upcri_try_nbi("upc_synci_attempt", 1, 1); }

}  // extern "C"

}  // namespace gupc
