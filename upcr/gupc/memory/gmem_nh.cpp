// SPDX-License-Identifier: BSD-3-Clause
// Transfers with handles (chapter 18 of the design, which has their interface only): handles of nb.hpp. A
// conduit copies a short source itself, so they need no bounce buffer, which could not detect when a part of
// it is free again. UPC threads, not in a handler.
#include "include/upcr/gmem.h"
#include "upcr/access/bulk.hpp"
#include "upcr/access/data.hpp"
#include "upcr/access/nb.hpp"
#include "upcr/gupc/memory/check_range.hpp"

namespace upcr {

extern "C" {

UPCRI_API upcr_gmem_handle_t upcr_gmem_get_nh(void* dest, upcr_gmem_addr_t src, size_t n) {
  const SharedAddr from = checked_range("upcr_gmem_get_nh", src, n);
  Operation op(ctx("upcr_gmem_get_nh"), "upcr_gmem_get_nh", UPCRI_NB_BULK | UPCRI_NB_GET, n);
  get_bytes_nb(dest, from, n, op.pending());
  return op.finish();
}

UPCRI_API upcr_gmem_handle_t upcr_gmem_put_nh(upcr_gmem_addr_t dest, void* src, size_t n) {
  const SharedAddr to = checked_range("upcr_gmem_put_nh", dest, n);
  Operation op(ctx("upcr_gmem_put_nh"), "upcr_gmem_put_nh", UPCRI_NB_BULK, n);
  put_bytes_nb(to, src, n, op.pending(), n <= UPCR_GMEM_MAX_SAFE_PUT_SIZE ? nullptr : &op.pending());
  return op.finish();
}

UPCRI_API upcr_gmem_handle_t upcr_gmem_copy_nh(upcr_gmem_addr_t dest, upcr_gmem_addr_t src, size_t n) {
  const SharedAddr to = checked_range("upcr_gmem_copy_nh", dest, n);
  const SharedAddr from = checked_range("upcr_gmem_copy_nh", src, n);
  Operation op(ctx("upcr_gmem_copy_nh"), "upcr_gmem_copy_nh", UPCRI_NB_BULK, n);
  if (n > UPCR_GMEM_MAX_SAFE_PUT_SIZE) {
    copy_bytes_nb(to, from, n, op.pending());
  } else if (n != 0) {  // the source has been read on return
    char data[UPCR_GMEM_MAX_SAFE_PUT_SIZE];
    get_bytes(data, from, n);
    put_bytes_nb(to, data, n, op.pending(), nullptr);
  }
  return op.finish();
}

UPCRI_API upcr_gmem_handle_t upcr_gmem_set_nh(upcr_gmem_addr_t dest, int c, size_t n) {
  const SharedAddr to = checked_range("upcr_gmem_set_nh", dest, n);
  Operation op(ctx("upcr_gmem_set_nh"), "upcr_gmem_set_nh", UPCRI_NB_BULK, n);
  fill_bytes_nb(to, c, n, op.pending());
  return op.finish();
}

UPCRI_API void upcr_gmem_wait_all_nh(upcr_gmem_handle_t* which, size_t n) {
  upcri_wait_nb_all("upcr_gmem_wait_all_nh", which, n);
}

UPCRI_API void upcr_gmem_wait_any_nh(upcr_gmem_handle_t* which, size_t n) {
  upcri_wait_nb_some("upcr_gmem_wait_any_nh", which, n);
}

}  // extern "C"

}  // namespace upcr
