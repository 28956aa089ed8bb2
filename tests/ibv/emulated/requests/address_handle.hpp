// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <infiniband/verbs.h>

namespace emulated {

struct AddressHandle : ibv_ah {
  ibv_ah_attr attributes = {};
};

}  // namespace emulated
