// SPDX-License-Identifier: BSD-3-Clause
// The TCP connection between upcrun and an agent (agent.hpp), a stream of frames. A frame concerns one
// process of the agent, or all of them, depending on its type. Never blocks: what the peer does not yet read
// is queued in memory, so a caller that sends much must check unsent(). Single-threaded.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tools/upcrun/base/unique_fd.hpp"

namespace upcrun {

inline constexpr int kLinkVersion = 5;

enum class MessageType : std::uint32_t {
  // Authentication, in this order.
  kAuthBegin = 100,  // from the agent, at once: the token prefix, which distinguishes agents from other
                     // clients of the port
  kAuthReply = 1,    // from upcrun: the job token, so that the agent sends the secret to no other program
  kHello,            // from the agent: a Hello (hello.hpp)
  // From upcrun to the agent.
  kLaunchSpec,  // a LaunchSpec (launch_spec.hpp): starts the program
  kPacket,      // both ways: a packet of wire.hpp to or from the program; value, from the agent: the sender's
                // pid
  kCredit,      // both ways: `value` more bytes of output, or of input, may be sent
  kPeerLost,    // both ways: rank `value` cannot communicate with the process; answered if that is alive
  kInput,       // standard input; no bytes: end of file
  kEndJob,      // the job ends: the agent ends its programs, at the latest after the grace period
  kAwaitReport,   // after kEndJob: a process of the job reports an error; the agent exits later
  kReleaseAgent,  // all programs have ended: the agent ends what they left behind, and exits
  // From the agent to upcrun.
  kStarted,       // value: pid; a description of the binding
  kStartFailed,   // the program cannot be started; value: exit status; the reason
  kSocketClosed,  // the program has closed its end of the socket
  kMemberExited,  // the process that had joined, not the one that was started, has ended
  kExited,        // the process has ended; value: its status as of waitpid()
  kSignalled,     // the launcher (mpirun) has sent the agent a signal to end; value: the signal
  kOutput,        // value: 1 stdout, 2 stderr; bytes
  // Collectives of the bootstrap: one message for all processes of the link.
  kContribution,  // from the agent, when `value` processes, from the frame's on, have contributed: a
                  // wire::Header (Contribution in exchange/collection.hpp), and the bytes
  kReply,         // from upcrun: a wire::Header, and the bytes
  kArrived,       // from the agent: these processes, 32 bits each, wait for others of the agent's in a
                  // collective; value: its wire::Type
  kMistake,       // from the agent: what the process has done wrong
  // From a relay to upcrun, about agents that it has started: the frame's process is the first one of theirs.
  kHostConnected,   // the agent of `value` processes has connected; the name of its host
  kHostLost,        // the link to the agent of this process is closed
  kLauncherEnded,   // value: exit status; a LauncherReport (launcher_report.hpp)
  kLaunchTimedOut,  // the agent has not connected in time; a LauncherReport
  // From upcrun to the agent.
  kForwardSignal,  // value: the signal that the program gets
};

struct Frame {
  MessageType type;
  std::int32_t value;
  std::uint32_t bytes;    // that follow
  std::uint32_t process;  // which of the agent's processes it concerns, counted from 0
};
static_assert(sizeof(Frame) == 16);

struct Message {
  MessageType type;
  int value;
  std::string_view payload;  // valid until the link is used again
  unsigned process = 0;
};

class Link {
 public:
  // `max_frame`: the largest payload that the peer may send; a larger one breaks the link.
  Link(UniqueFd socket, std::size_t max_frame);

  int fd() const noexcept { return socket_.get(); }
  // Reads bytes that have arrived, up to a limit. Returns false when no more will come; next() may still
  // return whole frames.
  bool fill();
  // The next whole frame, or nothing. After a malformed frame there is none, and broken() is true.
  std::optional<Message> next();
  bool broken() const noexcept { return broken_; }
  void set_max_frame(std::size_t max_frame) noexcept { max_frame_ = max_frame; }
  // The number of the agent's processes; initially 1. A frame for a process beyond it breaks the link.
  void set_processes(unsigned count) noexcept { processes_ = count; }

  // Sends a frame, and queues what cannot be sent at once. The payload is `first`, then `second`.
  void send(MessageType type, int value = 0, std::string_view first = {}, std::string_view second = {},
            unsigned process = 0);
  // The same, with a second part that several links may send: it is not copied.
  void send_shared(MessageType type, int value, std::string_view first,
                   std::shared_ptr<const std::string> second, unsigned process = 0);
  // Sends as much of the queue as possible.
  void flush();
  std::size_t unsent() const noexcept { return unsent_; }
  void close() noexcept;

 private:
  UniqueFd socket_;
  std::size_t max_frame_;
  unsigned processes_ = 1;
  struct Piece {
    std::string own;
    std::shared_ptr<const std::string> shared;  // if not null, instead
    const std::string& bytes() const noexcept { return shared ? *shared : own; }
  };
  std::string& last_own_piece();

  std::string in_;
  std::size_t consumed_ = 0;  // of in_
  std::deque<Piece> out_;
  std::size_t written_ = 0;  // of the first piece
  std::size_t unsent_ = 0;   // bytes of all
  bool broken_ = false;
};

// Makes the socket non-blocking, sets TCP_NODELAY, and sets the timers by which the connection is closed
// kDeadPeerSeconds after the peer's host has vanished. That is long enough for the failover of a bonded
// interface, or for four retransmissions in a row.
inline constexpr int kDeadPeerSeconds = 5;
void set_up_socket(int fd);

}  // namespace upcrun
