// SPDX-License-Identifier: BSD-3-Clause
// One collective call of one thread: its number in the team, its synchronisation, messages between members.
// Everything that runs as a collective is written with this. UPC threads, not in a handler.
//
// All members start the same calls of a team in the same order, so numbers agree; a member may be in a later
// call than another. What a slower member has not taken over yet is held (inbox.hpp, held.hpp); a thread that
// has more than kMostHeld messages held waits at the start of its next call. That cannot deadlock: sending
// never waits (but for messages above the eager limit), so the members that are in the oldest call always
// find what they wait for, and go on.
//
// A member that has ended its program without entering the call is found out by whoever waits for it: an
// error, not a hang.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/base/task.hpp"
#include "conduits/core/model/completion.hpp"
#include "upcr/coll/call/team.hpp"
#include "upcr/coll/call/transport.hpp"

namespace upcr::coll {

// Halves of the flags, in UPC 1.3 encoding. A half of 0 means ALLSYNC.
enum Flags : int {
  kInAllSync = 1,
  kInMySync = 2,
  kInNoSync = 4,
  kOutAllSync = 8,
  kOutMySync = 16,
  kOutNoSync = 32,
};

class Call {
 public:
  // Debug: not between notify and wait; one flag of each half at most.
  Call(ThreadCtx& c, Team& team, const char* function, int flags);
  // For a call that is not blocking: synchronises by messages, so that it can give way.
  struct Nonblocking {};
  Call(ThreadCtx& c, Team& team, const char* function, int flags, Nonblocking);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  ThreadCtx& ctx() noexcept { return ctx_; }
  Team& team() noexcept { return team_; }
  const char* function() const noexcept { return function_; }
  std::uint32_t number() const noexcept { return number_; }
  int in() const noexcept { return in_; }    // kInAllSync, kInMySync or kInNoSync
  int out() const noexcept { return out_; }  // kOutAllSync, kOutMySync or kOutNoSync
  FlagState& lines() noexcept { return member_.lines; }

  // ---- Blocking

  // Acts on the IN flag. ALLSYNC: returns when every member has entered. MYSYNC: see wait_entered(). Every
  // call enters, before it touches data.
  void enter();
  // IN_MYSYNC: returns when that member has entered. For data with affinity to it, before it is touched.
  // (Data that a thread sends itself, and data that the receiver stores itself, need no such thing.)
  void wait_entered(TeamRank member);
  // Acts on the OUT flag. ALLSYNC: returns when everybody has come here. MYSYNC: when every member that
  // expect_access_by() named has said end_access_to() this one.
  void leave();
  // This thread will not touch that member's data any more in this call (and has completed what it did).
  void end_access_to(TeamRank member, bool as_somebody = false);
  // That member touches data with affinity to this thread in this call, and will say end_access_to(). Before
  // leave(). Members that are only sent to, or received from, are not named.
  void expect_access_by(TeamRank member);
  // When only the other side knows: one member, whoever it is, will say end_access_to(this one, true).
  void expect_access_by_any();

  // Between members, matched by (call, sender, tag): one message of a tag to a member. Tags below kUserTags.
  // The source is reusable when send() returns; above kEagerLimit that is when the receiver has it.
  static constexpr unsigned kUserTags = 1u << 30;
  void send(TeamRank to, unsigned tag, const void* src, std::size_t bytes);
  void recv(TeamRank from, unsigned tag, void* dst, std::size_t bytes);
  // Both at once, of any size, without deadlock when everybody does so.
  void sendrecv(TeamRank to, const void* src, std::size_t sbytes, TeamRank from, void* dst,
                std::size_t rbytes, unsigned tag);
  // Runs it to its end.
  void run(Task task);
  // All threads of the job meet in a barrier that matches no barrier of the program's; another one, or the
  // end of a thread's program, is reported.
  void barrier();

  // ---- What tasks do: nothing here waits but what is awaited

  // Sends; the source is reusable on return, whatever the size. Not for the bulk: a large one is copied
  // first.
  void post(TeamRank to, unsigned tag, const void* src, std::size_t bytes);
  // The first part of enter(): others see that this thread is in the call. entering() is all of it.
  void announce();
  Task entering();
  Task leaving();

  // Where a task has given way: ready(self) says whether it can go on; `pending`: what makes it so, when it
  // is no message. whom: see until().
  struct Suspended {
    std::coroutine_handle<> task;
    TeamRank whom = 0;
    const Pending* pending = nullptr;
    bool (*ready)(void*) = nullptr;
    void* self = nullptr;
  };
  void park(const Suspended& parked) noexcept { parked_ = parked; }

  // co_await until(...): gives way until ready() holds. `whom`: the member that makes it true, kAnyMember
  // when any may. For what messages of the team, or a member's entering, make true.
  template <typename Ready>
  class [[nodiscard]] Until {
   public:
    Until(Call& call, TeamRank whom, Ready ready) : call_(call), peer_(whom), ready_(std::move(ready)) {}
    bool await_ready() { return ready_(); }
    void await_suspend(std::coroutine_handle<> h) {
      call_.park({h, peer_, nullptr, [](void* self) { return static_cast<Until*>(self)->ready_(); }, this});
    }
    void await_resume() noexcept {}

   private:
    Call& call_;
    TeamRank peer_;
    Ready ready_;
  };
  template <typename Ready>
  Until<Ready> until(TeamRank whom, Ready ready) {
    return {*this, whom, std::move(ready)};
  }
  auto received(TeamRank from, unsigned tag, void* dst, std::size_t bytes) {
    return until(from, [=, this] { return try_receive(from, tag, dst, bytes); });
  }
  // As wait_entered(); has_entered() asks, and with `watch` this thread looks again when the member enters
  // one.
  auto entered(TeamRank member) {
    return until(member, [=, this] { return has_entered(member, true); });
  }
  bool has_entered(TeamRank member, bool watch);
  static constexpr TeamRank kAnyMember = ~TeamRank{0};

  // For who runs a task a step at a time: has what it waits for come? Then goes on with it. complete(): until
  // it is done.
  bool proceed();
  void complete(const Task& task);

 private:
  Header header(TeamRank from, unsigned tag) const noexcept { return {team_.key, number_, from, tag, 0}; }
  Held* start_send(TeamRank to, unsigned tag, const void* src, std::size_t bytes);
  void wait_received(TeamRank to, const Held* held);
  bool try_receive(TeamRank from, unsigned tag, void* dst, std::size_t bytes);
  void receive(TeamRank from, unsigned tag, void* dst, std::size_t bytes);
  bool any_finished();
  Task meet(unsigned tag);
  [[noreturn]] void report_end(Slot thread);
  // whom: whose end to suspect when it takes long; kAnyMember: each member's in turn.
  template <typename Ready>
  void wait_for(TeamRank whom, const char* what, const Pending* pending, Ready&& ready);

  ThreadCtx& ctx_;
  Member& member_;
  Team& team_;
  const char* function_;
  std::uint32_t number_ = 0;
  int in_, out_;
  std::vector<TeamRank> accessors_;
  bool any_accesses_ = false;
  bool nonblocking_ = false;
  Suspended parked_;
};

// Fatal (now, or when the last thread has called) unless all members passed the same words in the same
// function; the message names the function, the argument, the values and the threads. At most 8 words; names
// of at most 15 characters. Nothing in the release library.
void check_single_valued(Call& call, const char* const* names, const std::uint64_t* values, unsigned count);
// Debug: fatal unless this is the only member that says so of `target` in this call (a permutation).
void check_only_one(Call& call, TeamRank target);

}  // namespace upcr::coll
