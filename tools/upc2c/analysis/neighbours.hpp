// SPDX-License-Identifier: BSD-3-Clause
// Elements at constant distances from each other, as those of p[i - 1] and p[i + 1]: one private pointer, and
// one test at run time, serve them all, and the C compiler sees that they are of one array.
#pragma once
#include <vector>

#include "tools/upc2c/analysis/facts.hpp"
#include "tools/upc2c/analysis/references.hpp"

namespace upc2c {

// Finds the base of every run of an array that is in one thread's memory, and joins those with one base that
// are only read. `values`: of the loop.
void join_neighbours(References& references, const LoopValues& values, const TokenStream& stream);

// Whether two runs are at a constant distance, which is small: they are mapped both, or copied together.
bool are_neighbours(const Run& a, const Run& b);

// Whether there are several runs, of which some are written, but no iteration accesses memory that another
// one writes. So it is where they are of different declared arrays, or of one element in each iteration, and
// `body` accesses no other memory. `strides`: elements from an iteration to the next, of each run.
bool are_independent(const std::vector<Run>& runs, const std::vector<Extent>& strides,
                     const std::vector<RunAccess>& accesses, const Node* body, const BodyFacts& facts,
                     const TokenStream& stream);

}  // namespace upc2c
