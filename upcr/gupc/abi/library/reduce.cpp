// SPDX-License-Identifier: BSD-3-Clause
// The 22 reductions (UPC 1.3 7.4.3), for programs of GCC-UPC and Clang-UPC: upcr's, with the pointers, flags
// and operators of the program. Accesses of the calling thread are complete before it enters. Collective.
#include <cstddef>

#include "upcr/coll_reduce.h"
#include "upcr/gupc/abi/library/call.hpp"

namespace gupc {
namespace {

struct Arguments {
  upc_shared_ptr_t dst, src;
  unsigned long long op;
  std::size_t nelems, blk_size;
  void (*func)();  // its parameters and result are values, so the ABI is that of upcr's functions
  int flags;
};

void reduce(const char* function, upcri_reduce_kind kind, upcri_reduce_type type, const Arguments& a) {
  const int flags = flags_1_3(function, a.flags);
  const unsigned long long op = op_1_3(function, a.op);
  const upcr_shared_ptr_t dst = array_argument(a.dst, a.nelems), src = array_argument(a.src, a.nelems);
  complete_accesses();
  upcri_reduce(kind, type, dst, src, op, a.nelems, a.blk_size, a.func, flags);
}

}  // namespace

#define GUPC_REDUCTION(name, kind, T, TYPE)                                                               \
  void name(upc_shared_ptr_t dst, upc_shared_ptr_t src, unsigned long op, size_t nelems, size_t blk_size, \
            TYPE (*func)(TYPE, TYPE), int flags) {                                                        \
    reduce(#name, kind, UPCRI_TYPE_##T,                                                                   \
           {dst, src, op, nelems, blk_size, reinterpret_cast<void (*)(void)>(func), flags});              \
  }
#define GUPC_REDUCTIONS(T, TYPE)                           \
  GUPC_REDUCTION(upc_all_reduce##T, UPCRI_REDUCE, T, TYPE) \
  GUPC_REDUCTION(upc_all_prefix_reduce##T, UPCRI_PREFIX_REDUCE, T, TYPE)

extern "C" {
UPCRI_REDUCE_TYPES(GUPC_REDUCTIONS)
}  // extern "C"

}  // namespace gupc
