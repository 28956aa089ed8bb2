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
  if (home == nullptr || *home != '/')
    throw Failure{1,
                  "HOME is no absolute path, and the agents of other hosts read a file there that says where "
                  "upcrun is; set it, or use `--rsh ssh`, which needs no file"};
  path_ = std::string(home) + "/.upcrun-XXXXXX";
  const int fd = ::mkstemp(path_.data());
  int error = errno;
  if (fd >= 0) {
    const ssize_t written = ::write(fd, line.data(), line.size());
    error = written < 0 ? errno : written == static_cast<ssize_t>(line.size()) ? 0 : ENOSPC;
    if (::close(fd) != 0 && error == 0) error = errno;
    if (error == 0) return;
    (void)::unlink(path_.c_str());
  }
  throw Failure{1, "cannot write " + path_ + ", in which the agents of other hosts read where upcrun is: " +
                       std::strerror(error) + "; `--rsh ssh` needs no file"};
}

LineFile::~LineFile() { (void)::unlink(path_.c_str()); }

}  // namespace upcrun
