// SPDX-License-Identifier: BSD-3-Clause
// Facts about the job that upcr_perf reports and no UPC call returns.
#pragma once
#include <cstddef>
#include <string>

namespace perf {

const char* conduit_name();
std::string network_description();  // of the conduit, in one line
std::size_t heap_bytes();           // of each thread

}  // namespace perf
