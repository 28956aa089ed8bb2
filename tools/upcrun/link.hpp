// SPDX-License-Identifier: BSD-3-Clause
// The TCP connection between upcrun and an agent (agent.hpp), as a stream of frames. Never blocks; what the
// other side is slow to take waits in memory, so whoever sends much looks at unsent(). Single-threaded.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/upcrun/unique_fd.hpp"

namespace upcrun {

inline constexpr int kLinkVersion = 2;

enum class Word : std::uint32_t {
  // Before the agent is known, in this order.
  kKnock = 100,   // agent, at once: the knock of the job, so that it is told from who just happens to come by
  kGreeting = 1,  // upcrun: the greeting of the job, so that the agent tells the secret to nobody else
  kHello,         // agent: a Hello (hello.hpp)
  // upcrun to agent.
  kOrder,    // an Order (order.hpp): start the program
  kPacket,   // both ways: a packet of wire.hpp to or from the program; value, from the agent: the program's
             // pid
  kTaken,    // both ways: `value` bytes of output, or of input, have been passed on
  kInput,    // standard input; no bytes: its end
  kEnd,      // the job ends: end the program, now or within the grace
  kRelease,  // all programs have ended: end what they left behind, and yourself
  // Agent to upcrun.
  kStarted,     // value: pid; "host\0where it may run"
  kFailed,      // the program cannot be started; value: exit status; why
  kHungUp,      // the program has closed its end of the socket
  kWorkerOver,  // the process that had joined, not the one that was started, has ended
  kEnded,       // value: status as waitpid() tells it
  kTold,        // value: the signal by which the starter (mpirun) told the agent to end
  kOutput,      // value: 1 stdout, 2 stderr; bytes
};

struct Frame {
  Word word;
  std::int32_t value;
  std::uint32_t bytes;     // that follow
  std::uint32_t reserved;  // 0
};
static_assert(sizeof(Frame) == 16);

struct Message {
  Word word;
  int value;
  std::string_view payload;  // valid until the link is used again
};

class Link {
 public:
  // `longest`: payload of a frame that the other side may send; more than that is nonsense.
  Link(UniqueFd socket, std::size_t longest);

  int fd() const noexcept { return socket_.get(); }
  // Reads what has arrived, a part of it if it is much. False: nothing will come any more; next() may still
  // have whole frames.
  bool fill();
  // The next whole frame. Nothing after a frame that is too long; broken() then.
  std::optional<Message> next();
  bool broken() const noexcept { return broken_; }
  void set_longest(std::size_t longest) noexcept { longest_ = longest; }

  // Sends, or queues what does not go at once. Two pieces of payload.
  void send(Word word, int value = 0, std::string_view first = {}, std::string_view second = {});
  // Writes what is queued, as far as it goes.
  void flush();
  std::size_t unsent() const noexcept { return out_.size() - written_; }
  void close() noexcept;

 private:
  UniqueFd socket_;
  std::size_t longest_;
  std::string in_, out_;
  std::size_t taken_ = 0;    // of in_
  std::size_t written_ = 0;  // of out_
  bool broken_ = false;
};

// Makes the socket non-blocking, without delays, and dead when its host is: at most kSilence seconds after
// the other host vanished the connection is closed.
inline constexpr int kSilence = 25;
void set_up_socket(int fd);

}  // namespace upcrun
