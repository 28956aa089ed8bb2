// SPDX-License-Identifier: BSD-3-Clause
// The atomic operations of core/rma/atomic.hpp, some of which a conduit may execute.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr {

enum class AtomType : std::uint8_t {
  kU32,
  kI32,
  kU64,
  kI64,
  kFloat,
  kDouble,
  kPair,  // 16 bytes: kGet, kSet, kSwap, kCas, which compares all but the last 4 bytes, and kMaskedCas, which
          // compares all but the first 4
};

enum class AtomOp : std::uint8_t {
  kGet,
  kSet,
  kSwap,
  kCas,         // a expected, b new; floating point compares bits
  kMaskedCas,   // 64 bits; a.low expected, a.high the bits to compare, b.low new (kPair: above)
  kMaskedSwap,  // a.low the bits to write, b.low the value; integers
  kAdd,
  kMult,
  kMin,
  kMax,
  kAnd,  // integers, and so on
  kOr,
  kXor,
};

// An operand or a result: the object's bytes, from low's lowest on.
struct AtomWord {
  std::uint64_t low = 0, high = 0;
};

constexpr std::size_t size_of(AtomType t) noexcept {
  return t == AtomType::kPair                                                  ? 16
         : t == AtomType::kU32 || t == AtomType::kI32 || t == AtomType::kFloat ? 4
                                                                               : 8;
}

}  // namespace upcr
