// SPDX-License-Identifier: BSD-3-Clause
// The event loop of an agent (agent.hpp), over the link to upcrun and the agent's processes
// (agent/process.hpp). It forwards messages in both directions, and ends the programs when the link is lost.
// Single-threaded.
#pragma once
#include <poll.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/agent/process.hpp"
#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/base/unkillable.hpp"
#include "tools/upcrun/exchange/arrivals.hpp"
#include "tools/upcrun/exchange/collection.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

class AgentLoop {
 public:
  // Starts `count` processes, whose ranks begin with `first`, and reports to upcrun those that cannot be
  // started. The references must outlive this object. Throws Failure.
  AgentLoop(Link& link, const Plan& plan, const LaunchSpec& launch_spec, const InheritedState& inherited,
            unsigned first, unsigned count);
  // Returns when the processes have ended and upcrun has released the agent or is gone.
  void run();

 private:
  void start(const Plan& plan, const LaunchSpec& launch_spec);
  void loop_once();
  void handle_link();
  void receive_messages();
  void handle_message(const Message& message);
  void contribute(unsigned number, const upcr::wire::Header& header, std::string_view chunk);
  void hand_out(std::string_view content);
  void report_arrived();
  void handle_signals();
  void handle_exec_failure();
  void reap();
  void end_programs();
  void report_unkillable(const std::vector<std::string>& lines);
  void finish();
  bool over() const;
  bool may_leave() const;
  bool awaits_error_report(Milliseconds now) const;
  int timeout() const;

  Link& link_;
  const unsigned first_, count_;
  Spawner spawner_;
  Collection collection_;  // of the programs' contributions
  Arrivals arrivals_;
  UniqueFd signals_;
  std::vector<std::unique_ptr<AgentProcess>> processes_;  // null: the process could not be started
  bool ending_ = false, released_ = false;
  Milliseconds kill_at_ = 0, leave_at_ = 0;
  Milliseconds report_until_ = 0;  // until then programs that report an error are waited for
  UnkillableDetector slow_to_end_, unkillable_;
  bool slow_reported_ = false, unkillable_left_ = false;
  std::vector<pollfd> polled_;
};

}  // namespace upcrun
