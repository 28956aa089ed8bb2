// SPDX-License-Identifier: BSD-3-Clause
// The heaps' names for clients of include/upcr/gmem_heap.h. Declared here, where the heaps are set up, and
// defined by upcr/gupc, whose calls take them.
#pragma once

namespace upcr {

// Sets upcr_global_heap and upcr_local_heap. Called once a process, by its first UPC thread, before the
// program.
void name_heaps();

}  // namespace upcr
