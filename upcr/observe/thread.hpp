// SPDX-License-Identifier: BSD-3-Clause
// The counts of one UPC thread while it runs. Made before its program starts; only its own thread uses it.
//
// Counts, bytes and sizes are exact. Reading the clock takes longer than all the rest, so of accesses that
// are short in the mean one of 16, chosen at random, is timed: once 64 of a line have taken less than a
// microsecond each. Larger ones than 4 kB, and the rest of a wait that has become long (wait_observer.hpp),
// are timed always. In a timeline what takes less than a reading of the clock has a place and no length:
// accesses of a few bytes to the thread's own memory, and the runtime's handlers for a few bytes.
//
// thread_path.hpp has what runs for every operation and every message; the other functions are rare or slow.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "upcr/observe/clock.hpp"
#include "upcr/observe/line_table.hpp"
#include "upcr/observe/record_memory.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/observe/trace.hpp"

namespace upcr {
struct ThreadCtx;
}

namespace upcr::observe {

class Thread {
 public:
  // `trace`: where operations are recorded too; null: nowhere.
  Thread(const ThreadCtx& thread, std::unique_ptr<RecordMemory> record, std::unique_ptr<Trace> trace);
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // One operation at a time is counted: false when it is part of the one that is open, which end() ends.
  bool begin(const Position& at, Kind kind, const Access& access) noexcept;
  void end() noexcept;
  // The same for callers that do not keep the result: each begin_nested() has its end_nested().
  void begin_nested(const Position& at, Kind kind, const Access& access) noexcept {
    if (!begin(at, kind, access)) state_ += kNested;
  }
  void end_nested() noexcept {
    if (__builtin_expect(state_ >= kNested, 0))
      state_ -= kNested;
    else
      end();
  }
  // An operation that is ending. Its result turned out to be an acquisition (or release) of a lock.
  void lock_acquired(std::uint64_t lock) noexcept;
  void lock_released(std::uint64_t lock) noexcept;
  // Inside of an open operation that is timed: waits for other threads. A progress hook may wait inside of a
  // wait.
  void wait_began() noexcept {
    if (waits_++ == 0) wait_start_ = ticks();
  }
  void wait_over() noexcept {
    if (--waits_ == 0) open_.waited += ticks() - wait_start_;
  }
  // Of any operation: a wait becomes long, and ends later.
  void long_wait_began() noexcept {
    open_.replied = 0;
    if (long_waits_++ == 0) long_start_ = ticks();
  }
  void long_wait_over() noexcept {
    if (--long_waits_ == 0) open_.long_wait += ticks() - long_start_;
  }

  // The time of a message that is about to leave. Of the first one of a short access it is the access's own:
  // what is between them takes less than a reading of the clock.
  std::uint64_t time_of_send() noexcept {
    const bool first = open_.sends_at_once && (state_ & kOpen) != 0;
    open_.sends_at_once = false;
    return first ? open_.start : ticks();
  }
  // The thread sends a message, or has run its handler, as a part of the open operation if there is one.
  struct MessageEnd {
    std::uint32_t peer;    // the process at the other end
    std::uint64_t number;  // messages.hpp
  };
  void message_sent(Kind kind, std::size_t bytes, std::uint64_t start, const MessageEnd& end) noexcept;
  void message_handled(Kind kind, std::size_t bytes, std::uint64_t start, std::uint64_t time,
                       const MessageEnd& end) noexcept;

  // Counters (span.hpp); only where a trace wants them.
  void in_flight(std::int64_t change) noexcept;
  void implicit_started(bool get, std::size_t bytes) noexcept;
  void implicit_over(bool gets, bool puts) noexcept;
  void counter(Kind kind, std::uint64_t value, std::uint64_t second) noexcept;

  // Regions that the program marks (pupc_event_start); they nest, and operations inside of them count.
  void region_began(const char* name) noexcept;
  void region_over(const char* name) noexcept;

  // A message of the program for its trace (bupc_trace_printf). Whether marks are recorded; if so the next
  // one is of this place. What evaluates a message may write others.
  bool marks_at(const Position& at) noexcept;
  void mark(const char* text) noexcept;

  // Of the last operation that was counted, or of the open one.
  const Position& position() const noexcept { return positions_[open_.cell]; }

  // pupc_control(): returns the previous state.
  bool set_on(bool on) noexcept;
  bool on() const noexcept { return (state_ & kOff) == 0; }

  // The counts, in nanoseconds, as one block (block.hpp). The open operation is not in it.
  std::vector<char> block() const;
  RecordMemory& record() noexcept { return *record_; }
  Trace* trace() noexcept { return trace_.get(); }
  const Trace* trace() const noexcept { return trace_.get(); }

