// SPDX-License-Identifier: BSD-3-Clause
// One image's part in one collective, blocking or not: a coroutine over two primitives, a place that waits
// for data and data that is sent to it. The receiver announces the place, whose size is checked, and the
// sender moves the data there when it has both; so nothing is stored on the way, and an image that runs ahead
// waits for those that it sends to.
//
// Calls are stepped by start(), and by make_progress() on whichever thread polls, one at a time.
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

// Data on its way to a place of this image. Not moved while it is under way.
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

// What members of a barrier agree on (barrier.cpp).
struct Vote {
  enum Kind : std::uint64_t { kAnonymous, kNamed, kMismatch };
  std::uint64_t kind = kAnonymous;
  std::int64_t id = 0;
};

// Steps of the parts of a collective; each part may add to its own.
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

  // co_await until(predicate): goes on when it holds. It is asked at every step.
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

  // Announces a place to the rank whose data it waits for. Of 0 bytes in debug builds only.
  void post(Receive& r, TeamRank from, std::uint32_t step, void* data, std::size_t bytes);
  // Sends each as soon as its place is announced and there is room on the way, whatever the order: one image
  // that is late holds up none of the others. Over when the data may be changed.
  Task send(std::vector<Transfer> transfers);
  // The barrier's message.
  void tell(TeamRank to, std::uint32_t step, const Vote& vote);
  bool told(TeamRank from, std::uint32_t step, Vote& vote);

  // Goes on without waiting. The member's thread; the call must live until done().
  void start(Task task);
  bool done() const noexcept { return done_.load(std::memory_order_acquire); }
  // Waits for the end, serving the network.
  void wait();

 private:
  friend class CallScheduler;
  struct Outgoing;
  bool advance(Outgoing& out);
  bool step();

  Task task_;
  std::coroutine_handle<> suspended_;
  void* awaiter_ = nullptr;
  bool (*holds_)(void*) = nullptr;
  Call* next_ = nullptr;  // among those that are started and not stepped yet
  std::atomic<bool> done_{false};
};

// Before the first message, from gasnet_attach().
void attach(AmEngine& engine);

}  // namespace upcr::gasnet::coll

// The tag that clients spell: a non-blocking collective.
struct gasneti_coll_op_s : upcr::gasnet::coll::Call {
  using Call::Call;
};
