// SPDX-License-Identifier: BSD-3-Clause
// What runs for every operation and every message that is counted. On x86-64 an access that is not timed
// takes some 90 instructions from the call in the program's file on, of which begin() and end() are 60; a
// message 25.
#pragma once
#include <cstddef>

#include "conduits/core/am/engine.hpp"
#include "upcr/observe/mask.hpp"
#include "upcr/observe/thread.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr::observe {

inline Thread* current() noexcept {
  const ThreadCtx* const c = ctx_or_null();
  return c != nullptr ? c->observed : nullptr;
}

inline std::uint32_t Thread::cell_of(Kind kind, const Position& at) noexcept {
  const LineTable::Key key = LineTable::key_of(kind, at);
  const std::uint32_t cell = lines_.find(key).cell;
  return __builtin_expect(cell != 0, 1) ? cell : add_cell(key);
}

// The open operation's message, if it sends one, follows soon.
inline void Thread::prefetch_request() const noexcept {
  if (const Slot end = farther_end(); end < threads_ && reach(end) == Reach::kRemote)
    job().engine->prefetch_request(job().topology.rank_of[end]);
}

// Of an access whose time is not asked for.
inline bool Thread::is_instant() const noexcept {
  const auto& [bytes, from, to] = open_.access;
  return (open_.kind == Kind::kGet || open_.kind == Kind::kPut) && bytes <= kInstantBytes &&
         (from == thread_ || from >= threads_) && (to == thread_ || to >= threads_);
}

inline void Thread::stamp_start(CellCounts& c) noexcept {
  open_.stamped = true;
  open_.sampled = open_.apart = false;
  const bool access = (c.flags & kCellSampled) != 0;
  // Of an access in a timeline alone those waits are known that become long.
  if (counting_ || !access)
    choose_timing(c);
  else if ((c.flags & kCellTraced) == 0)
    --c.skip;  // none is stamped from now on
  open_.waited = open_.replied = 0;
  // Not where the operation waits before it sends: that has no data (a lock, a synchronisation).
  open_.sends_at_once = access && open_.access.bytes != 0 && open_.access.bytes <= kShortBytes;
  open_.instant = !open_.sampled && is_instant();
  if (open_.sends_at_once) prefetch_request();  // takes longer than a reading of the clock
  open_.start = ticks();
}

inline bool Thread::begin(const Position& at, Kind kind, const Access& access) noexcept {
  if (state_ != 0) return false;
  state_ = kOpen;
  const std::uint32_t cell = cell_of(kind, at);
  open_.cell = current_cell_ = cell;
  open_.kind = kind;
  open_.pair_kind = kPairIndex[static_cast<unsigned>(kind)];
  open_.access = access;
  open_.long_wait = 0;
  open_.requests = 0;
  open_.counted = false;
  open_.event = nullptr;
  CellCounts& c = counts_[cell];
  if (c.skip != 0 && access.bytes <= kShortBytes)
    --c.skip;
  else
    stamp_start(c);
  return true;
}

inline Reach Thread::reach(Slot owner) const noexcept {
  if (owner == thread_) return Reach::kLocal;
  return job().segments.mapped[owner] != 0 ? Reach::kMapped : Reach::kRemote;
}

// Whose memory the open operation reaches: where it has two ends, the farther one.
inline Reach Thread::open_reach() const noexcept {
  const Slot from = open_.access.from, to = open_.access.to;
  const Reach read = from < threads_ ? reach(from) : Reach::kNone;
  const Reach written = to < threads_ ? reach(to) : Reach::kNone;
  return read > written ? read : written;
}

inline void Thread::count_open(CellCounts& c, Reach reached) noexcept {
  const std::size_t bytes = open_.access.bytes;
  const unsigned bucket = bucket_of(bytes);
  ++c.count;
  c.bytes += bytes;
  ++c.sizes[bucket];
  ++c.reach[static_cast<unsigned>(reached)];
  if (const Slot from = open_.access.from; from < threads_) {
    Pair& pair = pairs_[from];
    pair.kinds[open_.pair_kind].reads.add(bytes);
    ++pair.sizes[bucket];
  }
  if (const Slot to = open_.access.to; to < threads_) {
    Pair& pair = pairs_[to];
    pair.kinds[open_.pair_kind].writes.add(bytes);
    ++pair.sizes[bucket];
  }
}

// The end whose time it is: the farther one, or the one that is written.
inline Slot Thread::farther_end() const noexcept {
  const auto& [bytes, from, to] = open_.access;
  if (to >= threads_) return from;
  return from < threads_ && reach(from) > reach(to) ? from : to;
}

inline PartEvent* Thread::add_event(const PartEvent& event) noexcept {
  if (__builtin_expect(!trace_mask.lets_all_pass(), 0) &&
      !passes_mask(event.cell, (event.flags & kPartOwn) != 0))
    return nullptr;
  return trace_->add(event);
}