 private:
  struct Open {
    std::uint32_t cell = 0;
    Kind kind{};
    std::uint8_t pair_kind = 0;                            // kPairIndex of its kind
    bool stamped = false, sampled = false, apart = false;  // its start is known; where its time goes to
    bool sends_at_once = false;                            // nothing has been sent or waited for yet
    bool instant = false;                                  // its time is not measured
    bool counted = false;                                  // before its end
    std::uint32_t requests = 0, peer = 0;                  // how many it has sent, and to which process
    Access access;
    std::uint64_t start = 0, waited = 0, long_wait = 0;
    std::uint64_t replied = 0;   // when the reply to its only request came, if nothing has come since; else 0
    PartEvent* event = nullptr;  // recorded before its end, without its time
    std::uint64_t events = 0;    // how many were recorded then
  };
  struct Held {
    std::uint64_t lock, since;
    std::uint32_t cell;
  };
  struct Region {
    const char* name;
    std::uint64_t start;
  };
  static constexpr unsigned kMessageKinds = 8;
  using MessageCells = std::array<std::uint16_t, kMessageKinds>;  // 0: not known yet
  enum State : unsigned { kOpen = 1, kOff = 2, kNested = 4 };     // and one more for each that is inside
  static constexpr std::size_t kShortBytes = 4096;

  std::uint32_t cell_of(Kind kind, const Position& at) noexcept;
  std::uint32_t add_cell(const LineTable::Key& key) noexcept;
  // Of the operation that is open; of none if none is.
  const Position& open_position() const noexcept { return positions_[current_cell_]; }
  Reach reach(Slot owner) const noexcept;
  Reach open_reach() const noexcept;
  bool is_instant() const noexcept;
  void count_open(CellCounts& c, Reach reached) noexcept;
  void stamp_start(CellCounts& c) noexcept;
  void prefetch_request() const noexcept;
  void choose_timing(CellCounts& c) noexcept;
  void add_times(CellCounts& c, std::uint64_t now) noexcept;
  void add_time(CellCounts& c, std::uint64_t time) noexcept;
  void describe_open() noexcept;
  PartEvent* record_open(const CellCounts& c, Reach reached) noexcept;
  void record_time(const CellCounts& c, std::uint64_t now) noexcept;
  std::uint32_t random_gap() noexcept;
  std::uint64_t short_limit() noexcept;
  bool is_short(const CellCounts& c) noexcept;
  std::uint32_t& gap_of(CellCounts& c) const noexcept {
    return (c.flags & kCellTraced) != 0 ? c.gap : c.skip;
  }
  PartEvent* add_event(const PartEvent& event) noexcept;
  bool passes_mask(std::uint32_t cell, bool own) const noexcept;
  static void count_message(CellCounts& c, std::size_t bytes) noexcept;
  void count_message_to(CellCounts& c, Kind kind, std::size_t bytes, std::uint32_t peer) noexcept;
  void message_event(std::uint32_t cell, std::size_t bytes, std::uint64_t start, std::uint64_t time,
                     const MessageEnd& end) noexcept;
  std::uint32_t message_cell(Kind kind) const noexcept;
  std::uint32_t find_message_cell(Kind kind) noexcept;
  std::uint64_t end_of_open() const noexcept;
  Slot farther_end() const noexcept;
  void add_pair_time(std::uint64_t time, std::uint64_t waited) noexcept;

  // What every operation uses stands together.
  unsigned state_ = 0;
  std::uint32_t current_cell_ = 0;  // of the open operation; 0
  std::uint32_t thread_, threads_;
  const std::uint64_t reading_;  // of the clock, in ticks
  const bool counting_;          // for statistics; else only a timeline is recorded
  Open open_;
  CellCounts* const counts_;
  Pair* const pairs_;
  LineTable lines_;
  std::vector<MessageCells> message_cells_;  // of messages that the operations of a cell send or handle
  std::vector<Position> positions_;          // of the cells

  unsigned waits_ = 0, long_waits_ = 0;
  std::uint64_t wait_start_ = 0, long_start_ = 0;
  std::uint64_t random_, short_limit_ = 0;
  std::vector<Held> held_;
  std::vector<Region> regions_;
  std::array<std::uint32_t, 8> mark_cells_{};  // of messages that are being evaluated, the outer ones first
  unsigned marks_ = 0;                         // how many these are
  std::unique_ptr<RecordMemory> record_;
  std::unique_ptr<Trace> trace_;
  std::uint64_t in_flight_ = 0, implicit_gets_ = 0, implicit_puts_ = 0;  // bytes
};

// The calling thread's; null when nothing is observed of it.
Thread* current() noexcept;

}  // namespace upcr::observe
