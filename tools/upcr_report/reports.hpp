// SPDX-License-Identifier: BSD-3-Clause
// What is made of files, by what they are: a page, a timeline, statistics.
#pragma once
#include <memory>
#include <string>

namespace upcr_report {

// All throw std::runtime_error, whose text names the file.
class Report {
 public:
  virtual ~Report() = default;
  // Each file once, in the order of the command line.
  virtual void add(const std::string& name, const std::string& content) = 0;
  // Completes the output and tells the user of it.
  virtual void finish() = 0;
};

// The report of files of which the first has this content. `out`: the file to write; empty: one of the
// report's own name in the working folder.
std::unique_ptr<Report> report_of(const std::string& first, const std::string& out);

}  // namespace upcr_report
