// SPDX-License-Identifier: BSD-3-Clause
// XRC domains, and targets that several processes have open.
#pragma once
#include <infiniband/verbs.h>

#include "tests/ibv/emulated/fabric/fabric.hpp"

namespace emulated {

struct DomainHandle : ibv_xrcd {
  std::uint32_t id = 0;
  std::uint32_t uses = 0;  // by objects of this process that were made with this handle
};

// Under the mutex: gives it back if no process has it open any more.
void release_unheld(Domain& domain);

// The entries of verbs_context.
ibv_xrcd* open_xrcd(ibv_context* context, ibv_xrcd_init_attr* attributes);
int close_xrcd(ibv_xrcd* xrcd);
ibv_qp* open_qp(ibv_context* context, ibv_qp_open_attr* attributes);

}  // namespace emulated
