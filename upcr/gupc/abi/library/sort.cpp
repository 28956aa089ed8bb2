// SPDX-License-Identifier: BSD-3-Clause
// Collectives of GCC-UPC that are not in UPC 1.3: upc_all_sort, upc_coll_init, upc_coll_err (the UPC
// Collective Operations 1.0 and their reference implementation). Collective.
#include <cstdint>
#include <cstdio>

#include "upcr/allv.h"
#include "upcr/coll_reduce.h"
#include "upcr/gupc/abi/library/call.hpp"
#include "upcr/layout.h"

namespace gupc {
namespace {

using Compare = int (*)(upc_shared_ptr_t, upc_shared_ptr_t);

// The program's function, while the calling thread sorts. upcr calls its comparison on that thread only, with
// pointers of its own form.
thread_local Compare comparing;

int compare(upcr_shared_ptr_t a, upcr_shared_ptr_t b) {
  return comparing(gupc_from_upcr(a), gupc_from_upcr(b));
}

// The arguments of upc_coll_err, as numbers, so that padding is not compared.
struct Argument {
  const char* name;
  std::uint64_t value;
};
constexpr int kArguments = 15;

[[noreturn]] void refuse(const Argument& mine, std::uint64_t first) {
  char text[240];
  std::snprintf(
      text, sizeof text,
      "upc_coll_err: %s is %#llx on thread %u, but %#llx on thread 0; all threads must make the same "
      "collective call with the same arguments",
      mine.name, static_cast<unsigned long long>(mine.value), upcri_mythread_,
      static_cast<unsigned long long>(first));
  upcri_gupc_fatal(text);
}

std::uint64_t address(upc_shared_ptr_t p) { return gupc_is_null(p) ? ~std::uint64_t{0} : gupc_offset(p); }

}  // namespace

extern "C" {

void upc_all_sort(upc_shared_ptr_t array, size_t elem_size, size_t nelems, size_t blk_size, Compare func,
                  int flags) {
  const int how = flags_1_3("upc_all_sort", flags);
  const upcr_shared_ptr_t where = array_argument(array, nelems);
  complete_accesses();
  comparing = func;
  upcri_sort(where, elem_size, nelems, blk_size, func != nullptr ? compare : nullptr, how);
}

// Does nothing: start-up has set up collectives.
void upc_coll_init(void) { upcri_check_thread("upc_coll_init"); }

// Fatal unless all threads pass the same values; `upc_coll_op` is the collective that the caller is about to
// call.
void upc_coll_err(upc_shared_ptr_t dst, upc_shared_ptr_t src, upc_shared_ptr_t perm, size_t nbytes,
                  int sync_mode, size_t blk_size, size_t nelems, unsigned long op, int upc_coll_op) {
  upcri_check_thread("upc_coll_err");
  const Argument mine[kArguments] = {{"upc_coll_op", static_cast<unsigned>(upc_coll_op)},
                                     {"the thread of dst", gupc_thread(dst)},
                                     {"the phase of dst", gupc_phase(dst)},
                                     {"the address of dst", address(dst)},
                                     {"the thread of src", gupc_thread(src)},
                                     {"the phase of src", gupc_phase(src)},
                                     {"the address of src", address(src)},
                                     {"the thread of perm", gupc_thread(perm)},
                                     {"the phase of perm", gupc_phase(perm)},
                                     {"the address of perm", address(perm)},
                                     {"nbytes", nbytes},
                                     {"sync_mode", static_cast<unsigned>(sync_mode)},
                                     {"blk_size", blk_size},
                                     {"nelems", nelems},
                                     {"op", static_cast<unsigned>(op)}};
  std::uint64_t first[kArguments];
  for (int i = 0; i < kArguments; ++i) first[i] = mine[i].value;
  upcri_allv_broadcast(first, sizeof first, 0);
  for (int i = 0; i < kArguments; ++i)
    if (first[i] != mine[i].value) refuse(mine[i], first[i]);
}

}  // extern "C"

}  // namespace gupc
