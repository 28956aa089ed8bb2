// SPDX-License-Identifier: BSD-3-Clause
// How large this machine's caches are. Set-up time only. Any thread.
#pragma once
#include <cstddef>

namespace upcr {

// Bytes of the last-level cache that the calling thread's CPU uses, which it may share with others; 0: nobody
// knows. From the kernel's description (`root` is where CPUs are described, for tests): the C library's
// figure is that of all caches of a processor in some virtual machines, and is asked where there is no other.
std::size_t last_level_cache(const char* root = "/sys/devices/system/cpu") noexcept;

}  // namespace upcr
