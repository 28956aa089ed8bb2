// SPDX-License-Identifier: BSD-3-Clause
// Messages of the heaps: errors with their numbers, and the statistics at exit. UPC threads.
#pragma once
#include <cstddef>
#include <cstdint>

#include "include/upcr/heap.h"
#include "upcr/heap/service.hpp"

namespace upcr {

using HeapInfo = struct ::upcr_heap_info;

// Fills the public structure for one thread's segment. `slot`: the caller.
void collect_heap_info(Slot slot, Slot thread, HeapInfo* info);

// `bytes` (on `thread`, or on each thread when `global`) were not to be had.
[[noreturn]] void report_exhausted(Slot slot, const char* function, std::uint64_t bytes, Slot thread,
                                   bool global);
// `function` was to free `pointer`, allocated for `use`, and `reply` says why it did not.
[[noreturn]] void report_bad_free(const char* function, upcr_shared_ptr_t pointer, BlockUse use,
                                  const HeapReply& reply);
// The line of UPCR_HEAP_STATS=yes on stderr.
void print_heap_stats(Slot slot);

}  // namespace upcr
