// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>

namespace upcr::ofi {

// `error` is what a function of libfabric has returned: fatal if it is negative.
void check(std::int64_t error, const char* what);

}  // namespace upcr::ofi
