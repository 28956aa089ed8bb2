// SPDX-License-Identifier: BSD-3-Clause
// What each file of a program says about the threads that it was compiled for, in the section upc_pgm_info:
// zero-ended strings
//   $GCCUPCConfig: (FILE) dynamicthreads|staticthreads=N process|pthreads-tls
//   [dynamicpthreads|staticpthreads=N]$
#pragma once
#include <string_view>

namespace upcr::gupc {

struct FileInfo {
  std::string_view file;
  unsigned threads = 0;   // 0: any
  bool tls = false;       // compiled for several UPC threads in a process
  unsigned pthreads = 0;  // per process; 0: any
};

// False when `text` is no such string.
bool parse_info(std::string_view text, FileInfo* info);
// The next string of the section, taken off it; empty: there is none.
std::string_view next_info(std::string_view* section);

// All files agree, and the job is as they want it; fatal otherwise. `pthreads`: UPC threads of this process.
void check_program_info(std::string_view section, unsigned pthreads);

}  // namespace upcr::gupc
