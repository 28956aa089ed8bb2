// SPDX-License-Identifier: BSD-3-Clause
// The threads that each file of a program was compiled for, described in the section upc_pgm_info:
// zero-ended strings of words with any white space between them
//   $GCCUPCConfig: (FILE) dynamicthreads|staticthreads=N process|pthreads-tls
//   [dynamicpthreads|staticpthreads=N]$
// An object of GCC-UPC has one. Those of Clang-UPC have two, of which the first names "<built-in>".
#pragma once
#include <string_view>

namespace upcr::gupc {

struct FileInfo {
  std::string_view file;
  unsigned threads = 0;   // 0: any
  bool tls = false;       // compiled for several UPC threads in a process
  unsigned pthreads = 0;  // per process; 0: any
};

// False if `text` is no such string.
bool parse_info(std::string_view text, FileInfo* info);
// Removes the next string of the section and returns it; empty at the end.
std::string_view next_info(std::string_view* section);

// The combination of all files: a number is that of the files that have one. Nothing is checked.
FileInfo merged_info(std::string_view section);

// Fatal unless all files agree, and the job agrees with them. `pthreads`: UPC threads of this process.
void check_program_info(std::string_view section, unsigned pthreads);

}  // namespace upcr::gupc
