// SPDX-License-Identifier: BSD-3-Clause
// What the UPC threads of a job had counted when it ended without order, in files of this host.
#pragma once
#include <ctime>
#include <string>
#include <vector>

namespace upcrun {

// Made before the job starts.
class LeftStatistics {
 public:
  // `option`: the value of --stats; empty: UPCR_STATS holds.
  explicit LeftStatistics(const std::string& option);
  // After its end. When threads have left files since, upcr_report, which stands beside upcrun, makes the
  // report of them, and they are removed. Nothing if there are none, as after an orderly end.
  void report() const;

 private:
  std::vector<std::string> files() const;

  std::string file_;
  std::timespec start_{};
};

}  // namespace upcrun
