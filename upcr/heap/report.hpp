// SPDX-License-Identifier: BSD-3-Clause
// Messages of the heaps: errors with their numbers, and the statistics at exit. UPC threads.
#pragma once
#include <cstddef>
#include <cstdint>

#include "include/upcr/heap.h"
#include "upcr/heap/call.hpp"

namespace upcr {

using HeapInfo = struct ::upcr_heap_info;

// Fills the public structure for the segment of `thread`.
void collect_heap_info(Slot caller, Slot thread, HeapInfo* info);

// Out of memory: `bytes` on `thread`, or on each thread when `global`.
[[noreturn]] void report_exhausted(Slot caller, const char* function, std::uint64_t bytes, Slot thread,
                                   bool global);
// `function` was to free `pointer`, allocated for `use`, and `reply` says why it did not.
[[noreturn]] void report_bad_free(const char* function, upcr_shared_ptr_t pointer, BlockUse use,
                                  const ReleaseBlock::Reply& reply);
// The line of UPCR_HEAP_STATS=yes, on stderr.
void print_heap_stats(Slot caller);

}  // namespace upcr
