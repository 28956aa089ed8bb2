// SPDX-License-Identifier: BSD-3-Clause
// A descriptor of the runtime's that the program may close by mistake, and reuse for a file. Private to
// conduits/core/bootstrap.
#pragma once
#include <sys/stat.h>

namespace upcr {

class OpenFile {
 public:
  OpenFile() = default;
  // Remembers what `fd` is now; -1: none.
  explicit OpenFile(int fd) noexcept : fd_(fd) {
    struct stat st;
    if (fd_ < 0 || ::fstat(fd_, &st) != 0) return;
    device_ = st.st_dev;
    inode_ = st.st_ino;
  }
  int descriptor() const noexcept { return fd_; }
  // False: it is closed, or another file. All event descriptors and their like are the same file to the
  // kernel.
  bool is_same() const noexcept {
    struct stat st;
    return fd_ < 0 || (::fstat(fd_, &st) == 0 && st.st_dev == device_ && st.st_ino == inode_);
  }

 private:
  int fd_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace upcr
