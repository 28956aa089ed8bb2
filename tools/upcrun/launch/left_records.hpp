// SPDX-License-Identifier: BSD-3-Clause
// What the UPC threads of a job had counted and recorded when it ended without order, in files of this host.
#pragma once
#include <ctime>
#include <string>
#include <vector>

namespace upcrun {

// Made before the job starts.
class LeftRecords {
 public:
  // `statistics`, `timeline`: the values of --stats and --trace; empty: UPCR_STATS and UPCR_TRACE hold.
  LeftRecords(const std::string& statistics, const std::string& timeline);
  // After its end. When threads have left files of statistics since, upcr_report, which stands beside upcrun,
  // makes the report of them, and they are removed. Those of a timeline, which may be large and lack what was
  // on other hosts, stay: a line says how to join them. Nothing if there are none, as after an orderly end.
  void report() const;

 private:
  std::vector<std::string> parts_of(const std::string& file) const;
  void report_statistics() const;
  void report_timeline() const;

  std::string statistics_, timeline_;
  std::timespec start_{};
};

}  // namespace upcrun
