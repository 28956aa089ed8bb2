// SPDX-License-Identifier: BSD-3-Clause
// A file that is to be gone after the job, whatever its end: the launcher removes it when all processes have
// ended, if this process did not. Only upcrun does; in jobs of other launchers these calls do nothing.
#pragma once
#include <sys/types.h>

#include <string>

namespace upcr {

struct TemporaryFile {
  std::string path;  // absolute
  dev_t device = 0;  // and
  ino_t inode = 0;   // of the file: another one of that name stays
};

// Any thread, after make_bootstrap().
void remove_at_job_end(const TemporaryFile& file);
// It has been removed.
void forget_at_job_end(const TemporaryFile& file);

}  // namespace upcr
