// SPDX-License-Identifier: BSD-3-Clause
// One atomic operation on a shared object, wherever it is. Blocking; UPC threads, not from a handler.
#pragma once
#include "conduits/core/rma/atomic.hpp"
#include "upcr/pointer/pointer.hpp"

namespace upcr {

// Returns the value before.
AtomWord atomic_at(SharedAddr at, AtomType type, AtomOp op, AtomWord a, AtomWord b = {});

// The same on a word of the runtime's own: an unsigned integer of 64 bits.
inline std::uint64_t amo64(SharedAddr at, AtomOp op, std::uint64_t a, std::uint64_t b = 0) {
  return atomic_at(at, AtomType::kU64, op, {a}, {b}).low;
}

}  // namespace upcr
