// SPDX-License-Identifier: BSD-3-Clause
// For upcrun's messages about processes that are late: when a collection stays incomplete for a while, those
// who wait in it are reported, each once. Most collectives are complete before, and cost no report.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/exchange/collection.hpp"

namespace upcrun {

class Arrivals {
 public:
  static constexpr Milliseconds kPatience = 200;  // with the late ones

  explicit Arrivals(unsigned count) : reported_(count) {}

  // A member has contributed, and the collection is not complete; or it is.
  void on_arrival(Milliseconds now) noexcept {
    if (report_at_ == 0) report_at_ = now + kPatience;
  }
  void on_complete();
  // When to call report(); 0: nothing is to be reported.
  Milliseconds deadline() const noexcept { return report_at_; }
  // The numbers of the members that wait and were not reported before, 32 bits each; empty: none.
  std::string report(const Collection& collection);

 private:
  Milliseconds report_at_ = 0;
  std::vector<bool> reported_;
};

}  // namespace upcrun
