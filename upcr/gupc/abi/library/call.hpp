// SPDX-License-Identifier: BSD-3-Clause
// Common to the library functions of programs of GCC-UPC and Clang-UPC, before they call upcr's: completion
// of earlier accesses, and flags and operators in the values of UPC 1.3. UPC threads.
//
// There are two encodings, whose values are constants in object files; upcc's first object tells which one
// the program has (upcc --encoding):
//   gupc-1.3    flags IN_ALLSYNC 1, IN_MYSYNC 2, IN_NOSYNC 4, OUT_ALLSYNC 8, ...; operators 1 << 0, 1 << 1,
//   ... gupc-2012   flags IN_NOSYNC 1, IN_MYSYNC 2, OUT_NOSYNC 4, OUT_MYSYNC 8, ALLSYNC 0; operators 0, 1, 2,
//   ...
#pragma once
#include <cstddef>

#include "upcr/encoding.h"
#include "upcr/gupc/abi/pointer/convert.h"
#include "upcr/gupc/abi/pointer/position.hpp"

namespace gupc {

// A collective's flags, with both halves. Fatal if the encoding has no such flags.
int flags_1_3(const char* function, int flags);
// A reduction's operator. Fatal if gupc-2012 has no such operator; upcr refuses unknown ones of gupc-1.3.
unsigned long long op_1_3(const char* function, unsigned long long op);

// Completes earlier accesses of this thread: for calls that access the same memory without the ordering
// engine (upcri_gupc_*).
inline void complete_accesses() {
  if (UPCRI_UNLIKELY(upcri_gupc_pending != 0)) upcri_gupc_sync(UPCRI_GUPC_FENCE);
}

// A pointer to `bytes` bytes that a call will access. Fatal if it is null or invalid.
inline upcr_shared_ptr_t argument(upc_shared_ptr_t p, std::size_t bytes = 1) {
  const upcr_gmem_addr_t a = gupc_checked(p, bytes);
  return upcri_make_shared(a.offset, a.thread, gupc_phase(p));
}

// The same for an array; not checked if it has no elements.
inline upcr_shared_ptr_t array_argument(upc_shared_ptr_t p, std::size_t elements) {
  return elements != 0 ? argument(p) : gupc_to_upcr(p);
}

}  // namespace gupc
