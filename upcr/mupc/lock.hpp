// SPDX-License-Identifier: BSD-3-Clause
// Locks (lock.cpp), for upc_free. UPC threads.
#pragma once
#include "mupc.h"

namespace mupc {

// Whether a lock begins here; false where there is no shared memory. Reads from p's thread.
bool is_lock(mupc_shared_ptr_t p);

}  // namespace mupc
