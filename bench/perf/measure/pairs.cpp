// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/measure/pairs.hpp"

#include <algorithm>

namespace perf {

Pairs::Pairs(const Crew& crew) : crew_(crew) {
  const Crew::Thread processes = crew.processes(),
                     each = std::max<Crew::Thread>(crew.threads() / processes, 1);
  const bool even = crew.all(crew.process() == crew.me() / each) && processes % 2 == 0 &&
                    crew.threads() == processes * each && each <= kMost;
  if (even) {
    all_ = true;
    of_process_ = each;
    count_ = crew.threads() / 2;
  } else {
    count_ = crew.has_partner() ? 1 : 0;
  }
}

Crew::Thread Pairs::peer() const {
  if (!all_) return crew_.leads() ? crew_.partner() : 0;
  return leads() ? crew_.me() + of_process_ : crew_.me() - of_process_;
}

}  // namespace perf
