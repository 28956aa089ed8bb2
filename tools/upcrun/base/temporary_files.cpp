// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/base/temporary_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "conduits/core/bootstrap/upcrun/wire.hpp"

namespace upcrun {

bool TemporaryFiles::note(std::string_view text, bool remove) {
  unsigned long long device, inode;
  std::string path;
  if (!upcr::wire::parse_file(text, &device, &inode, &path)) return false;
  if (remove)
    texts_.emplace(text);
  else
    texts_.erase(std::string(text));
  return true;
}

void TemporaryFiles::remove_all() {
  for (const std::string& text : texts_) {
    unsigned long long device, inode;
    std::string path;
    struct stat now;
    if (!upcr::wire::parse_file(text, &device, &inode, &path) || ::lstat(path.c_str(), &now) != 0) continue;
    if (now.st_dev == device && now.st_ino == inode) (void)::unlink(path.c_str());
  }
  texts_.clear();
}

}  // namespace upcrun
