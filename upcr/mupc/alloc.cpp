// SPDX-License-Identifier: BSD-3-Clause
// Shared memory, from upcr's heaps. The states of locks and static data are in the heaps too, but upc_free
// refuses them.
#include "upcr/heap.h"
#include "upcr/mupc/lock.hpp"
#include "upcr/mupc/pointer.hpp"
#include "upcr/mupc/statics.hpp"

namespace mupc {

extern "C" {

mupc_shared_ptr_t upc_global_alloc(size_t nblocks, size_t nbytes) {
  check_running("upc_global_alloc");
  return from_upcr(upcr_global_alloc(nblocks, nbytes));
}

mupc_shared_ptr_t upc_all_alloc(size_t nblocks, size_t nbytes) {
  check_running("upc_all_alloc");
  return from_upcr(upcr_all_alloc(nblocks, nbytes));
}

mupc_shared_ptr_t upc_local_alloc(size_t nblocks, size_t nbytes) {
  check_running("upc_local_alloc");
  return from_upcr(upcr_local_alloc(nblocks, nbytes));
}

void upc_free(mupc_shared_ptr_t p) {
  check_running("upc_free");
  if (is_null(p)) return;
  const auto va = static_cast<unsigned long long>(p.va);
  if (is_static(p))
    upcri_err("upc_free: va %#llx of UPC thread %u is static data (MUPC_SHARED), which stays until the end",
              va, p.th);
  if (is_lock(p)) upcri_err("upc_free: va %#llx of UPC thread %u is a lock; call upc_lock_free", va, p.th);
  upcr_free(to_upcr(p));
}

}  // extern "C"

}  // namespace mupc
