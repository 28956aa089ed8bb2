// SPDX-License-Identifier: BSD-3-Clause
// The counts of one UPC thread while it runs. Made before its program starts; only its own thread uses it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "upcr/observe/block.hpp"
#include "upcr/observe/clock.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/observe/trace.hpp"

namespace upcr {
struct ThreadCtx;
}

namespace upcr::observe {

// Where an operation was called. file: null, or a string that is never freed.
struct Position {
  const char* file = nullptr;
  int line = 0;
};

class Thread {
 public:
  // `trace`: where operations are recorded too; null: nowhere.
  Thread(const ThreadCtx& thread, std::unique_ptr<Trace> trace);
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // One operation at a time is counted: false when it is part of the one that is open, which end() ends.
  bool begin(Kind kind, const Access& access, const Position& at) noexcept;
  void end() noexcept;
  // An operation that is ending. Its result turned out to be an acquisition (or release) of a lock.
  void lock_acquired(std::uint64_t lock) noexcept;
  void lock_released(std::uint64_t lock) noexcept;
  // Inside of the open operation: waits for other threads. A progress hook may wait inside of a wait.
  void wait_began() noexcept {
    if (waits_++ == 0) wait_start_ = ticks();
  }
  void wait_over() noexcept {
    if (--waits_ == 0) open_.waited += ticks() - wait_start_;
  }

  // The thread sends a message, or has run its handler, as a part of the open operation if there is one.
  struct MessageEnd {
    std::uint32_t peer;    // the process at the other end
    std::uint64_t number;  // messages.hpp
  };
  void message_sent(Kind kind, std::size_t bytes, const MessageEnd& end) noexcept;
  void message_handled(Kind kind, std::size_t bytes, std::uint64_t start, const MessageEnd& end) noexcept;

  // Counters (span.hpp); only where a trace wants them.
  void in_flight(std::int64_t change) noexcept;
  void implicit_started(bool get, std::size_t bytes) noexcept;
  void implicit_over(bool gets, bool puts) noexcept;
  void counter(Kind kind, std::uint64_t value, std::uint64_t second) noexcept;

  // Regions that the program marks (pupc_event_start); they nest, and operations inside of them count.
  void region_began(const char* name) noexcept;
  void region_over(const char* name) noexcept;

  // Of the last operation that was counted, or of the open one.
  const Position& position() const noexcept { return open_.at; }

  // pupc_control(): returns the previous state.
  bool set_on(bool on) noexcept;
  bool on() const noexcept { return on_; }

  // The counts, in nanoseconds, as one block (block.hpp). The open operation is not in it.
  std::vector<char> block() const;
  Trace* trace() noexcept { return trace_.get(); }

 private:
  struct Open {
    Kind kind{};
    Access access;
    Position at;
    std::uint64_t start = 0, waited = 0;
  };
  struct Held {
    std::uint64_t lock, since;
    std::uint32_t cell;
  };
  struct Region {
    const char* name;
    std::uint64_t start;
  };
  struct Key {
    const char* file;
    int line;
    Kind kind;
    bool operator==(const Key&) const = default;
  };

  static constexpr std::uint32_t kMaxCells = 4096, kSlots = 2 * kMaxCells;
  std::uint32_t cell_of(Kind kind, const Position& at) noexcept;
  std::uint32_t find_slot(const Key& key) const noexcept;
  Reach reach(Slot owner) const noexcept;
  Reach reach(const Access& access) const noexcept;
  void record(std::uint32_t cell, const PartEvent& event) noexcept;
  std::uint32_t peer_of(const Access& access) const noexcept {
    return access.to < threads_ ? access.to : access.from;
  }
  void count_message(std::uint32_t cell, std::size_t bytes) noexcept;
  void count_pair(const Access& access) noexcept;

  std::uint32_t thread_, threads_, rank_, ranks_;
  Moment start_;
  unsigned depth_ = 0;
  bool on_ = true;
  Open open_;
  unsigned waits_ = 0;
  std::uint64_t wait_start_ = 0;
  std::vector<Key> keys_;             // of the cells, in the order of their creation
  std::vector<Counts> counts_;        // of the same cells
  std::vector<std::uint32_t> slots_;  // hash table: number of a cell plus 1, or 0
  // The cell that was used last, of each kind: a put by messages alternates between two of them.
  std::array<std::uint32_t, kKinds> last_{};
  std::uint64_t lost_ = 0;
  std::vector<Pair> pairs_;
  std::vector<Held> held_;
  std::vector<Region> regions_;
  std::unique_ptr<Trace> trace_;
  std::uint64_t in_flight_ = 0, implicit_gets_ = 0, implicit_puts_ = 0;  // bytes
};

// The calling thread's; null when nothing is observed of it.
Thread* current() noexcept;

}  // namespace upcr::observe
