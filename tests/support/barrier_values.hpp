// SPDX-License-Identifier: BSD-3-Clause
// Values of threads in barriers, for tests.
#pragma once
#include "conduits/core/barrier/summary.hpp"

namespace upcr::test {

inline BarrierValue named(std::int32_t v) { return {BarrierKind::kNamed, v}; }
inline constexpr BarrierValue kAnonymous{BarrierKind::kAnonymous, 77};
inline constexpr BarrierValue kUnnamed{BarrierKind::kUnnamed, 0};
inline constexpr BarrierValue kExit{BarrierKind::kExit, 0};

inline bool equal(const BarrierResult& a, const BarrierResult& b) {
  return a.mismatch == b.mismatch && a.first.kind == b.first.kind && a.first.value == b.first.value &&
         a.first_thread == b.first_thread &&
         (!a.mismatch || (a.second.kind == b.second.kind && a.second.value == b.second.value &&
                          a.second_thread == b.second_thread));
}

}  // namespace upcr::test
