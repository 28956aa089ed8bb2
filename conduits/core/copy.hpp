// SPDX-License-Identifier: BSD-3-Clause
// Copies between places that are mapped in this process: what every path of every face ends in. Any thread.
#pragma once
#include <cstddef>

#include "conduits/base/visibility.hpp"

namespace upcr {

// From this size on a copy goes past the caches: a store that does need not read the line first, which is a
// third of the traffic. A copy alone gains from 2 MiB on, the size of a core's own cache, but a copy with a
// reader right behind it only here. (The C library does it too, from three quarters of the last-level cache
// on, which belongs to all cores of a large machine.)
inline constexpr std::size_t kStreamBytes = std::size_t{8} << 20;

// Copies with the promise of UPCR_ATOMIC_MEMSIZE: 1, 2, 4, 8 bytes that are aligned at both ends travel as
// one access, anything else as memcpy. Ranges may coincide, not overlap otherwise. What was copied is visible
// to whoever sees a later store of this thread.
UPCR_MODULE_API void atomic_copy(void* dst, const void* src, std::size_t bytes) noexcept;

}  // namespace upcr
