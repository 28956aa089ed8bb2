// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/exchange/arrivals.hpp"

namespace upcrun {

void Arrivals::on_complete() {
  report_at_ = 0;
  reported_.assign(reported_.size(), false);
}

std::string Arrivals::report(const Collection& collection) {
  report_at_ = 0;
  std::string arrived;
  for (std::uint32_t member = 0; member < reported_.size(); ++member) {
    if (!collection.arrived(member) || reported_[member]) continue;
    reported_[member] = true;
    arrived.append(reinterpret_cast<const char*>(&member), sizeof member);
  }
  return arrived;
}

}  // namespace upcrun
