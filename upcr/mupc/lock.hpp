// SPDX-License-Identifier: BSD-3-Clause
// Locks (lock.cpp), for upc_free. UPC threads.
#pragma once
#include "mupc.h"

namespace mupc {

// Whether p points to a lock; false if it does not point to shared memory. Reads memory of p's thread.
bool is_lock(mupc_shared_ptr_t p);

}  // namespace mupc
