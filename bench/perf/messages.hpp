// SPDX-License-Identifier: BSD-3-Clause
// Active messages of upcr_perf, by the library's inner interface (there is no public one in UPC).
#pragma once
#include <cstddef>
#include <cstdint>

namespace perf {

// Every process once, before a barrier.
void register_messages();
const char* conduit_name();
std::size_t largest_medium();
// Does the thread live in another process than the caller?
bool in_other_process(unsigned thread);

// Thread 0: one request after the other to the thread's process, each answered before the next.
void ask(unsigned thread, const void* data, std::size_t bytes, std::uint64_t times);
// The other side: serves until `times` requests have come since the last serve().
void serve(std::uint64_t times);

}  // namespace perf
