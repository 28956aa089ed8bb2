// SPDX-License-Identifier: BSD-3-Clause
// Gets and puts. The engine that orders the accesses of compiled code (upcr/gupc.h) orders these too.
#include "upcr/gupc.h"
#include "upcr/mupc/pointer.hpp"
#include "upcr/sptr_arith.h"

namespace mupc {

extern "C" {

void mupc_get(void* to, mupc_shared_ptr_t p, size_t bytes) {
  check_range("mupc_get", p, bytes);
  upcri_gupc_get(to, address(p), bytes, 0);
}

void mupc_get_start(void* to, mupc_shared_ptr_t p, size_t bytes) {
  check_range("mupc_get_start", p, bytes);
  upcri_gupc_start_get(to, address(p), bytes, 0);
}

void mupc_put(mupc_shared_ptr_t p, const void* from, size_t bytes) {
  check_range("mupc_put", p, bytes);
  upcri_gupc_put(address(p), from, bytes, 0);
}

void mupc_get_strict(void* to, mupc_shared_ptr_t p, size_t bytes) {
  check_range("mupc_get_strict", p, bytes);
  upcri_gupc_get(to, address(p), bytes, 1);
}

void mupc_put_strict(mupc_shared_ptr_t p, const void* from, size_t bytes) {
  check_range("mupc_put_strict", p, bytes);
  upcri_gupc_put(address(p), from, bytes, 1);
  upcr_gmem_sync_puts();
}

mupc_shared_ptr_t mupc_add(mupc_shared_ptr_t p, ptrdiff_t elements, size_t bytes, size_t block) {
  check_running("mupc_add");
  if (block == 0) return {p.va + static_cast<uint64_t>(elements) * bytes, p.th, 0};
  return from_upcr(upcr_add_shared(to_upcr(p), bytes, elements, block));
}

void* mupc_local(mupc_shared_ptr_t p) {
  check_range("mupc_local", p, 0);
  if (p.th != upcr_mythread())
    upcri_err(
        "mupc_local: the memory is that of UPC thread %u, not of the calling thread %u; use mupc_get and "
        "mupc_put",
        p.th, upcr_mythread());
  return upcr_shared_to_local(to_upcr(p));
}

}  // extern "C"

}  // namespace mupc
