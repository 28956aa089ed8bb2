// SPDX-License-Identifier: BSD-3-Clause
// Atomic domains (UPC 1.3 7.6, <upc_atomic.h>), for programs of GCC-UPC and Clang-UPC: upcr's. Type codes and
// operators are those of UPC 1.3 in both encodings (the library came after the change). Pointers-to-shared
// have the program's representation, so upcr gets a mask of the bits to compare. UPC threads.
#include "upcr/atomic.h"

#include <cstdint>

#include "upcr/gupc/abi/library/call.hpp"

// In this interface the names are functions.
#undef upc_all_atomicdomain_alloc
#undef upc_all_atomicdomain_free
#undef upc_atomic_relaxed
#undef upc_atomic_strict
#undef upc_atomic_isfast

namespace gupc {
namespace {

// The bits of a pointer that UPC_CSWAP compares: all but the phase (upcri_gupc_atomicdomain_alloc_pts).
std::uint64_t compared_of_pointer() {
#ifdef GUPC_PTS_packed
  return ~(upcri_gupc_format.phase_mask << upcri_gupc_format.phase_shift);
#else
  return upcri_gupc_format.address_last != 0 ? UPCRI_GUPC_ALL_BUT_FIRST : UPCRI_GUPC_ALL_BUT_LAST;
#endif
}

// A relaxed operation is a relaxed access, ordered with the thread's others to the same object. The length is
// that of the largest type, because only the domain knows the type.
void before_relaxed(upcr_shared_ptr_t target) {
  if (UPCRI_LIKELY(upcri_gupc_pending == 0)) return;
  const upcr_gmem_addr_t object = upcr_sptr_to_gmem_addr(target);
  upcri_gupc_before_update(object, sizeof(upc_shared_ptr_t));
}

upcr_pshared_ptr_t domain(upc_shared_ptr_t p) { return upcri_drop_phase(gupc_to_upcr(p)); }

}  // namespace

extern "C" {

upc_shared_ptr_t upc_all_atomicdomain_alloc(upc_type_t type, unsigned long ops, int hints) {
  const upcr_pshared_ptr_t d =
      type == UPC_PTS
          ? upcri_gupc_atomicdomain_alloc_pts(ops, hints, sizeof(upc_shared_ptr_t), compared_of_pointer())
          : _upcr_all_atomicdomain_alloc(type, ops, hints);
  return gupc_from_upcr(upcri_with_phase(d, 0));
}

void upc_all_atomicdomain_free(upc_shared_ptr_t d) { _upcr_all_atomicdomain_free(domain(d)); }

void upc_atomic_relaxed(upc_shared_ptr_t d, void* fetch_ptr, unsigned long op, upc_shared_ptr_t target,
                        const void* operand1, const void* operand2) {
  const upcr_shared_ptr_t at = argument(target);
  before_relaxed(at);
  _upcr_atomic_relaxed(domain(d), fetch_ptr, op, at, operand1, operand2);
}

void upc_atomic_strict(upc_shared_ptr_t d, void* fetch_ptr, unsigned long op, upc_shared_ptr_t target,
                       const void* operand1, const void* operand2) {
  const upcr_shared_ptr_t at = argument(target);
  complete_accesses();
  _upcr_atomic_strict(domain(d), fetch_ptr, op, at, operand1, operand2);
}

int upc_atomic_isfast(upc_type_t type, unsigned long ops, upc_shared_ptr_t addr) {
  return _upcr_atomic_isfast(type, ops, gupc_to_upcr(addr));
}

}  // extern "C"

}  // namespace gupc
