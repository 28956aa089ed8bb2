// SPDX-License-Identifier: BSD-3-Clause
// Messages between members of teams: see transport.hpp. A handler does for a thread of its process what a
// thread with that memory mapped does directly.
#include "upcr/coll/call/transport.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/access/data.hpp"
#include "upcr/coll/call/error_reports.hpp"
#include "upcr/state/handlers.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::coll {
namespace {

// --- messages ------------------------------------------------------------------------------------------

struct Args {
  std::uint32_t words[kMaxAmArgs];
  unsigned n = 0;
  Args& add(std::uint32_t w) {
    words[n++] = w;
    return *this;
  }
  Args& add64(std::uint64_t w) {
    return add(static_cast<std::uint32_t>(w)).add(static_cast<std::uint32_t>(w >> 32));
  }
  Args& add(const Header& h) { return add64(h.team).add(h.call).add(h.from).add(h.tag); }
};

std::uint64_t word64(const std::uint32_t* at) { return at[0] | std::uint64_t{at[1]} << 32; }
constexpr unsigned kHeaderArgs = 5;
Header header_at(const std::uint32_t* at) { return {word64(at), at[2], at[3], at[4], 0}; }

AmMessage message(InternalHandler handler, const Args& args, const void* data = nullptr,
                  std::size_t bytes = 0) {
  return internal_message(handler, {args.words, args.n}, bytes != 0 ? data : nullptr, bytes);
}

// The thread of this process that a message is for.
Member& addressee(const AmToken& token, Slot slot) {
  const Topology& t = job().topology;
  if (slot - t.my_first_slot() >= t.my_slots())
    fatal("rank %u sent a message of a collective for UPC thread %u, which is not here", token.source, slot);
  return *runtime().contexts[slot - t.my_first_slot()].coll;
}

void send_to(Slot slot, const AmMessage& m) { job().engine->request(job().topology.rank_of[slot], m); }

// --- sending -------------------------------------------------------------------------------------------

// to, sender, header, held (null: an offer, which is to be pulled) + data
void on_message(AmToken& token, const std::uint32_t* args, unsigned, void* data, std::size_t bytes, void*) {
  Inbox& inbox = *inbox_of(addressee(token, args[0]).slot);
  const std::uint64_t held = word64(args + 2 + kHeaderArgs);
  const bool stored = held != 0 && inbox.deposit(header_at(args + 2), data, bytes);
  if (!stored) inbox.mark(args[1]);
  ring(args[0]);
  if (held == 0) return;
  Args answer;
  answer.add64(held).add(stored ? 1 : 0);
  token.engine.reply(token, message(UpcHandler::kCollReceipt, answer));
}

// held, stored
void on_taken(AmToken&, const std::uint32_t* args, unsigned, void*, std::size_t, void*) {
  auto* const held = reinterpret_cast<Held*>(word64(args));
  held->state.store(args[2] != 0 ? HeldState::kDone : HeldState::kWaiting, std::memory_order_release);
}

void send_message(Member& m, Slot to, const Header& header, Held* held, const void* data, std::size_t bytes) {
  Args args;
  args.add(to).add(m.slot).add(header).add64(reinterpret_cast<std::uintptr_t>(held));
  send_to(to, message(UpcHandler::kCollMessage, args, data, bytes));
}

std::size_t eager_limit() noexcept { return std::min(kEagerLimit, job().engine->max_medium()); }

// --- pulling -------------------------------------------------------------------------------------------

// On the receiver's stack until all fragments have arrived.
struct Pull {
  Pull(void* to, std::size_t n) : data(static_cast<char*>(to)), bytes(n) {}
  char* data;
  std::size_t bytes;
  std::atomic<HeldState> state{HeldState::kWaiting};
  std::atomic<std::size_t> total{0};
  Pending pending;
};

// sender, receiver, header, offset, pull
void on_pull(AmToken& token, const std::uint32_t* args, unsigned, void*, std::size_t, void*) {
  Member& m = addressee(token, args[0]);
  const std::uint64_t offset = word64(args + 2 + kHeaderArgs), pull = word64(args + 4 + kHeaderArgs);
  const bool last = m.held.serve(
      header_at(args + 2), args[1], offset, token.engine.max_medium(), [&](const HeldList::Piece& p) {
        Args answer;
        answer.add64(pull).add(static_cast<std::uint32_t>(p.state)).add64(offset).add64(p.total);
        token.engine.reply(token, message(UpcHandler::kCollFragment, answer, p.data, p.bytes));
      });
  if (!last) return;
  inbox_of(m.slot)->notify();
  ring(m.slot);
}

// pull, state, offset, total + data
void on_fragment(AmToken&, const std::uint32_t* args, unsigned, void* data, std::size_t bytes, void*) {
  Pull& pull = *reinterpret_cast<Pull*>(word64(args));
  const std::uint64_t offset = word64(args + 3), total = word64(args + 5);
  if (args[2] == static_cast<std::uint32_t>(HeldState::kWaiting) && total == pull.bytes && bytes != 0)
    std::memcpy(pull.data + offset, data, bytes);
  pull.total.store(total, std::memory_order_relaxed);
  pull.state.store(HeldState{args[2]}, std::memory_order_relaxed);
  pull.pending.complete();
}

constexpr unsigned kMaxPullsInFlight = 8;

void request_fragment(Member& m, Slot from, const Header& header, std::size_t offset, Pull& pull) {
  Args args;
  args.add(from).add(m.slot).add(header).add64(offset).add64(reinterpret_cast<std::uintptr_t>(&pull));
  pull.pending.add();
  send_to(from, message(UpcHandler::kCollPull, args));
}

// kDone: the sender has no such message; kSent: to be repeated; kWaiting: the data has been received.
HeldState pull_from(Member& m, Slot from, const Header& header, void* data, std::size_t bytes,
                    const char* function) {
  Pull pull(data, bytes);
  const WaitReason reason{"a message of a collective from UPC thread", from};
  request_fragment(m, from, header, 0, pull);
  job().progress.wait_until(m.slot, reason, [&] { return pull.pending.done(); });
  const HeldState state = pull.state.load(std::memory_order_relaxed);
  if (state != HeldState::kWaiting) return state;
  if (pull.total.load(std::memory_order_relaxed) != bytes)
    report_size_mismatch(function, header.from, pull.total.load(std::memory_order_relaxed), bytes);
  const std::size_t step = job().engine->max_medium();
  for (std::size_t at = step; at < bytes; at += step) {
    job().progress.wait_until(
        m.slot, reason, [&] { return pull.pending.n.load(std::memory_order_acquire) < kMaxPullsInFlight; });
    request_fragment(m, from, header, at, pull);
  }
  job().progress.wait_until(m.slot, reason, [&] { return pull.pending.done(); });
  return HeldState::kWaiting;
}

// --- positions -----------------------------------------------------------------------------------------

Position look(Slot thread, std::uint32_t team_index, Slot watcher, bool watch) noexcept {
  Inbox& inbox = *inbox_of(thread);
  if (watch) {
    watchers_of(thread)[watcher / 64].fetch_or(std::uint64_t{1} << watcher % 64);
    inbox.watched.store(1);
  }
  return {inbox.entered[team_index].load(), inbox.ended.load() != 0};
}

struct Question {
  Position answer;
  Pending pending;
};

// thread, team index, watcher, watch?, question
void on_query(AmToken& token, const std::uint32_t* args, unsigned, void*, std::size_t, void*) {
  const Position p = look(addressee(token, args[0]).slot, args[1] % kMaxTeams, args[2], args[3] != 0);
  Args answer;
  answer.add64(word64(args + 4)).add(p.entered).add(p.ended ? 1 : 0);
  token.engine.reply(token, message(UpcHandler::kCollPosition, answer));
}
// question, entered, ended
void on_position(AmToken&, const std::uint32_t* args, unsigned, void*, std::size_t, void*) {
  auto* const question = reinterpret_cast<Question*>(word64(args));
  question->answer = {args[2], args[3] != 0};
  question->pending.complete();
}

// thread
void on_notify(AmToken& token, const std::uint32_t* args, unsigned, void*, std::size_t, void*) {
  inbox_of(addressee(token, args[0]).slot)->notify();
  ring(args[0]);
}

void notify(Slot thread) {
  if (Inbox* const inbox = inbox_of(thread)) {
    inbox->notify();
    ring(thread);
    return;
  }
  Args args;
  args.add(thread);
  send_to(thread, message(UpcHandler::kCollNotify, args));
}

void notify_watchers(Member& m) {
  Inbox& mine = *inbox_of(m.slot);
  if (mine.watched.load() == 0) return;
  mine.watched.store(0);
  std::atomic<std::uint64_t>* const watchers = watchers_of(m.slot);
  for (Slot first = 0; first < job().topology.slots(); first += 64)
    for (std::uint64_t bits = watchers[first / 64].exchange(0); bits != 0; bits &= bits - 1)
      notify(first + static_cast<Slot>(std::countr_zero(bits)));
}

}  // namespace

