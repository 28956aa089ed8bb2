// SPDX-License-Identifier: BSD-3-Clause
// How the raw verbs programs give up: one line on stderr, and the program is over (and with it the job).
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace perf {

// `error` is an errno; 0: `what` says it all.
[[noreturn]] inline void verbs_fail(const char* what, int error) {
  std::fprintf(stderr, "raw verbs: %s%s%s\n", what, error != 0 ? ": " : "",
               error != 0 ? std::strerror(error) : "");
  std::exit(1);
}

}  // namespace perf
