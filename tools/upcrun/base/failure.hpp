// SPDX-License-Identifier: BSD-3-Clause
// The exception that upcrun throws when it cannot start the job. main() prints it.
#pragma once
#include <string>

namespace upcrun {

struct Failure {
  int status;           // exit status: 2 for wrong use, 126 and 127 as in shells
  std::string message;  // cause, values and cure
};

}  // namespace upcrun
