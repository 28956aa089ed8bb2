// SPDX-License-Identifier: BSD-3-Clause
// Synchronisation and messages of one collective call. See call.hpp.
#include "upcr/coll/call/call.hpp"

#include <time.h>

#include <atomic>
#include <cstring>
#include <optional>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/barrier/check.hpp"
#include "upcr/coll/call/error_reports.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::coll {
namespace {

constexpr std::size_t kMaxHeld = 64;

// Tags of the runtime's own messages.
constexpr unsigned kEntering = Call::kUserTags, kLeaving = kEntering + 64, kFinished = kLeaving + 64;

int half(int flags, int mask, int all) { return (flags & mask) != 0 ? flags & mask : all; }

// A thread that has waited for so long checks whether the one that it waits for has ended its program.
constexpr std::uint64_t kPeerCheckNs = 300'000'000;

std::uint64_t now_ns() {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

Call::Call(ThreadCtx& c, Team& team, const char* function, int flags)
    : ctx_(c),
      member_(coll::member(c)),
      team_(team),
      function_(function),
      in_(half(flags, kInAllSync | kInMySync | kInNoSync, kInAllSync)),
      out_(half(flags, kOutAllSync | kOutMySync | kOutNoSync, kOutAllSync)) {
#if UPCR_DEBUG
  if (c.notified)
    fatal("%s called by UPC thread %u between upcr_notify and upcr_wait; wait first", function, c.thread);
  if ((flags & ~63) != 0 || (in_ & (in_ - 1)) != 0 || (out_ & (out_ - 1)) != 0)
    fatal(
        "%s: flags %#x of UPC thread %u; they must be one of UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC "
        "and one of UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC",
        function, static_cast<unsigned>(flags), c.thread);
#endif
  if (member_.held.sweep() > kMaxHeld)
    job().progress.wait_until(c.thread,
                              {"threads that are late in collective calls", team.calls, WaitFor::kCollective},
                              [&] { return member_.held.sweep() <= kMaxHeld; });
  number_ = ++team.calls;
  c.collective = {.function = function, .team = team.key, .call = number_, .inside = true};
}

Call::Call(ThreadCtx& c, Team& team, const char* function, int flags, Nonblocking)
    : Call(c, team, function, flags) {
  nonblocking_ = true;
  c.collective.inside = false;
}

// Waits until ready() holds, which is tested again when the inbox changes or `pending` is done; after a long
// wait, checks whether the member has ended its program.
template <typename Ready>
void Call::wait_for(TeamRank peer, const char* what, const Pending* pending, Ready&& ready) {
  TeamRank suspect = peer != kAnyMember ? peer : 0;
  const auto reason = [&](TeamRank member) {
    return WaitReason{what, team_.thread_of(member), WaitFor::kCollective};
  };
  Inbox& inbox = *inbox_of(member_.slot);
  std::uint64_t since = 0;
  std::optional<WaitRecord> record;  // of all that follows as one wait
  for (;;) {
    const std::uint32_t seen = inbox.changes();
    if (ready()) return;
    if (!record) record.emplace(member_.slot, reason(suspect));
    if (since == 0) since = now_ns();
    bool suspicious = false;
    job().progress.wait_until(member_.slot, reason(suspect), [&] {
      if (inbox.changes() != seen || (pending != nullptr && pending->done())) return true;
      return suspicious = now_ns() - since > kPeerCheckNs;
    });
    if (!suspicious) continue;
    const Position p = position_of(member_, team_.thread_of(suspect), team_.index_of(suspect), false);
    // Its last messages have arrived before the notice of its end, so one more test decides.
    if (p.ended && static_cast<std::int32_t>(p.entered - number_) < 0) {
      if (ready()) return;
      report_end(team_.thread_of(suspect));
    }
    if (peer == kAnyMember) suspect = (suspect + 1) % team_.size;
    since = now_ns();
  }
}

// --- tasks ---------------------------------------------------------------------------------------------

void Call::run(Task task) {
  task.start();
  complete(task);
}

void Call::complete(const Task& task) {
  while (!task.done()) {
    const Suspended p = suspended_;
    wait_for(p.peer, "a collective call; UPC thread", p.pending, [&] { return p.ready(p.self); });
    p.task.resume();
  }
}

bool Call::resume_if_ready() {
  const Suspended p = suspended_;
  if (!p.ready(p.self)) return false;
  p.task.resume();
  return true;
}

void Call::announce() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  coll::announce(member_, team_.index, number_);
}

Task Call::entering() {
  announce();
  if (in_ == kInAllSync) co_await dissemination_barrier(kEntering);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

Task Call::leaving() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (out_ == kOutAllSync) co_await dissemination_barrier(kLeaving);
  for (const TeamRank member : accessors_) co_await received(member, kFinished, nullptr, 0);
  if (any_accesses_) co_await until(kAnyMember, [this] { return any_finished(); });
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // No sweep here: another call of this thread may be waiting for one of the messages (wait_received), and
  // this one may end inside that wait.
}

void Call::barrier() {
  job().barrier.notify(ctx_.thread, {BarrierKind::kCollective, 0});
  const BarrierResult r = job().barrier.wait(ctx_.thread);
  if (!r.mismatch) return;
  const bool first_ended = r.first.kind == BarrierKind::kExit;
  if ((first_ended || r.second.kind == BarrierKind::kExit) &&
      ctx_.thread == (first_ended ? r.second_thread : r.first_thread))
    report_end(first_ended ? r.first_thread : r.second_thread);
  check_barrier(ctx_, r);
}

void Call::report_end(Slot thread) {
  fatal(
      "UPC thread %u is in %s, but thread %u has ended its program without it; all threads must make the "
      "same collective calls",
      ctx_.thread, function_, thread);
}

// A barrier of all members. Dissemination barrier (Hensgen, Finkel, Manber 1988): after round i each member
// knows that the 2^(i+1) - 1 members before it have entered.
Task Call::dissemination_barrier(unsigned tag) {
  if (team_.key == 0 && !nonblocking_) {
    barrier();
    co_return;
  }
  const std::uint64_t n = team_.size;
  for (std::uint64_t distance = 1; distance < n; distance *= 2, ++tag) {
    const auto to = static_cast<TeamRank>((team_.me + distance) % n);
    const auto from = static_cast<TeamRank>((team_.me + n - distance) % n);
    post(to, tag, nullptr, 0);
    co_await received(from, tag, nullptr, 0);
  }
}

// --- synchronisation -----------------------------------------------------------------------------------

void Call::enter() { run(entering()); }
void Call::leave() { run(leaving()); }

bool Call::has_entered(TeamRank member, bool watch) {
  if (in_ != kInMySync || member == team_.me) return true;
  const Position p = position_of(member_, team_.thread_of(member), team_.index_of(member), watch);
  if (static_cast<std::int32_t>(p.entered - number_) < 0) return false;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return true;
}

void Call::wait_entered(TeamRank member) {
  if (!has_entered(member, false))
    wait_for(member, "UPC thread that enters a collective", nullptr,
             [&] { return has_entered(member, true); });
}

void Call::end_access_to(TeamRank member, bool anonymous) {
  if (out_ != kOutMySync || member == team_.me) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  coll::post(member_, team_.thread_of(member), header(anonymous ? kAnyMember : team_.me, kFinished), nullptr,
             0);
}

void Call::expect_access_by_any() { any_accesses_ = out_ == kOutMySync; }

// The message of an unknown sender is in the inbox or, if that was full, kept by a member that left a mark.
bool Call::any_finished() {
  const Header h = header(kAnyMember, kFinished);
  Inbox& inbox = *inbox_of(member_.slot);
  if (inbox.take(h, nullptr, 0, function_)) return true;
  for (TeamRank m = 0; m < team_.size; ++m)
    if (inbox.marked(team_.thread_of(m)) &&
        receive_or_pull(member_, team_.thread_of(m), h, nullptr, 0, function_))
      return true;
  return false;
}

void Call::expect_access_by(TeamRank member) {
  if (out_ == kOutMySync && member != team_.me) accessors_.push_back(member);
}

// --- messages ------------------------------------------------------------------------------------------

void Call::post(TeamRank to, unsigned tag, const void* src, std::size_t bytes) {
  coll::post(member_, team_.thread_of(to), header(team_.me, tag), src, bytes);
}

Held* Call::start_send(TeamRank to, unsigned tag, const void* src, std::size_t bytes) {
  UPCR_ASSERT(tag < kUserTags && to < team_.size);
  if (bytes > kEagerLimit)
    return send_rendezvous(member_, team_.thread_of(to), header(team_.me, tag), src, bytes);
  post(to, tag, src, bytes);
  return nullptr;
}

void Call::wait_received(TeamRank to, const Held* held) {
  if (held == nullptr) return;
  wait_for(to, "a message of a collective to be received by UPC thread", nullptr,
           [&] { return held->state.load(std::memory_order_acquire) == HeldState::kDone; });
  member_.held.sweep();
}

bool Call::try_receive(TeamRank from, unsigned tag, void* dst, std::size_t bytes) {
  return receive_or_pull(member_, team_.thread_of(from), header(from, tag), dst, bytes, function_);
}

void Call::receive(TeamRank from, unsigned tag, void* dst, std::size_t bytes) {
  wait_for(from, "a message of a collective from UPC thread", nullptr,
           [&] { return try_receive(from, tag, dst, bytes); });
}

void Call::send(TeamRank to, unsigned tag, const void* src, std::size_t bytes) {
  wait_received(to, start_send(to, tag, src, bytes));
}

void Call::recv(TeamRank from, unsigned tag, void* dst, std::size_t bytes) {
  UPCR_ASSERT(tag < kUserTags && from < team_.size);
  receive(from, tag, dst, bytes);
}

void Call::sendrecv(TeamRank to, const void* src, std::size_t sbytes, TeamRank from, void* dst,
                    std::size_t rbytes, unsigned tag) {
  if (to == team_.me && from == team_.me) {
    if (sbytes != rbytes) report_size_mismatch(function_, from, sbytes, rbytes);
    if (rbytes != 0) std::memmove(dst, src, rbytes);
    return;
  }
  Held* const held = start_send(to, tag, src, sbytes);
  receive(from, tag, dst, rbytes);
  wait_received(to, held);
}

}  // namespace upcr::coll
