// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: upcr's heaps.
#include "upcr/heap.h"
#include "upcr/mupc/pointer.hpp"

using namespace mupc;

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
  upcr_free(to_upcr(p));
}

}  // extern "C"
