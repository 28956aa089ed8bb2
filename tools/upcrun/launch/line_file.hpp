// SPDX-License-Identifier: BSD-3-Clause
// A file with one line for an agent that no standard input reaches: it has the job's secret, so only its user
// may read it. In the home directory, which the hosts of a cluster share. The agent removes it, or this
// object.
#pragma once
#include <string>

namespace upcrun {

class LineFile {
 public:
  // Throws Failure when it cannot be made.
  explicit LineFile(const std::string& line);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace upcrun
