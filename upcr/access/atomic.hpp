// SPDX-License-Identifier: BSD-3-Clause
// One atomic operation on a shared object, wherever it is. Blocking; UPC threads, not from a handler.
#pragma once
#include "conduits/core/rma/atomic.hpp"
#include "upcr/pointer/pointer.hpp"

namespace upcr {

// Returns what was there before.
AtomWord atomic_at(SharedAddr at, AtomType type, AtomOp op, AtomWord a, AtomWord b = {});

}  // namespace upcr
