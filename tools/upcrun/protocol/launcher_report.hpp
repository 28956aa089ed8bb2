// SPDX-License-Identifier: BSD-3-Clause
// What a relay says of a command by which it starts an agent (ssh, ...), for upcrun's messages.
#pragma once
#include <string>
#include <string_view>

namespace upcrun {

struct LauncherReport {
  std::string name;         // "ssh"
  std::string host;         // that it reaches, as the user named it
  std::string relay;        // the host that runs it; empty: upcrun's own
  unsigned processes = 0;   // that it was to start
  unsigned port = 0;        // on which the agent has to connect to that host
  std::string exit;         // "ssh ended with status 255"
  std::string explanation;  // of this status, where the agent has not connected: cause and cure
  std::string output;       // its own

  std::string format() const;
  static LauncherReport parse(std::string_view text);
};

}  // namespace upcrun
