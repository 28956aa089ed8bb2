// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a run in a loop: where its elements are in the memory of one thread, and whether they may
// be copied where they are not mapped.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "tools/upc2c/analysis/references.hpp"
#include "tools/upc2c/loop/ownership.hpp"

namespace upc2c {

// A run in this loop: see analysis/references.hpp.
struct PlannedRun {
  Run run;
  Extent stride;                      // elements for each iteration of the loop
  std::optional<std::int64_t> local;  // elements in this thread's memory for each of its iterations, if known
  // Why it may not be copied before and after the iterations where it is not mapped; "": it may.
  std::string_view uncopied;
};

// Completes stride and local; false if the elements are not at equal distances in one thread's memory.
// `threads`: THREADS in the static environment, else 0.
bool place(PlannedRun& run, Pace pace, std::int64_t threads);
// "" or why the elements of a run may not be copied before and after the iterations.
std::string_view why_uncopied(const Run& run, const References& references, const BodyFacts& facts);

}  // namespace upc2c
