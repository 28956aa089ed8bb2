// SPDX-License-Identifier: BSD-3-Clause
// The TCP connection between upcrun and an agent (agent.hpp), a stream of frames. A frame concerns one
// process of the agent, or all of them, depending on its type. Never blocks: what the peer does not yet read
// is queued in memory, so a caller that sends much must check unsent(). Single-threaded.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/upcrun/base/unique_fd.hpp"

namespace upcrun {

inline constexpr int kLinkVersion = 3;

enum class MessageType : std::uint32_t {
  // Before the agent is known, in this order.
  kAuthBegin =
      100,  // agent, at once: the knock of the job, so that it is told from who just happens to come by
  kAuthReply = 1,  // upcrun: the greeting of the job, so that the agent tells the secret to nobody else
  kHello,          // agent: a Hello (hello.hpp)
  // upcrun to agent.
  kLaunchSpec,  // a LaunchSpec (launch_spec.hpp): start the program
  kPacket,   // both ways: a packet of wire.hpp to or from the program; value, from the agent: the program's
             // pid
  kCredit,   // both ways: `value` bytes of output, or of input, have been passed on
  kInput,    // standard input; no bytes: its end
  kEnd,      // the job ends: end the program, now or within the grace
  kRelease,  // all programs have ended: end what they left behind, and yourself
  // Agent to upcrun.
  kStarted,       // value: pid; "host\0where it may run"
  kStartFailed,   // the program cannot be started; value: exit status; why
  kSocketClosed,  // the program has closed its end of the socket
  kMemberExited,  // the process that had joined, not the one that was started, has ended
  kEnded,         // value: status as waitpid() tells it
  kSignalled,     // value: the signal by which the starter (mpirun) told the agent to end
  kOutput,        // value: 1 stdout, 2 stderr; bytes
};

struct Frame {
  MessageType word;
  std::int32_t value;
  std::uint32_t bytes;    // that follow
  std::uint32_t process;  // which of the agent's processes it concerns, counted from 0
};
static_assert(sizeof(Frame) == 16);

struct Message {
  MessageType word;
  int value;
  std::string_view payload;  // valid until the link is used again
  unsigned process = 0;
};

class Link {
 public:
  // `longest`: payload of a frame that the other side may send; more than that is nonsense.
  Link(UniqueFd socket, std::size_t longest);

  int fd() const noexcept { return socket_.get(); }
  // Reads bytes that have arrived, up to a limit. Returns false when no more will come; next() may still
  // return whole frames.
  bool fill();
  // The next whole frame, or nothing. After a malformed frame there is none, and broken() is true.
  std::optional<Message> next();
  bool broken() const noexcept { return broken_; }
  void set_max_frame(std::size_t longest) noexcept { max_frame_ = longest; }
  // How many processes the agent has, if more than one: a frame about another one is nonsense.
  void set_processes(unsigned count) noexcept { processes_ = count; }

  // Sends, or queues what does not go at once. Two pieces of payload.
  void send(MessageType word, int value = 0, std::string_view first = {}, std::string_view second = {},
            unsigned process = 0);
  // Sends as much of the queue as possible.
  void flush();
  std::size_t unsent() const noexcept { return out_.size() - written_; }
  void close() noexcept;

 private:
  UniqueFd socket_;
  std::size_t max_frame_;
  unsigned processes_ = 1;
  std::string in_, out_;
  std::size_t consumed_ = 0;  // of in_
  std::size_t written_ = 0;   // of out_
  bool broken_ = false;
};

// Makes the socket non-blocking, sets TCP_NODELAY, and sets the timers by which the connection is closed
// kDeadPeerSeconds after the peer's host has vanished. That is long enough for the failover of a bonded
// interface, or for four retransmissions in a row.
inline constexpr int kDeadPeerSeconds = 5;
void set_up_socket(int fd);

}  // namespace upcrun
