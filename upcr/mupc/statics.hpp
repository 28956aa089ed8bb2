// SPDX-License-Identifier: BSD-3-Clause
// Static shared data (start.cpp), for upc_free. UPC threads.
#pragma once
#include "mupc.h"

namespace mupc {

// Whether p points into an object of MUPC_SHARED.
bool is_static(mupc_shared_ptr_t p);

}  // namespace mupc
