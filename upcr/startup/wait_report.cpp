// SPDX-License-Identifier: BSD-3-Clause
// The threads change what is read here at any time, so a report may show a wait that has just ended.
#include "upcr/startup/wait_report.hpp"

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/system/ticks.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/bootstrap/upcrun/thread_report.hpp"
#include "conduits/core/progress/current_waits.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

using Activity = ThreadReport::Activity;

bool has_left(const ThreadCtx& c, const CurrentWait& wait) {
  return c.exiting && (wait.reason.what == nullptr || wait.reason.waits_for == WaitFor::kBarrier);
}

Activity activity_of(const ThreadCtx& c, const CurrentWait& wait) {
  if (has_left(c, wait)) return Activity::kLeft;
  if (wait.reason.what == nullptr) return Activity::kComputes;
  switch (wait.reason.waits_for) {
    case WaitFor::kBarrier:
      // Some collective calls begin or end with a barrier of their own.
      return !c.notified && c.collective.inside ? Activity::kCollective : Activity::kBarrier;
    case WaitFor::kLock:
      return Activity::kLock;
    case WaitFor::kAnswer:
      return c.collective.inside ? Activity::kCollective : Activity::kAnswer;
    case WaitFor::kCollective:
      return Activity::kCollective;
    case WaitFor::kOther:
      break;
  }
  return Activity::kWaits;
}

void add_collective(ThreadReport& report, const CollectiveRecord& last) {
  if (last.function == nullptr) return;
  report.function = last.function;
  report.team = last.team;
  report.call = last.call;
  for (unsigned i = 0; i < last.count && i < CollectiveRecord::kMaxValues; ++i)
    report.arguments.push_back({last.names[i], last.values[i]});
}

ThreadReport report_of(const ThreadCtx& c) {
  const CurrentWait wait = current_wait(c.thread);
  ThreadReport report;
  report.activity = activity_of(c, wait);
  report.thread = c.thread;
  report.barriers = c.barriers;
  if (wait.reason.what != nullptr) {
    report.peer = static_cast<unsigned>(wait.reason.detail);
    report.lock = wait.reason.object;
    report.what = std::string(wait.reason.what) + " (" + std::to_string(wait.reason.detail) + ")";
    if (wait.since_ns != 0) report.waited_ms = (ticks_now() - wait.since_ns) / 1'000'000;
  }
  if (c.notified && c.notify_flags == 0) report.barrier_name = std::to_string(c.notify_value);
  if (const observe::Position at = last_position(c); at.file != nullptr) {
    report.file = at.file;
    report.line = at.line;
  }
  add_collective(report, c.collective);
  return report;
}

}  // namespace

observe::Position last_position(const ThreadCtx& c) noexcept {
  if (!c.exiting && c.observed != nullptr && c.observed->position().file != nullptr)
    return c.observed->position();
  return {c.file, c.line};
}

std::string describe_threads() {
  const Runtime& r = runtime();
  std::string text;
  if (r.stage.load() != Stage::kRunning) return text;
  for (Slot i = 0; i < r.threads_here; ++i) text += report_of(r.contexts[i]).format();
  return text;
}

// A warning that ends the job is not replaced by a report.
bool report_stall(std::int64_t seconds) {
  return !client_api().warnings_are_fatal() && job().bootstrap->report_stall(seconds);
}

}  // namespace upcr
