// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/base/unkillable.hpp"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "tools/upcrun/base/descendants.hpp"

namespace upcrun {
namespace {

// The longest time that counts between two calls, because upcrun itself may have been stopped meanwhile.
constexpr Milliseconds kMaxStep = 1000;

}  // namespace

bool UnkillableDetector::all_unkillable(const std::vector<EndingProcess>& remaining, Milliseconds now) {
  std::vector<KilledProcess> killed;
  bool all = !remaining.empty();
  for (const EndingProcess& process : remaining) {
    const auto known = std::find_if(killed_.begin(), killed_.end(),
                                    [&process](const KilledProcess& w) { return w.id == process.id; });
    KilledProcess updated = known != killed_.end() ? *known : KilledProcess{process.id, now, 0};
    if (!process.runs) updated.idle += std::min(now - updated.seen, kMaxStep);
    updated.seen = now;
    all = all && updated.idle >= time_limit_;
    killed.push_back(updated);
  }
  killed_ = std::move(killed);
  return all;
}

bool UnkillableDetector::kill(const std::vector<ProcessId>& processes) {
  std::vector<EndingProcess> remaining;
  for (const ProcessId& process : processes) {
    (void)::kill(process.pid, SIGKILL);
    remaining.push_back({process, is_running(process.pid)});
  }
  return all_unkillable(remaining, now_ms());
}

bool UnkillableDetector::kill_descendants() { return kill(descendants()); }

std::vector<std::string> UnkillableDetector::describe() const {
  std::vector<std::string> lines;
  for (const KilledProcess& w : killed_) {
    const bool forbidden = ::kill(w.id.pid, 0) != 0 && errno == EPERM;
    lines.push_back(describe_state(w.id.pid) +
                    (forbidden ? ", belongs to another user and may not be killed"
                               : ", was killed, but the kernel has not ended it within " +
                                     std::to_string(time_limit_ / 1000) + " s"));
  }
  return lines;
}

}  // namespace upcrun
