// SPDX-License-Identifier: BSD-3-Clause
// What a measurement ran on: the head of every result.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace perf::user {

struct Machine {
  // (name, value), as "CPU": for people, and members of the JSON.
  std::vector<std::pair<std::string, std::string>> facts;
  unsigned cores = 0;
  double load = 0;  // before the measurement

  // Others have so much of the CPUs that figures say little.
  bool busy() const { return cores != 0 && load > kMaxLoad * cores; }
  static constexpr double kMaxLoad = 0.5;  // a core
};

Machine this_machine();

}  // namespace perf::user
