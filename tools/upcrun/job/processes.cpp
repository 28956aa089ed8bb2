// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/processes.hpp"

#include <sys/wait.h>

#include <algorithm>

namespace upcrun {

bool Processes::all_ended() const {
  return std::all_of(begin(), end(), [](const Process& p) { return p.ended(); });
}

bool Processes::any_awaits_reason() const {
  return std::any_of(begin(), end(), [](const Process& p) { return p.awaits_reason(); });
}

bool Processes::any_reporting() const {
  return std::any_of(begin(), end(), [](const Process& p) { return p.reporting && !p.ended(); });
}

int Processes::highest_exit_status() const {
  int status = 0;
  for (const Process& process : all_) status = std::max(status, WEXITSTATUS(process.wait_status));
  return status;
}

std::string Processes::describe(unsigned rank) const {
  const Process& process = all_[rank];
  if (plan_.remote() && process.host.empty()) return "process " + std::to_string(rank) + " (not started yet)";
  const std::string host = plan_.remote() ? ", host " + process.host : "";
  const std::string pid =
      "pid " + std::to_string(process.member != 0 ? process.member : process.pid) + host + ")";
  if (control_.joined_count() == 0) return "process " + std::to_string(rank) + " (" + pid;
  if (gasnet()) return "node " + std::to_string(rank) + " (" + pid;
  const std::string threads = plan_.threads_of(rank) + " (rank " + std::to_string(rank) + ", " + pid;
  return plan_.single(rank) ? threads : "the process of " + threads;
}

std::string Processes::error_prefix() const {
  if (control_.joined_count() == 0) return plan_.prefix();
  return gasnet() ? "*** FATAL ERROR: " : "UPC Runtime error: ";
}

std::string Processes::label(unsigned rank) const {
  return plan_.options.label ? "[" + plan_.thread_range(rank) + "] " : "";
}

}  // namespace upcrun
