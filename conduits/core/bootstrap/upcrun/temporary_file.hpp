// SPDX-License-Identifier: BSD-3-Clause
// A file that must not outlive the job: the launcher removes it when all processes have ended, if this
// process has not done so. Only upcrun does; in jobs of other launchers these calls do nothing.
#pragma once
#include <sys/types.h>

#include <string>

namespace upcr {

struct TemporaryFile {
  std::string path;  // absolute
  dev_t device = 0;  // device and inode of the file: another file of that name is not removed
  ino_t inode = 0;
};

// Any thread, after make_bootstrap().
void remove_at_job_end(const TemporaryFile& file);
// The file has been removed.
void forget_at_job_end(const TemporaryFile& file);

}  // namespace upcr
