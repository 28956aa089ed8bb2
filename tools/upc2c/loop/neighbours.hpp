// SPDX-License-Identifier: BSD-3-Clause
// Elements at constant distances from each other, as those of p[i - 1] and p[i + 1]: one private pointer, and
// one test at run time, serve them all, and the C compiler sees that they are of one array.
#pragma once
#include "tools/upc2c/loop/references.hpp"

namespace upc2c {

// Finds the base of every run of an array that is in one thread's memory, and joins those with one base that
// are only read. `values`: of the loop.
void join_neighbours(References& references, const LoopValues& values, const TokenStream& stream);

// Whether two runs are at a constant distance, which is small: they are mapped both, or copied together.
bool are_neighbours(const Run& a, const Run& b);

}  // namespace upc2c
