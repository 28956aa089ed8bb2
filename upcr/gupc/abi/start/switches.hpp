// SPDX-License-Identifier: BSD-3-Clause
// The runtime's switches at the front of a program's command line, as GCC-UPC's library has them.
#pragma once
#include <cstddef>

namespace gupc {

struct Switches {
  int words = 0;          // of argv, behind argv[0], that are switches; with "--" where there is one
  unsigned threads = 0;   // -fupc-threads-N, -n N, -nN; 0: not given
  unsigned pthreads = 0;  // -fupc-pthreads-N: UPC threads per process; 0: not given
  std::size_t heap = 0;   // -fupc-heap-SIZE, -heap SIZE: bytes of each thread's heap; 0: not given
};

// Parsing stops at the first argument that is no switch. An invalid value ends the program. Before the
// runtime has started.
Switches parse_switches(int argc, char** argv);

}  // namespace gupc
