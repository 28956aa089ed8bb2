// SPDX-License-Identifier: BSD-3-Clause
// Starting an operation of the conduit's own, for core/rma. Any thread that may poll; not from a handler.
#pragma once
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/progress/progress.hpp"

namespace upcr {

// Calls start(), which returns the conduit's Status, until the conduit has room. True: the operation is
// complete or started; false: the conduit does not do this at all.
template <typename Start>
bool start_native(ProgressEngine& progress, Start&& start) {
  for (;;) {
    switch (start()) {
      case Status::kOk:
      case Status::kInProgress:
        return true;
      case Status::kNotSupported:
        return false;
      case Status::kNoResource:
        if (progress.poll() == 0) cpu_relax_or_yield();
        break;
      case Status::kFatal:
        fatal("the conduit could not start a remote memory access");
    }
  }
}

}  // namespace upcr
