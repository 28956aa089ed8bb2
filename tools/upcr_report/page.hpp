// SPDX-License-Identifier: BSD-3-Clause
// The page that shows statistics of one job, or of two side by side.
#pragma once
#include <string>
#include <vector>

namespace upcr_report {

struct Run {
  std::string name;  // of its file
  std::string json;  // its content, an object of docs/observing.md
};

// HTML that needs nothing besides. The second run is compared with the first.
std::string page(const std::vector<Run>& runs);

}  // namespace upcr_report
