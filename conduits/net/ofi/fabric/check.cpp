// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/fabric/check.hpp"

#include <rdma/fi_errno.h>

#include "conduits/core/base/report/error.hpp"

namespace upcr::ofi {

void check(std::int64_t error, const char* what) {
  if (error < 0)
    fatal("%s has failed: %s (%d)", what, ::fi_strerror(static_cast<int>(-error)), static_cast<int>(-error));
}

}  // namespace upcr::ofi
