// SPDX-License-Identifier: BSD-3-Clause
// The object that a module with a bootstrap exports, under the name `upcr_bootstrap_module`:
// upcr/bootstrap_pmix.so, and the modules of the mpi conduit. launcher/launchers.cpp loads them.
#pragma once
#include <memory>

#include "conduits/core/base/modules.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"

namespace upcr {

inline constexpr std::uint32_t kBootstrapAbi = 4;  // modules of another version are refused

struct BootstrapModule {
  ModuleHead head;
  // Joins the job; fails by fatal() only. Main thread, once.
  std::unique_ptr<Bootstrap> (*create)();
};

inline constexpr ModuleKind kPmixModuleKind = {"bootstrap", "bootstrap_", "upcr_bootstrap_module",
                                               kBootstrapAbi};
inline constexpr ModuleKind kMpiBootstrapKind = {"bootstrap", "conduit_", "upcr_bootstrap_module",
                                                 kBootstrapAbi};

}  // namespace upcr
