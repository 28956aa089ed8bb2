// SPDX-License-Identifier: BSD-3-Clause
// The life of an agent's program (agent.hpp): one loop over the link, the program's socket, pipes and end.
// What upcrun says reaches the program, and the other way round; when the link is gone the program ends.
// Single-threaded.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <deque>
#include <string>

#include "tools/upcrun/clock.hpp"
#include "tools/upcrun/link.hpp"
#include "tools/upcrun/order.hpp"
#include "tools/upcrun/plan.hpp"
#include "tools/upcrun/spawn.hpp"
#include "tools/upcrun/unique_fd.hpp"

namespace upcrun {

class AgentLoop {
 public:
  static constexpr int kOutputWindow = 256 * 1024;  // bytes on the way that upcrun has not passed on

  // Starts the program. The references must outlive this. Throws Failure.
  AgentLoop(Link& link, const Plan& plan, const Order& order, const Inherited& inherited, unsigned rank);
  // Until it has ended and upcrun does not need us any more.
  void run();

 private:
  void loop_once();
  void handle_link();
  void hear();
  void take(const Message& message);
  void handle_signals();
  void handle_exec_failure();
  void handle_worker_end();
  void reap();
  void receive_packets();
  bool receive_one();
  void send_packets();
  void note_joined(pid_t pid);
  void read_output(UniqueFd& pipe, int stream, std::size_t most);
  void read_what_is_there();
  void write_input();
  void end_program();
  void finish();
  bool over() const { return exited_ && (worker_ == 0 || worker_ == child_.pid || worker_over_); }
  int timeout() const;

  Link& link_;
  Spawner spawner_;
  UniqueFd signals_, input_;
  Spawned child_;
  bool exited_ = false, ending_ = false, released_ = false;
  pid_t worker_ = 0;
  bool worker_over_ = false;
  UniqueFd worker_watch_;
  Milliseconds kill_at_ = 0;
  int window_ = kOutputWindow;
  std::deque<std::string> packets_;  // for the program
  std::string waiting_input_;
  bool input_over_ = false;
};

}  // namespace upcrun