Member& member(ThreadCtx& c) noexcept { return *c.coll; }

void post(Member& m, Slot to, const Header& header, const void* data, std::size_t bytes) {
  if (Inbox* const inbox = inbox_of(to)) {
    if (bytes > kEagerLimit || !inbox->deposit(header, data, bytes)) {
      m.held.add(header, to, data, bytes, true,
                 HeldState::kWaiting);  // before the mark: it may be pulled now
      inbox->mark(m.slot);
    }
    return ring(to);
  }
  const bool fits = bytes <= eager_limit();
  Held* const held = m.held.add(header, to, data, bytes, true, fits ? HeldState::kSent : HeldState::kWaiting);
  if (fits)
    send_message(m, to, header, held, held->data, bytes);
  else
    send_message(m, to, header, nullptr, nullptr, 0);
}

Held* offer(Member& m, Slot to, const Header& header, const void* data, std::size_t bytes) {
  Held* const held = m.held.add(header, to, data, bytes, false, HeldState::kWaiting);
  if (Inbox* const inbox = inbox_of(to)) {
    inbox->mark(m.slot);
    ring(to);
  } else {
    send_message(m, to, header, nullptr, nullptr, 0);
  }
  return held;
}

bool fetch(Member& m, Slot from, const Header& header, void* data, std::size_t bytes, const char* function) {
  Inbox& inbox = *inbox_of(m.slot);
  for (;;) {
    if (inbox.take(header, data, bytes, function)) return true;
    if (!inbox.marked(from)) return false;
    switch (pull_from(m, from, header, data, bytes, function)) {
      case HeldState::kWaiting:
        inbox.unmark(from);
        return true;
      case HeldState::kDone:
        // It may have arrived during the pull.
        return inbox.take(header, data, bytes, function);
      case HeldState::kSent:
        break;
    }
  }
}

