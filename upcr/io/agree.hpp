// SPDX-License-Identifier: BSD-3-Clause
// Reductions over all UPC threads for UPC-IO: the first error, the number of bytes that all of them moved,
// whether all are ready. UPC threads, collectively and in the same order; not from a handler.
#pragma once
#include <cstdint>
#include <initializer_list>

#include "upcr/io/state.hpp"

namespace upcr {

// An argument that must be the same on all threads: debug builds compare.
struct SingleValued {
  const char* name;
  std::uint64_t value;
};
using SingleValuedArgs = std::initializer_list<SingleValued>;

struct Agreement {
  int error = 0;          // errno of the first thread that had one
  std::uint64_t sum = 0;  // over all threads
};

// Contains a barrier: no thread returns before all have called.
Agreement agree(ThreadCtx& c, const char* function, SingleValuedArgs args, int error = 0,
                std::uint64_t sum = 0);
// Debug builds: only the checks of agree(). Release builds: nothing.
inline void check_single_valued_args(ThreadCtx& c, const char* function, SingleValuedArgs args) {
#if UPCR_DEBUG
  (void)agree(c, function, args);
#endif
}

// A barrier of the runtime's own. Fatal between upcr_notify and upcr_wait.
void io_barrier(ThreadCtx& c, const char* function);

}  // namespace upcr
