// SPDX-License-Identifier: BSD-3-Clause
// One image's part in one collective, blocking or not: a coroutine over two primitives, a receive and a send.
// The receiver announces its buffer, whose size is checked, and the sender moves the data there; so data is
// not buffered in between, and an image that runs ahead waits for its receivers.
//
// start() and the progress engine resume the calls, one at a time, on whichever thread polls.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/api/gasnet/coll/mailbox.hpp"
#include "conduits/api/gasnet/coll/team.hpp"
#include "conduits/core/base/task.hpp"
#include "conduits/core/model/completion.hpp"

namespace upcr {
class AmEngine;
}

namespace upcr::gasnet::coll {

// Data that is to arrive in a buffer of this image. Stays at its address until done().
struct Receive {
  std::atomic<std::size_t> missing{0};  // bytes
  char* data = nullptr;
  std::size_t bytes = 0;

  bool done() const noexcept { return missing.load(std::memory_order_acquire) == 0; }
  void complete(std::size_t n) noexcept { missing.fetch_sub(n, std::memory_order_release); }
};

struct Transfer {
  TeamRank to;
  std::uint32_t step;
  const void* data;
  std::size_t bytes;
};

// The value of a barrier that an image has, and combines with the others' (barrier.cpp). Also sent as it is.
struct Vote {
  enum Kind : std::uint64_t { kAnonymous, kNamed, kMismatch };
  std::uint64_t kind = kAnonymous;
  std::int64_t id = 0;
};

// The first step of each part of a collective; the parts add to their own.
enum Step : std::uint32_t { kEntry = 0, kData = 1u << 8, kExit = 1u << 31 };

class Call {
 public:
  Call(Member& m, const char* function) noexcept
      : member(m), sequence(m.next_sequence++), function(function) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Member& member;
  const std::uint32_t sequence;
  const char* const function;
  Vote vote;  // of a barrier, and then its outcome

  TeamRank rank() const noexcept { return member.rank; }
  TeamRank size() const noexcept { return member.size(); }

  // co_await until(predicate): resumes when it holds, which is tested at every poll.
  template <typename Predicate>
  auto until(Predicate predicate) {
    struct Awaiter {
      Call& call;
      Predicate predicate;
      bool await_ready() { return predicate(); }
      void await_suspend(std::coroutine_handle<> h) noexcept {
        call.suspended_ = h;
        call.awaiter_ = this;
        call.holds_ = [](void* self) -> bool { return static_cast<Awaiter*>(self)->predicate(); };
      }
      void await_resume() noexcept {}
    };
    return Awaiter{*this, std::move(predicate)};
  }

  // Announces a buffer to the rank whose data it is for. Of 0 bytes in debug builds only.
  void post(Receive& r, TeamRank from, std::uint32_t step, void* data, std::size_t bytes);
  // Sends each as soon as its buffer is announced and the network accepts it, in any order: an image that is
  // late does not delay the others. Done when the data may be changed.
  Task send(std::vector<Transfer> transfers);
  // A barrier's messages. take_vote() is false as long as the vote has not arrived.
  void send_vote(TeamRank to, std::uint32_t step, const Vote& vote);
  bool take_vote(TeamRank from, std::uint32_t step, Vote& vote);

  // Runs the task up to its first wait. The member's thread; the call must live until done().
  void start(Task task);
  bool done() const noexcept { return done_.load(std::memory_order_acquire); }
  // Waits until it is done, and polls the network meanwhile.
  void wait();

 private:
  friend class CallScheduler;
  struct Outgoing;
  bool advance(Outgoing& out);
  bool resume_if_ready();

  Task task_;
  std::coroutine_handle<> suspended_;
  void* awaiter_ = nullptr;
  bool (*holds_)(void*) = nullptr;
  Call* next_ = nullptr;  // in CallScheduler's list of new calls
  std::atomic<bool> done_{false};
};

// Before the first message, from gasnet_attach().
void attach(AmEngine& engine);

}  // namespace upcr::gasnet::coll

// The type that the C API names: a non-blocking collective.
struct gasneti_coll_op_s : upcr::gasnet::coll::Call {
  using Call::Call;
};