Position position_of(Member& m, Slot thread, std::uint32_t team_index, bool watch) {
  if (inbox_of(thread) != nullptr) return look(thread, team_index, m.slot, watch);
  Question question;
  question.pending.add();
  Args args;
  args.add(thread).add(team_index).add(m.slot).add(watch ? 1 : 0);
  args.add64(reinterpret_cast<std::uintptr_t>(&question));
  send_to(thread, message(UpcHandler::kCollQuery, args));
  job().progress.wait_until(m.slot, {"an answer of UPC thread", thread},
                            [&] { return question.pending.done(); });
  return question.answer;
}

void announce(Member& m, std::uint32_t team_index, std::uint32_t call) {
  inbox_of(m.slot)->entered[team_index].store(call);
  notify_watchers(m);
}

void announce_end(Member& m) {
  inbox_of(m.slot)->ended.store(1);
  notify_watchers(m);
}

void register_transport(AmEngine& engine) {
  engine.set_internal(UpcHandler::kCollMessage, on_message, nullptr);
  engine.set_internal(UpcHandler::kCollReceipt, on_taken, nullptr);
  engine.set_internal(UpcHandler::kCollPull, on_pull, nullptr);
  engine.set_internal(UpcHandler::kCollFragment, on_fragment, nullptr);
  engine.set_internal(UpcHandler::kCollQuery, on_query, nullptr);
  engine.set_internal(UpcHandler::kCollPosition, on_position, nullptr);
  engine.set_internal(UpcHandler::kCollNotify, on_notify, nullptr);
}

}  // namespace upcr::coll
