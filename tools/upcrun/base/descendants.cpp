// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/base/descendants.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/unkillable.hpp"

namespace upcrun {
namespace {

// Reaps every child that has ended. Returns false when there is no child at all.
bool reap() {
  pid_t pid;
  while ((pid = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
  }
  return pid == 0;
}

// Every live descendant, except those in `exempt` and their descendants.
std::vector<ProcessId> descendants_except(const std::vector<ProcessId>& exempt) {
  std::vector<ProcessEntry> all = all_processes();
  std::erase_if(all, [&exempt](const ProcessEntry& entry) {
    return std::find(exempt.begin(), exempt.end(), entry.id) != exempt.end();
  });
  std::vector<ProcessId> found = {{::getpid(), 0}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (ProcessEntry& entry : all) {
      if (entry.parent != found[i].pid) continue;
      entry.parent = -1;  // found already
      found.push_back(entry.id);
    }
  }
  found.erase(found.begin());
  return found;
}

}  // namespace

void become_subreaper() { (void)::prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<ProcessId> descendants() { return descendants_except({}); }

std::vector<std::string> end_descendants(long grace_ms, int signal, const ExemptProcesses& exempt) {
  const Milliseconds deadline = now_ms() + grace_ms,
                     exempt_deadline = now_ms() + std::max(grace_ms, exempt.grace_ms);
  const std::vector<ProcessId> none;
  UnkillableDetector watch;
  while (reap()) {
    if (signal != 0) {
      for (const ProcessId& process : descendants_except(exempt.processes)) {
        (void)::kill(process.pid, signal);
        (void)::kill(process.pid, SIGCONT);  // a stopped process would not act on the signal
      }
      signal = 0;
    }
    const bool exempting = now_ms() < exempt_deadline;
    if (now_ms() >= deadline && watch.kill(descendants_except(exempting ? exempt.processes : none)) &&
        !exempting)
      return watch.describe();
    const timespec pause{0, 5'000'000};
    (void)::nanosleep(&pause, nullptr);
  }
  return {};
}

}  // namespace upcrun
