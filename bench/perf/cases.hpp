// SPDX-License-Identifier: BSD-3-Clause
// What upcr_perf can measure in this job.
#pragma once
#include <vector>

#include "bench/perf/interleave.hpp"
#include "bench/perf/references.hpp"

namespace perf {

// Collective. The crew and the references live longer than the cases.
std::vector<Case> make_cases(const Crew& crew, References& references);

}  // namespace perf
