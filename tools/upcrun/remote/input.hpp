// SPDX-License-Identifier: BSD-3-Clause
// Forwards upcrun's standard input to a process with an agent, no faster than that process reads it.
#pragma once
#include <cstddef>
#include <vector>

#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

class StandardInput {
 public:
  // Whether to poll for it: it is open, more may be sent, and if it is a terminal, this process is in its
  // foreground (otherwise the terminal would stop upcrun for reading).
  bool wanted() const;
  // Whether it is not wanted only because of the terminal, so that wanted() must be called again some time
  // later.
  bool in_background() const;
  // Reads once and sends the bytes, or the end of file.
  void forward(Link& link);
  void on_credit(std::size_t bytes) noexcept { in_flight_ -= bytes < in_flight_ ? bytes : in_flight_; }
  void stop() noexcept { closed_ = true; }

 private:
  bool closed_ = false;
  std::vector<char> buffer_;  // for one read(); the stack may be small (ulimit -s)
  std::size_t in_flight_ = 0;
};

}  // namespace upcrun
