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

// Pointers travel as numbers: they are the sender's, who gets them back in the reply.
struct MessageArgs {  // with the data, if held is not null
  Header header;
  std::uint64_t held;  // null: announces a message that is to be pulled
  Slot to, sender;
};
struct ReceiptArgs {  // the reply to a MessageArgs with data
  std::uint64_t held;
  std::uint32_t stored;  // 0: the inbox had no room
  std::uint32_t unused;
};
struct PullArgs {  // asks the sender for a fragment
  Header header;
  std::uint64_t offset, pull;
  Slot sender, receiver;
};
struct FragmentArgs {  // the reply, with data where state is kWaiting
  std::uint64_t pull, offset, total;
  HeldState state;
  std::uint32_t unused;
};
struct QueryArgs {
  std::uint64_t query;
  Slot thread, watcher;
  std::uint32_t team_index, watch;
};
struct PositionArgs {  // the reply
  std::uint64_t query;
  std::uint32_t entered, ended;
};
struct NotifyArgs {
  Slot thread;
};

template <typename T>
std::uint64_t number_of(T* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
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

void on_message(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                void*) {
  const auto m = from_args<MessageArgs>(args, nargs, token.source, "message of a collective");
  Inbox& inbox = *inbox_of(addressee(token, m.to).slot);
  const bool stored = m.held != 0 && inbox.deposit(m.header, data, bytes);
  if (!stored) inbox.mark(m.sender);
  ring(m.to);
  if (m.held == 0) return;
  const auto receipt = to_args(ReceiptArgs{m.held, stored ? 1u : 0u, 0});
  token.engine.reply(token, internal_message(UpcHandler::kCollReceipt, receipt));
}

void on_receipt(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto receipt = from_args<ReceiptArgs>(args, nargs, token.source, "receipt of a collective's message");
  auto* const held = reinterpret_cast<Held*>(receipt.held);
  held->state.store(receipt.stored != 0 ? HeldState::kDone : HeldState::kWaiting, std::memory_order_release);
}

void send_message(Member& m, Slot to, const Header& header, Held* held, const void* data, std::size_t bytes) {
  const auto args = to_args(MessageArgs{header, number_of(held), to, m.slot});
  send_to(to, internal_message(UpcHandler::kCollMessage, args, bytes != 0 ? data : nullptr, bytes));
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

void on_pull(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto p = from_args<PullArgs>(args, nargs, token.source, "pull of a collective's message");
  Member& m = addressee(token, p.sender);
  const bool last = m.held.serve(
      p.header, p.receiver, p.offset, token.engine.max_medium(), [&](const HeldList::Piece& piece) {
        const auto reply = to_args(FragmentArgs{p.pull, p.offset, piece.total, piece.state, 0});
        token.engine.reply(token, internal_message(UpcHandler::kCollFragment, reply,
                                                   piece.bytes != 0 ? piece.data : nullptr, piece.bytes));
      });
  if (!last) return;
  inbox_of(m.slot)->notify();
  ring(m.slot);
}

void on_fragment(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                 void*) {
  const auto f = from_args<FragmentArgs>(args, nargs, token.source, "fragment of a collective's message");
  Pull& pull = *reinterpret_cast<Pull*>(f.pull);
  if (f.state == HeldState::kWaiting && f.total == pull.bytes && bytes != 0)
    std::memcpy(pull.data + f.offset, data, bytes);
  pull.total.store(f.total, std::memory_order_relaxed);
  pull.state.store(f.state, std::memory_order_relaxed);
  pull.pending.complete();
}

constexpr unsigned kMaxPullsInFlight = 8;

void request_fragment(Member& m, Slot from, const Header& header, std::size_t offset, Pull& pull) {
  pull.pending.add();
  const auto args = to_args(PullArgs{header, offset, number_of(&pull), from, m.slot});
  send_to(from, internal_message(UpcHandler::kCollPull, args));
}

// kDone: the sender has no such message; kSent: to be repeated; kWaiting: the data has been received.
HeldState pull_from(Member& m, Slot from, const Header& header, void* data, std::size_t bytes,
                    const char* function) {
  Pull pull(data, bytes);
  const WaitReason reason{"a message of a collective from UPC thread", from, WaitFor::kAnswer};
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

Position read_position(Slot thread, std::uint32_t team_index, Slot watcher, bool watch) noexcept {
  Inbox& inbox = *inbox_of(thread);
  if (watch) {
    watchers_of(thread)[watcher / 64].fetch_or(std::uint64_t{1} << watcher % 64);
    inbox.watched.store(1);
  }
  return {inbox.entered[team_index].load(), inbox.ended.load() != 0};
}

struct PositionQuery {
  Position answer;
  Pending pending;
};

void on_query(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto q = from_args<QueryArgs>(args, nargs, token.source, "query of a collective");
  const Position p =
      read_position(addressee(token, q.thread).slot, q.team_index % kMaxTeams, q.watcher, q.watch != 0);
  const auto reply = to_args(PositionArgs{q.query, p.entered, p.ended ? 1u : 0u});
  token.engine.reply(token, internal_message(UpcHandler::kCollPosition, reply));
}

void on_position(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto p = from_args<PositionArgs>(args, nargs, token.source, "reply to a collective's query");
  auto* const query = reinterpret_cast<PositionQuery*>(p.query);
  query->answer = {p.entered, p.ended != 0};
  query->pending.complete();
}

void on_notify(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const Slot thread = from_args<NotifyArgs>(args, nargs, token.source, "notification of a collective").thread;
  inbox_of(addressee(token, thread).slot)->notify();
  ring(thread);
}

void notify(Slot thread) {
  if (Inbox* const inbox = inbox_of(thread)) {
    inbox->notify();
    ring(thread);
    return;
  }
  send_to(thread, internal_message(UpcHandler::kCollNotify, to_args(NotifyArgs{thread})));
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

Held* send_rendezvous(Member& m, Slot to, const Header& header, const void* data, std::size_t bytes) {
  Held* const held = m.held.add(header, to, data, bytes, false, HeldState::kWaiting);
  if (Inbox* const inbox = inbox_of(to)) {
    inbox->mark(m.slot);
    ring(to);
  } else {
    send_message(m, to, header, nullptr, nullptr, 0);
  }
  return held;
}

bool receive_or_pull(Member& m, Slot from, const Header& header, void* data, std::size_t bytes,
                     const char* function) {
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
  if (inbox_of(thread) != nullptr) return read_position(thread, team_index, m.slot, watch);
  PositionQuery query;
  query.pending.add();
  const auto args = to_args(QueryArgs{number_of(&query), thread, m.slot, team_index, watch ? 1u : 0u});
  send_to(thread, internal_message(UpcHandler::kCollQuery, args));
  job().progress.wait_until(m.slot, {"an answer of UPC thread", thread, WaitFor::kAnswer},
                            [&] { return query.pending.done(); });
  return query.answer;
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
  engine.set_internal(UpcHandler::kCollReceipt, on_receipt, nullptr);
  engine.set_internal(UpcHandler::kCollPull, on_pull, nullptr);
  engine.set_internal(UpcHandler::kCollFragment, on_fragment, nullptr);
  engine.set_internal(UpcHandler::kCollQuery, on_query, nullptr);
  engine.set_internal(UpcHandler::kCollPosition, on_position, nullptr);
  engine.set_internal(UpcHandler::kCollNotify, on_notify, nullptr);
}

}  // namespace upcr::coll
