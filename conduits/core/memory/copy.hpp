// SPDX-License-Identifier: BSD-3-Clause
// Copies between addresses that are mapped in this process. Every path of both client APIs ends here. Any
// thread.
#pragma once
#include <cstddef>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// Copies of stream_bytes() or more use streaming stores, which bypass the caches and need not read the line
// first; that saves a third of the memory traffic. It pays where source and destination together do not fit
// the last-level cache, so the threshold is half of that cache, or UPCR_STREAM_SIZE. (The C library does the
// same from three quarters of its estimate of the cache's size on.) Inlined code calls atomic_copy() from
// kMinStream on, so no threshold is smaller.
inline constexpr std::size_t kMinStream = std::size_t{8} << 20, kMaxStream = std::size_t{1} << 30;
std::size_t stream_bytes() noexcept;
// For a last-level cache of this size; 0: unknown.
std::size_t stream_bytes_beside(std::size_t cache) noexcept;

// Copies with the guarantee of UPCR_ATOMIC_MEMSIZE: 1, 2, 4, 8 bytes that are aligned at both ends are copied
// by one access, others as by memcpy. Ranges may coincide but not overlap otherwise. A thread that sees a
// later store of this thread sees the copied bytes.
UPCR_MODULE_API void atomic_copy(void* dst, const void* src, std::size_t bytes) noexcept;

}  // namespace upcr
