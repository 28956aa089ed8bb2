// SPDX-License-Identifier: BSD-3-Clause
// A limit that gasnet_init() and gasnet_attach() share.
#pragma once
#include <cstddef>

#include "conduits/core/job/job.hpp"

namespace upcr::gasnet {

// Bytes of a Medium payload that a conduit carries at least, when it does not know more before attach.
inline constexpr std::size_t kMinMedium = 512;

}  // namespace upcr::gasnet
