// SPDX-License-Identifier: BSD-3-Clause
// The sizes of this machine's caches. Set-up time only. Any thread.
#pragma once
#include <cstddef>

namespace upcr {

// Bytes of the last-level cache that the calling thread's CPU uses, which it may share with others; 0: not
// known. From the kernel's description of the CPUs (below `root`, for tests): the C library's figure, which
// is used where there is none, is the sum over all caches of a processor in some virtual machines.
std::size_t last_level_cache(const char* root = "/sys/devices/system/cpu") noexcept;

}  // namespace upcr
