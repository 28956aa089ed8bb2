// SPDX-License-Identifier: BSD-3-Clause
// One collective call of one thread: its number in the team, its synchronisation, messages between members.
// Every collective is written with this. UPC threads, not in a handler.
//
// All members start the same calls of a team in the same order, so numbers agree; a member may be in a later
// call than another. Messages that a slower member has not received yet are kept by their sender or in the
// inbox (held.hpp, inbox.hpp); a thread that keeps more than kMaxHeld waits at the start of its next call.
// That cannot deadlock: sending never waits (except for messages above the eager limit), so the members in
// the oldest call always receive the messages that they wait for, and continue.
//
// A member that ended its program without entering the call is detected by the threads that wait for it: an
// error, not a hang.
#pragma once
#include <algorithm>
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
  // A non-blocking call synchronises by messages, because a barrier cannot be suspended.
  struct Nonblocking {};
  Call(ThreadCtx& c, Team& team, const char* function, int flags, Nonblocking);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    if (!nonblocking_) ctx_.collective.inside = false;
  }

  // For reports of waits: arguments that are the same on all members. The names are not copied.
  template <unsigned count>
  void note_arguments(const char* const (&names)[count], const std::uint64_t (&values)[count]) noexcept {
    static_assert(count <= CollectiveRecord::kMaxValues);
    ctx_.collective.names = names;
    std::copy_n(values, count, ctx_.collective.values);
    ctx_.collective.count = count;
  }

  ThreadCtx& ctx() noexcept { return ctx_; }
  Team& team() noexcept { return team_; }
  const char* function() const noexcept { return function_; }
  std::uint32_t number() const noexcept { return number_; }
  int in() const noexcept { return in_; }    // kInAllSync, kInMySync or kInNoSync
  int out() const noexcept { return out_; }  // kOutAllSync, kOutMySync or kOutNoSync
  FlagState& flag_state() noexcept { return member_.flag_state; }

  // ---- Blocking

  // Does what the IN flag demands. ALLSYNC: returns when every member has entered. MYSYNC: see
  // wait_entered(). Every call enters before it accesses data.
  void enter();
  // IN_MYSYNC: returns when that member has entered. Called before data with affinity to it is accessed by
  // put or get; messages need it not: both sides access their own data.
  void wait_entered(TeamRank member);
  // Does what the OUT flag demands. ALLSYNC: returns when every member has called leave(). MYSYNC: when every
  // member passed to expect_access_by() has called end_access_to() for this one.
  void leave();
  // This thread has completed its accesses to that member's data, and makes no others in this call.
  void end_access_to(TeamRank member, bool anonymous = false);
  // That member accesses data with affinity to this thread in this call, and will call end_access_to().
  // Before leave(). Not for members that exchange messages only.
  void expect_access_by(TeamRank member);
  // One member that this thread does not know will call end_access_to(this one, true).
  void expect_access_by_any();

  // Messages between members are matched by (call, sender, tag): one message of a tag to a member. Tags are
  // below kUserTags. The source is reusable when send() returns; above kEagerLimit the receiver has it then.
  static constexpr unsigned kUserTags = 1u << 30;
  void send(TeamRank to, unsigned tag, const void* src, std::size_t bytes);
  void recv(TeamRank from, unsigned tag, void* dst, std::size_t bytes);
  // Both at once, of any size, without deadlock when all members do so.
  void sendrecv(TeamRank to, const void* src, std::size_t sbytes, TeamRank from, void* dst,
                std::size_t rbytes, unsigned tag);
  // Runs a task to its end.
  void run(Task task);
  // A barrier of all threads of the job that matches no barrier of the program; if a thread is in one of
  // those, or has ended its program, that is reported.
  void barrier();

  // ---- For tasks: only co_await waits

  // Sends a message of any size; the source is reusable on return. Copies large messages: not for bulk data.
  void post(TeamRank to, unsigned tag, const void* src, std::size_t bytes);
  // The first half of enter(): others see that this thread is in the call. entering() is both halves.
  void announce();
  Task entering();
  Task leaving();

  // A suspended task: ready(self) tells whether it can be resumed; `pending`, if not null, is what it waits
  // for besides messages. peer: see until().
  struct Suspended {
    std::coroutine_handle<> task;
    TeamRank peer = 0;
    const Pending* pending = nullptr;
    bool (*ready)(void*) = nullptr;
    void* self = nullptr;
  };
  void suspend(const Suspended& suspended) noexcept { suspended_ = suspended; }

  // co_await until(...): suspends until ready() holds. `peer`: the member that makes it true, kAnyMember when
  // any may. Only for conditions that a message of the team or a member that enters makes true.
  template <typename Ready>
  class [[nodiscard]] Until {
   public:
    Until(Call& call, TeamRank peer, Ready ready) : call_(call), peer_(peer), ready_(std::move(ready)) {}
    bool await_ready() { return ready_(); }
    void await_suspend(std::coroutine_handle<> h) {
      call_.suspend(
          {h, peer_, nullptr, [](void* self) { return static_cast<Until*>(self)->ready_(); }, this});
    }
    void await_resume() noexcept {}

   private:
    Call& call_;
    TeamRank peer_;
    Ready ready_;
  };
  template <typename Ready>
  Until<Ready> until(TeamRank peer, Ready ready) {
    return {*this, peer, std::move(ready)};
  }
  auto received(TeamRank from, unsigned tag, void* dst, std::size_t bytes) {
    return until(from, [=, this] { return try_receive(from, tag, dst, bytes); });
  }
  // As wait_entered(). has_entered() tests; with `watch` this thread is woken when the member enters a call.
  auto entered(TeamRank member) {
    return until(member, [=, this] { return has_entered(member, true); });
  }
  bool has_entered(TeamRank member, bool watch);
  static constexpr TeamRank kAnyMember = ~TeamRank{0};

  // resume_if_ready() resumes the suspended task if it is ready; false: it is not. complete() resumes it
  // until it is done.
  bool resume_if_ready();
  void complete(const Task& task);

 private:
  Header header(TeamRank from, unsigned tag) const noexcept { return {team_.key, number_, from, tag, 0}; }
  Held* start_send(TeamRank to, unsigned tag, const void* src, std::size_t bytes);
  void wait_received(TeamRank to, const Held* held);
  bool try_receive(TeamRank from, unsigned tag, void* dst, std::size_t bytes);
  void receive(TeamRank from, unsigned tag, void* dst, std::size_t bytes);
  bool any_finished();
  Task dissemination_barrier(unsigned tag);
  [[noreturn]] void report_end(Slot thread);
  // peer: the member that is checked for the end of its program when the wait is long; kAnyMember: each in
  // turn.
  template <typename Ready>
  void wait_for(TeamRank peer, const char* what, const Pending* pending, Ready&& ready);

  ThreadCtx& ctx_;
  Member& member_;
  Team& team_;
  const char* function_;
  std::uint32_t number_ = 0;
  int in_, out_;
  std::vector<TeamRank> accessors_;
  bool any_accesses_ = false;
  bool nonblocking_ = false;
  Suspended suspended_;
};

// Fatal (now, or when the last thread has called) unless all members passed the same values in the same
// function; the message names the function, the argument, the values and the threads. At most 8 values; names
// of at most 15 characters. Does nothing in the release library.
void check_single_valued(Call& call, const char* const* names, const std::uint64_t* values, unsigned count);
// Debug: fatal if another member passes the same `target` in this call (a permutation is one to one).
void check_only_one(Call& call, TeamRank target);

}  // namespace upcr::coll
