// SPDX-License-Identifier: BSD-3-Clause
// Copies and fills of shared memory of any two threads. UPC threads; not from a handler.
#pragma once
#include "upcr/pointer/pointer.hpp"

namespace upcr {

// Start a copy, whose source must stay as it is, or a fill, and count it in `done`. If neither end is mapped
// here, the process that owns the source sends the data (core/rma/deferred_requests).
void copy_bytes_nb(SharedAddr to, SharedAddr from, std::size_t bytes, Pending& done);
void fill_bytes_nb(SharedAddr to, int byte, std::size_t bytes, Pending& done);

}  // namespace upcr
