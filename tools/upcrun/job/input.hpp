// SPDX-License-Identifier: BSD-3-Clause
// upcrun's standard input, on its way to a process elsewhere: read as far as that one takes it.
#pragma once
#include <cstddef>
#include <vector>

#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

class Input {
 public:
  // Whether to poll for it: it is open, so much was taken that more may be sent, and if it is a terminal,
  // this process is in its foreground (otherwise reading it would stop us).
  bool wanted() const;
  // It is not wanted now because of the terminal: to be asked again some time later.
  bool in_background() const;
  // Reads once and sends it; at the end says so.
  void forward(Link& link);
  void on_credit(std::size_t bytes) noexcept { under_way_ -= bytes < under_way_ ? bytes : under_way_; }
  void stop() noexcept { over_ = true; }

 private:
  bool over_ = false;
  std::vector<char> buffer_;  // for one read(); the stack may be small (ulimit -s)
  std::size_t under_way_ = 0;
};

}  // namespace upcrun
