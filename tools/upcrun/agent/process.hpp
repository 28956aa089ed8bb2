// SPDX-License-Identifier: BSD-3-Clause
// One process of an agent (agent.hpp): its socket, its pipes and its end, which it reports to upcrun over the
// agent's link. The agent's loop owns it and polls for it. Single-threaded.
#pragma once
#include <poll.h>
#include <sys/types.h>

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/base/temporary_files.hpp"
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

class AgentProcess {
 public:
  static constexpr int kOutputCredit = 256 * 1024;  // bytes of output sent that upcrun has not yet written

  // Starts the process. `number` identifies it in frames. `link` must outlive this object. Throws Failure.
  AgentProcess(Link& link, Spawner& spawner, const upcr::wire::JobVariable& job, unsigned number);

  pid_t pid() const noexcept { return child_.pid; }
  // It has ended, and so has whoever joined the job in its place.
  bool over() const { return exited_ && (worker_ == 0 || worker_ == child_.pid || member_exited_); }

  // What to poll for; `ending`: its output goes on whether upcrun has taken what came before or not. And what
  // to do afterwards with the same entries.
  void collect(std::vector<pollfd>& fds, bool ending) const;
  static constexpr std::size_t kPolled = 5;
  void handle(const pollfd* fds);

  // What upcrun says to it.
  void take_packet(std::string_view packet);
  void queue_input(std::string_view bytes);  // none: the end
  void add_credit(int bytes) noexcept { window_ += bytes; }
  // Whoever has not joined cannot be told in words that the job ends; nor scripts between us and those who
  // have.
  void ask_to_end();
  // Closes the socket, by which the program learns that upcrun is gone.
  void close_socket() { child_.control.reset(); }

  void note_end(int wait_status);
  // At the end, when nobody writes any more. Does not wait for a process that the kernel does not end.
  void read_remaining_output();
  // Call it at the end.
  void remove_temporary_files() { temporary_files_.remove_all(); }

 private:
  void receive_packets();
  bool receive_one();
  void send_packets();
  void note_joined(pid_t pid);
  void on_member_exit();
  void read_output(UniqueFd& pipe, int stream, std::size_t most);
  void read_available_output();
  void write_input();
  void tell(MessageType word, int value = 0, std::string_view text = {}) {
    link_.send(word, value, text, {}, number_);
  }

  Link& link_;
  TemporaryFiles temporary_files_;
  const unsigned number_;
  UniqueFd input_;  // of UPC thread 0's process
  Spawned child_;
  bool exited_ = false;
  pid_t worker_ = 0;
  bool member_exited_ = false;
  UniqueFd member_pidfd_;
  int window_ = kOutputCredit;
  std::deque<std::string> packets_;  // for the program
  std::string waiting_input_;
  bool input_over_ = false;
};

}  // namespace upcrun
