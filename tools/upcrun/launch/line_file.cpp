// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/launch/line_file.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tools/upcrun/base/failure.hpp"

namespace upcrun {

LineFile::LineFile(const std::string& line) {
  const char* const home = ::secure_getenv("HOME");
  path_ = std::string(home != nullptr && *home != '\0' ? home : ".") + "/.upcrun-XXXXXX";
  const int fd = ::mkstemp(path_.data());
  const bool written = fd >= 0 && ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const int error = errno;
  if (fd >= 0 && ::close(fd) == 0 && written) return;
  if (fd >= 0) (void)::unlink(path_.c_str());
  throw Failure{1, "cannot write " + path_ + ", in which the agents of other hosts read where upcrun is: " +
                       std::strerror(error) + "; `--rsh ssh` needs no file"};
}

LineFile::~LineFile() { (void)::unlink(path_.c_str()); }

}  // namespace upcrun
