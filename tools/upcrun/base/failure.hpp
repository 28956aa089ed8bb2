// SPDX-License-Identifier: BSD-3-Clause
// Why upcrun cannot do what it was asked. Thrown before any process runs, printed by main().
#pragma once
#include <string>

namespace upcrun {

struct Failure {
  int status;           // exit status: 2 wrong use, 126 and 127 as shells use them
  std::string message;  // cause with values; cure
};

}  // namespace upcrun
