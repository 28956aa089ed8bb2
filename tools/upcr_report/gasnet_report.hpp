// SPDX-License-Identifier: BSD-3-Clause
// What is made of the texts of GASNET_TRACEFILE and GASNET_STATSFILE of one job's nodes. Texts of several
// jobs: std::runtime_error.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace upcr_report {

// Writes the timeline of traces. Returns how many operations are in it.
std::uint64_t write_gasnet_timeline(const std::vector<std::string>& texts, std::FILE* out);

// The JSON of docs/observing.md, with nodes as threads and without lines: from statistics counts and times by
// kind, from traces also sizes and pairs of nodes.
std::string gasnet_statistics(const std::vector<std::string>& texts);

}  // namespace upcr_report
