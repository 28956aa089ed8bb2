// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace upcr {

// Sets upcr_global_heap and upcr_local_heap. Once a process, by its first UPC thread, before the program.
void name_heaps();

}  // namespace upcr
