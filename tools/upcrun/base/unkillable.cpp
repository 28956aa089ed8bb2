// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/base/unkillable.hpp"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "tools/upcrun/base/descendants.hpp"

namespace upcrun {
namespace {

// The most that may count between two looks: upcrun itself may have been stopped.
constexpr Milliseconds kLongestStep = 1000;

}  // namespace

bool UnkillableDetector::hopeless(const std::vector<Dying>& remaining, Milliseconds now) {
  std::vector<Waiting> waiting;
  bool all = !remaining.empty();
  for (const Dying& dying : remaining) {
    const auto known = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&dying](const Waiting& w) { return w.id == dying.id; });
    Waiting next = known != waiting_.end() ? *known : Waiting{dying.id, now, 0};
    if (!dying.runs) next.idle += std::min(now - next.seen, kLongestStep);
    next.seen = now;
    all = all && next.idle >= patience_;
    waiting.push_back(next);
  }
  waiting_ = std::move(waiting);
  return all;
}

bool UnkillableDetector::kill(const std::vector<ProcessId>& processes) {
  std::vector<Dying> remaining;
  for (const ProcessId& process : processes) {
    (void)::kill(process.pid, SIGKILL);
    remaining.push_back({process, is_running(process.pid)});
  }
  return hopeless(remaining, now_ms());
}

bool UnkillableDetector::kill_descendants() { return kill(descendants()); }

std::vector<std::string> UnkillableDetector::in_words() const {
  std::vector<std::string> lines;
  for (const Waiting& w : waiting_) {
    const bool forbidden = ::kill(w.id.pid, 0) != 0 && errno == EPERM;
    lines.push_back(describe_kernel_state(w.id.pid) +
                    (forbidden ? ", belongs to another user and may not be killed"
                               : ", was killed, but the kernel has not ended it within " +
                                     std::to_string(patience_ / 1000) + " s"));
  }
  return lines;
}

}  // namespace upcrun
