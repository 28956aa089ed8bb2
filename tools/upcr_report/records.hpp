// SPDX-License-Identifier: BSD-3-Clause
// Statistics that the UPC threads of a job without an orderly end have left, each in a file.
#pragma once
#include <string>

#include "upcr/observe/report/report.hpp"

namespace upcr_report {

// Whether this is the content of such a file.
bool is_record(const std::string& content);

// The files of one job. Both functions throw std::runtime_error.
class Records {
 public:
  void add(const std::string& content);
  // Writes what was counted as the JSON of upcrun --stats=FILE. Returns the summary for a terminal.
  std::string write(const std::string& file);

 private:
  upcr::observe::Profile profile_;
};

}  // namespace upcr_report
