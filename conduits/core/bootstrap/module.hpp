// SPDX-License-Identifier: BSD-3-Clause
// What a module exports that can join a job for us, under the name `upcr_bootstrap_module`:
// upcr/bootstrap_pmix.so, and the modules of the mpi conduit. make_bootstrap.cpp loads them.
#pragma once
#include <memory>

#include "conduits/core/base/modules.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"

namespace upcr {

inline constexpr std::uint32_t kBootstrapAbi = 2;  // modules of another number are refused

struct BootstrapModule {
  ModuleHead head;
  // Joins the job; does not fail but by fatal(). Main thread, once.
  std::unique_ptr<Bootstrap> (*create)();
};

inline constexpr ModuleKind kPmixModuleKind = {"bootstrap", "bootstrap_", "upcr_bootstrap_module",
                                               kBootstrapAbi};
inline constexpr ModuleKind kMpiBootstrapKind = {"bootstrap", "conduit_", "upcr_bootstrap_module",
                                                 kBootstrapAbi};

}  // namespace upcr
