// SPDX-License-Identifier: BSD-3-Clause
// What the parts of this layer give each other at attach.
#pragma once
#include <cstddef>

#include "conduits/core/job/job.hpp"

namespace upcr::gasnet {

// A conduit that does not know its packets before attach carries at least these.
inline constexpr std::size_t kLeastMedium = 512;

}  // namespace upcr::gasnet
