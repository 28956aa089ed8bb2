// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "conduits/core/base/system/unique_fd.hpp"

namespace upcrun {

using upcr::UniqueFd;

}  // namespace upcrun
