// SPDX-License-Identifier: BSD-3-Clause
// One process of an agent (agent.hpp): its socket, its pipes and its end, which it reports to upcrun over the
// agent's link. The agent's loop owns it and polls for it. Single-threaded.
#pragma once
#include <poll.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/base/temporary_files.hpp"
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/exchange/packet_queue.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

class AgentProcess {
 public:
  static constexpr int kOutputCredit = 256 * 1024;  // bytes of output sent that upcrun has not yet written

  // Takes a packet with which the process takes part in a collective.
  using Contribute =
      std::function<void(unsigned number, const upcr::wire::Header& header, std::string_view chunk)>;

  // Starts the process. `number` identifies it in frames. `link` must outlive this object. Throws Failure.
  AgentProcess(Link& link, Spawner& spawner, const upcr::wire::JobVariable& job, unsigned number,
               Contribute contribute);

  pid_t pid() const noexcept { return child_.pid; }
  // Whether it has ended, and with it the process that joined the job in its place, if there is one.
  bool over() const { return exited_ && (member_ == 0 || member_ == child_.pid || member_exited_); }

  // Whether the process that has joined the job runs, and is not about to end.
  bool is_alive() const;
  // Whether it reports an error, while the job ends.
  bool reporting() const { return reporting_ && !over(); }

  // Appends kPolled entries to poll; handle() takes the same entries after poll(). `ending`: output is
  // forwarded even without credit.
  void collect(std::vector<pollfd>& fds, bool ending) const;
  static constexpr std::size_t kPolled = 5;
  void handle(const pollfd* fds);

  // Messages of upcrun to the process.
  void queue_packet(std::string_view packet);
  void queue_reply(const Reply& reply);
  void queue_input(std::string_view bytes);  // no bytes: end of file
  void add_credit(int bytes) noexcept { credit_ += bytes; }
  // Sends SIGTERM to a process that cannot receive a packet about the job's end: one that has not joined, or
  // a script that runs one that has.
  void terminate_unjoined();
  // Sends the signal to the program, and to a script that has started it.
  void forward_signal(int number) const;
  // Closes the socket, by which the program learns that upcrun is gone.
  void close_socket() { child_.control.reset(); }

  void on_exit(int wait_status);
  // Call it at the end, when no process writes any more. Does not wait for a process that the kernel does not
  // end.
  void read_remaining_output();
  // Call it at the end.
  void remove_temporary_files() { temporary_files_.remove_all(); }

 private:
  void receive_packets();
  bool receive_one();
  void send_packets();
  void on_joined(pid_t pid);
  void on_member_exit();
  void read_output(UniqueFd& pipe, int stream, std::size_t most);
  void read_available_output();
  void write_input();
  void send(MessageType type, int value = 0, std::string_view text = {}) {
    link_.send(type, value, text, {}, number_);
  }

  Link& link_;
  TemporaryFiles temporary_files_;
  const unsigned number_;
  UniqueFd input_;  // of UPC thread 0's process
  Spawned child_;
  bool exited_ = false, reporting_ = false;
  pid_t member_ = 0;
  bool member_exited_ = false;
  UniqueFd member_pidfd_;
  int credit_ = kOutputCredit;
  const Contribute contribute_;
  PacketQueue packets_;  // to the program
  std::string waiting_input_;
  bool input_over_ = false;
};

}  // namespace upcrun
