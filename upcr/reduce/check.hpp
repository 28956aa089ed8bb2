// SPDX-License-Identifier: BSD-3-Clause
// Checks of the arguments of reductions and sorts (UPC 1.3 7.4.3). UPC threads, inside the collective call.
// Debug builds check everything; release builds only what would leave results unwritten.
#pragma once
#include "upcr/coll/call/call.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/reduce/layout.hpp"
#include "upcr/reduce/reduce_op.hpp"

namespace upcr::coll {

// A shared array that is an argument of a collective.
struct ArrayArgument {
  const char* name;
  upcr_shared_ptr_t pointer;
  std::size_t element_bytes, nelems, blk_size;
  bool aligned;  // elements are of an arithmetic type
};

// Debug and release. Fatal unless both pointers of a prefix reduction have the same thread and phase: else an
// element of the result and that of the source would have affinity to different threads.
void check_prefix_affinity(Call& call, upcr_shared_ptr_t dst, upcr_shared_ptr_t src);

#if UPCR_DEBUG
// Fatal unless all threads passed the same arguments.
void check_reduce_arguments(Call& call, upcr_shared_ptr_t dst, const ArrayArgument& src, upc_op_t op);
void check_sort_arguments(Call& call, const ArrayArgument& array);
// Fatal unless this thread's part of the array is shared memory, the pointer aligned, its phase in the block.
void check_array(Call& call, const ArrayArgument& array, const Layout& layout);
// check_array() for this thread's part of dst; fatal too if it overlaps that of src.
void check_prefix_dst(Call& call, const ArrayArgument& dst, const ArrayArgument& src, const Layout& layout);
// Fatal unless the result can be stored; `all`: on every thread.
void check_result(Call& call, upcr_shared_ptr_t dst, bool all, const ArrayArgument& src,
                  const Layout& layout);
#else
inline void check_reduce_arguments(Call&, upcr_shared_ptr_t, const ArrayArgument&, upc_op_t) {}
inline void check_sort_arguments(Call&, const ArrayArgument&) {}
inline void check_array(Call&, const ArrayArgument&, const Layout&) {}
inline void check_prefix_dst(Call&, const ArrayArgument&, const ArrayArgument&, const Layout&) {}
inline void check_result(Call&, upcr_shared_ptr_t, bool, const ArrayArgument&, const Layout&) {}
#endif

}  // namespace upcr::coll
