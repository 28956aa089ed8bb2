// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

#include "tools/upc2c/loop/plan.hpp"

namespace upc2c {

// What -Rupc says of a loop that is transformed: which iterations and accesses become what.
std::string remark_of(const LoopPlan& plan, const References& references);

}  // namespace upc2c
