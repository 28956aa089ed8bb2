// SPDX-License-Identifier: BSD-3-Clause
// The collectives that move data (UPC 1.3 7.4.2), for programs of GCC-UPC and Clang-UPC: upcr's, with the
// pointers and flags of the program. Accesses of the calling thread are complete before it enters.
// Collective.
#include <cstddef>

#include "upcr/coll.h"
#include "upcr/gupc/abi/library/call.hpp"

namespace gupc {
namespace {

using Mover = void (*)(upcr_shared_ptr_t, upcr_shared_ptr_t, std::size_t, int);

void move(const char* function, Mover mover, upc_shared_ptr_t dst, upc_shared_ptr_t src, std::size_t nbytes,
          int flags) {
  const int how = flags_1_3(function, flags);
  const upcr_shared_ptr_t to = argument(dst), from = argument(src);
  complete_accesses();
  mover(to, from, nbytes, how);
}

}  // namespace

extern "C" {

void upc_all_broadcast(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_broadcast", bupc_all_broadcast, dst, src, nbytes, flags);
}
void upc_all_scatter(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_scatter", bupc_all_scatter, dst, src, nbytes, flags);
}
void upc_all_gather(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_gather", bupc_all_gather, dst, src, nbytes, flags);
}
void upc_all_gather_all(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_gather_all", bupc_all_gather_all, dst, src, nbytes, flags);
}
void upc_all_exchange(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_exchange", bupc_all_exchange, dst, src, nbytes, flags);
}

void upc_all_permute(upc_shared_ptr_t dst, upc_shared_ptr_t src, upc_shared_ptr_t perm, size_t nbytes,
                     int flags) {
  const int how = flags_1_3("upc_all_permute", flags);
  const upcr_shared_ptr_t to = argument(dst), from = argument(src);
  const upcr_pshared_ptr_t where = upcri_drop_phase(argument(perm));
  complete_accesses();
  bupc_all_permute(to, from, where, nbytes, how);
}

}  // extern "C"

}  // namespace gupc
