// SPDX-License-Identifier: BSD-3-Clause
// Copies between places that are mapped in this process: what every path of every face ends in. Any thread.
#pragma once
#include <cstddef>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// Copies of stream_bytes() or more go past the caches: a store that does need not read the line first, which
// is a third of the traffic. That pays where source and destination do not fit the last-level cache together,
// wherever they are then: half of it, or UPCR_STREAM_SIZE. (The C library does it too, from three quarters of
// what it takes for the cache's size on.) The least is what inlined code leaves to atomic_copy.
inline constexpr std::size_t kLeastStream = std::size_t{8} << 20, kMostStream = std::size_t{1} << 30;
std::size_t stream_bytes() noexcept;
// For a last-level cache of this size; 0: unknown.
std::size_t stream_bytes_beside(std::size_t cache) noexcept;

// Copies with the promise of UPCR_ATOMIC_MEMSIZE: 1, 2, 4, 8 bytes that are aligned at both ends travel as
// one access, anything else as memcpy. Ranges may coincide, not overlap otherwise. What was copied is visible
// to whoever sees a later store of this thread.
UPCR_MODULE_API void atomic_copy(void* dst, const void* src, std::size_t bytes) noexcept;

}  // namespace upcr
