// SPDX-License-Identifier: BSD-3-Clause
// A relay: what serves several hosts in upcrun's stead (remote/tree.hpp). It starts an agent on its own host
// and agents or further relays on the others, as upcrun does, and is to upcrun one agent with all of their
// processes: it passes messages on in both directions, with the numbers of the processes changed, and
// collects the contributions to a collective into one. It starts no programs and knows no rules: upcrun
// decides. When the link to upcrun is lost it closes those below, so that every agent of its part ends its
// programs. Single-threaded.
#pragma once
#include <poll.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/exchange/arrivals.hpp"
#include "tools/upcrun/exchange/collection.hpp"
#include "tools/upcrun/launch/launch_commands.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/protocol/hello.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/protocol/launcher_report.hpp"
#include "tools/upcrun/protocol/link.hpp"
#include "tools/upcrun/remote/agents.hpp"

namespace upcrun {

class Relay final : private AgentListener {
 public:
  // `up`: the link to upcrun, or to another relay. `spec`: with the subtree. `first`, `host`: of this relay.
  // The references must outlive this object. Throws Failure.
  Relay(Link& up, const LaunchSpec& spec, const InheritedState& inherited, unsigned first, std::string host);
  // Returns when nothing is left below and upcrun has released the relay, or is gone.
  void run();

 private:
  void on_agent(unsigned first, unsigned count) override;
  void on_rejected_agent(const Hello& hello, const std::string& why) override;
  void on_rejected_connection(const std::string& what) override;
  void on_message(unsigned rank, const Message& message) override;
  void on_agent_lost(unsigned rank) override;

  void loop_once();
  int timeout() const;
  void handle_up();
  void handle_up_message(const Message& message);
  void handle_signals();
  void read_launchers();
  void start_launchers();
  void check_deadlines();
  void end_job();
  void contribute(unsigned rank, const Message& message);
  void report_launcher(MessageType type, const LaunchCommand& command);
  void say(const std::string& line);
  void finish();
  bool may_leave() const;
  const std::vector<Host>& part_of(unsigned rank) const;
  // To upcrun, about this process or the processes from it on.
  void send(unsigned rank, MessageType type, int value = 0, std::string_view text = {}) {
    up_.send(type, value, text, {}, rank - first_);
  }

  Link& up_;
  const LaunchSpec& spec_;
  const InheritedState& inherited_;
  const unsigned first_, count_;
  const std::string host_;
  const std::vector<std::vector<Host>> parts_;  // of the subtree; the first one is this host alone
  const std::string text_;                      // of the specification, without the subtree
  Rendezvous rendezvous_;
  Agents agents_;
  LaunchCommands commands_;
  Collection collection_;
  Arrivals arrivals_;
  UniqueFd signals_;
  bool ending_ = false, released_ = false;
  Milliseconds give_up_at_ = 0;  // the launchers; 0: it is not time yet
  std::vector<pollfd> polled_;
};

}  // namespace upcrun
