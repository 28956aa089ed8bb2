// SPDX-License-Identifier: BSD-3-Clause
// The hosts that a batch system has given to the job in which upcrun runs, read from its variables and files.
// Knows nothing of how processes reach these hosts.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/plan/host.hpp"

namespace upcrun {

enum class BatchSystem { kNone, kSlurm, kPbs, kLsf, kSge };

// "Slurm", "PBS", ...; "" for kNone.
const char* batch_system_name(BatchSystem system);

struct Allocation {
  BatchSystem system = BatchSystem::kNone;
  std::string id;           // of the batch system's job
  std::vector<Host> hosts;  // each with its slots, where the batch system says how many; may be empty
  unsigned processes = 0;   // that the user asked the batch system for; 0: no number was given

  // "Slurm's job 4711"
  std::string describe() const;
};

// The allocation in this environment: `variable` returns the value of a variable, or "", `file` the contents
// of a file, or nothing. Throws Failure where a variable or file cannot be understood.
Allocation read_allocation(const std::function<std::string(const char*)>& variable,
                           const std::function<std::optional<std::string>(const std::string&)>& file);
// The allocation in which this process runs.
Allocation current_allocation();

// The names in Slurm's "n[1-3,07],m5,r[0-1]c[01-02]". Throws Failure.
std::vector<std::string> expand_host_list(std::string_view text);
// The numbers in Slurm's "2(x3),1": 2 2 2 1. Throws Failure.
std::vector<unsigned> expand_counts(std::string_view text);

}  // namespace upcrun
