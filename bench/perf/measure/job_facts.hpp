// SPDX-License-Identifier: BSD-3-Clause
// What upcr_perf reports of its job and no UPC call returns.
#pragma once
#include <cstddef>

namespace perf {

const char* conduit_name();
std::size_t heap_bytes();  // of each thread

}  // namespace perf
