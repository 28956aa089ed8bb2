// SPDX-License-Identifier: BSD-3-Clause
// Which iterations of a upc_forall loop are the calling thread's, by its affinity.
#pragma once
#include <cstdint>
#include <string_view>

#include "tools/upc2c/analysis/linear.hpp"

namespace upc2c {

// How many iterations a thread goes on from one of its own to the next.
enum class Pace : std::uint8_t {
  kEach,     // 1, within a part of the iterations that is its own
  kThreads,  // THREADS
  kVaries,   // a divisor of THREADS
};

// Which iterations are the calling thread's.
struct Ownership {
  enum class Form : std::uint8_t {
    kAll,      // all of them
    kInteger,  // by an integer: iteration k has the number of the first one and k * stride, modulo THREADS
    kCyclic,   // by an element of an array of block size 1, `stride` elements further with each iteration
    kBlocked,  // the same for larger blocks; the stride is a constant
    kOne,      // one thread's: the element of all iterations is on one thread
  } form = Form::kAll;
  const Expr* affinity = nullptr;
  Extent stride;
  std::uint32_t block = 0;
  Pace pace = Pace::kEach;
};

// Completes `owner`; "" or why the iterations of one thread are not at equal distances.
std::string_view find_ownership(const Expr* affinity, const LoopValues& values, Ownership& owner);

}  // namespace upc2c
