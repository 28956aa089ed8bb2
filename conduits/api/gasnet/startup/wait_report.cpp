// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/startup/wait_report.hpp"

#include "conduits/api/gasnet/core/barrier_state.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/system/ticks.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/bootstrap/upcrun/thread_report.hpp"
#include "conduits/core/progress/current_waits.hpp"

namespace upcr::gasnet {
namespace {

using Activity = ThreadReport::Activity;

Activity activity_of(const WaitReason& reason) noexcept {
  if (reason.what == nullptr) return Activity::kComputes;
  switch (reason.waits_for) {
    case WaitFor::kBarrier:
      return Activity::kBarrier;
    case WaitFor::kAnswer:
      return Activity::kAnswer;
    case WaitFor::kCollective:
      return Activity::kCollective;
    case WaitFor::kLock:
    case WaitFor::kOther:
      break;
  }
  return Activity::kWaits;
}

}  // namespace

std::string describe_node() {
  if (client().stage.load() != Stage::kAttached) return {};
  const CurrentWait wait = current_wait(my_slot());
  const BarrierState barrier = barrier_state();
  ThreadReport report;
  report.activity = activity_of(wait.reason);
  report.thread = my_slot();
  report.barriers = barrier.completed;
  if (barrier.notified && barrier.named) report.barrier_name = std::to_string(barrier.id);
  if (wait.reason.what != nullptr) {
    report.peer = static_cast<unsigned>(wait.reason.detail);
    report.what = wait.reason.what;
    if (wait.reason.detail != 0 || wait.reason.waits_for == WaitFor::kAnswer)
      report.what += " (" + std::to_string(wait.reason.detail) + ")";
    if (wait.since_ns != 0) report.waited_ms = (ticks_now() - wait.since_ns) / 1'000'000;
  }
  if (report.activity == Activity::kCollective) {
    report.function = wait.reason.what;
    report.call = wait.reason.detail;
  }
  return report.format();
}

bool report_stall(std::int64_t seconds) {
  return !client_api().warnings_are_fatal() && job().bootstrap->report_stall(seconds);
}

}  // namespace upcr::gasnet
