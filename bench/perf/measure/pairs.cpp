// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/measure/pairs.hpp"

#include <algorithm>

namespace perf {

Pairs::Pairs(const ThreadTeam& team) : team_(team) {
  const ThreadTeam::Thread processes = team.processes(),
                           each = std::max<ThreadTeam::Thread>(team.threads() / processes, 1);
  const bool even = team.all(team.process() == team.me() / each) && processes % 2 == 0 &&
                    team.threads() == processes * each && each <= kMost;
  if (even) {
    all_ = true;
    of_process_ = each;
    count_ = team.threads() / 2;
  } else {
    count_ = team.has_partner() ? 1 : 0;
  }
}

ThreadTeam::Thread Pairs::peer() const {
  if (!all_) return team_.leads() ? team_.partner() : 0;
  return leads() ? team_.me() + of_process_ : team_.me() - of_process_;
}

}  // namespace perf