// Without its time. Null: it is not let pass.
inline PartEvent* Thread::record_open(const CellCounts& c, Reach reached) noexcept {
  const bool own = (c.flags & kCellSampled) != 0 && (reached == Reach::kLocal || reached == Reach::kNone);
  return add_event({.start = open_.start,
                    .duration = 0,
                    .waited = 0,
                    .bytes = open_.access.bytes,
                    .cell = static_cast<std::uint16_t>(open_.cell),
                    .flags = static_cast<std::uint16_t>((reached == Reach::kRemote ? kPartRemote : 0) |
                                                        (own ? kPartOwn : 0)),
                    .peer = farther_end()});
}

inline void Thread::record_time(const CellCounts& c, std::uint64_t now) noexcept {
  PartEvent* event = open_.event;
  if (event == nullptr || !trace_->still_has(open_.events)) event = record_open(c, open_reach());
  if (event == nullptr) return;
  event->duration = now - open_.start;
  // Of accesses that may be short all waits are known that became long.
  event->waited = is_wait(open_.kind)             ? event->duration
                  : (c.flags & kCellSampled) != 0 ? open_.long_wait
                                                  : open_.waited;
}

// Counts and records what is known of an open access when its first message is on its way, since nobody waits
// for that.
inline void Thread::describe_open() noexcept {
  CellCounts& c = counts_[open_.cell];
  if ((c.flags & kCellSampled) == 0) return;  // a barrier may never end
  const Reach reached = open_reach();
  if (counting_) count_open(c, reached);
  open_.counted = true;
  if (!open_.stamped || (c.flags & kCellTraced) == 0) return;
  open_.event = record_open(c, reached);
  open_.events = trace_->events();
}

inline void Thread::message_event(std::uint32_t cell, std::size_t bytes, std::uint64_t start,
                                  std::uint64_t time, const MessageEnd& end) noexcept {
  add_event({.start = start,
             .duration = time,
             .waited = end.number,
             .bytes = bytes,
             .cell = static_cast<std::uint16_t>(cell),
             .flags = 0,
             .peer = end.peer});
}

// What is between the reply that completes an access and its end takes about as long as a reading of the
// clock.
inline std::uint64_t Thread::end_of_open() const noexcept {
  if (open_.instant) return open_.start;
  return open_.replied != 0 && !open_.sampled && !open_.apart ? open_.replied + reading_ : ticks();
}

inline void Thread::end() noexcept {
  // Before what is counted, which is no time of the operation.
  const std::uint64_t now = open_.stamped ? end_of_open() : 0;
  state_ &= ~unsigned{kOpen};
  current_cell_ = 0;
  CellCounts& c = counts_[open_.cell];
  if (counting_ && !open_.counted) count_open(c, open_reach());
  if (open_.long_wait != 0 || (open_.stamped && (counting_ || open_.sampled || open_.apart)))
    add_times(c, now);
  if (!open_.stamped) return;
  open_.stamped = open_.sends_at_once = false;
  if ((c.flags & kCellTraced) != 0) record_time(c, now);
}

inline void Thread::count_message(CellCounts& c, std::size_t bytes) noexcept {
  ++c.count;
  c.bytes += bytes;
  ++c.sizes[bucket_of(bytes)];
}

inline void Thread::count_message_to(CellCounts& c, Kind kind, std::size_t bytes,
                                     std::uint32_t peer) noexcept {
  count_message(c, bytes);
  pairs_[job().topology.first_slot[peer]].kinds[kPairIndex[static_cast<unsigned>(kind)]].writes.add(bytes);
}

inline std::uint32_t Thread::message_cell(Kind kind) const noexcept {
  static_assert(static_cast<unsigned>(Kind::kReplyHandler) - static_cast<unsigned>(Kind::kRequestShort) ==
                kMessageKinds - 1);
  return message_cells_[current_cell_]
                       [static_cast<unsigned>(kind) - static_cast<unsigned>(Kind::kRequestShort)];
}

inline void Thread::message_sent(Kind kind, std::size_t bytes, std::uint64_t start,
                                 const MessageEnd& end) noexcept {
  if ((state_ & kOff) != 0) return;
  std::uint32_t cell = message_cell(kind);
  if (__builtin_expect(cell == 0, 0)) cell = find_message_cell(kind);
  CellCounts& c = counts_[cell];
  if (kind < Kind::kReplyShort) {
    open_.peer = end.peer;
    if (++open_.requests == 1 && (state_ & kOpen) != 0) describe_open();
  }
  if (counting_) count_message_to(c, kind, bytes, end.peer);
  if (__builtin_expect((c.flags & kCellTraced) != 0, 0)) message_event(cell, bytes, start, 0, end);
}

}  // namespace upcr::observe
