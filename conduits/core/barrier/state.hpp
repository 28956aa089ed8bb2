// SPDX-License-Identifier: BSD-3-Clause
// The barrier without waiting: BlockingBarrier (blocking.hpp) adds that; unit tests make one for each process
// they simulate. Any thread; a slot's functions by its own thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/barrier/exchange.hpp"
#include "conduits/core/barrier/summary.hpp"
#include "conduits/core/wait/doorbells.hpp"

namespace upcr {

class Barrier {
 public:
  // Up to this many threads that share memory read each other's words; more increment a counter of arrivals.
  static constexpr Slot kFlatBarrierMax = 4;

  // The size of its area in the window group's shared memory: zero-filled, aligned to a cache line.
  static std::size_t area_bytes(const Topology& topology);

  // `leaders`: the lowest rank of every window group of the job, ascending. Before any thread's notify.
  void attach(void* area, const Topology& topology, const Doorbells& doorbells, AmEngine* engine,
              std::vector<Rank> leaders);

  void notify(Slot slot, BarrierValue value, Arrival arrival = Arrival::kSplit);
  // Have all threads arrived at the phase that this thread is in?
  bool arrived(Slot slot) const noexcept {
    bool same_value;
    return arrived(slot, &same_value);
  }
  // The same. `same_value`: the words that were read show that all threads passed the same value; then
  // agreed() is the result. Reading the words again may cost as much as the first time: a thread that is
  // ahead writes to their line.
  bool arrived(Slot slot, bool* same_value) const noexcept {
    const std::uint32_t mine = phase(slot);
    if (flat_) return all_arrived(mine, line(slot).mine, same_value);
    *same_value = false;
    return group_->done.load(std::memory_order_acquire) == mine;
  }
  BarrierResult agreed(Slot slot) const noexcept {
    const std::uint64_t mine = line(slot).mine;
    return {false, value_in(mine), {}, first_slot_, 0, (mine & kBlockingBit) != 0};
  }
  // After arrived() and before the next notify().
  BarrierResult result(Slot slot) const noexcept;
  std::uint32_t phase(Slot slot) const noexcept { return line(slot).phase.load(std::memory_order_relaxed); }
  // See BlockingBarrier::is_ahead().
  bool ahead(Slot other, Slot slot) const noexcept {
    return static_cast<std::int32_t>(line(other).phase.load(std::memory_order_acquire) - phase(slot)) > 0;
  }

  // Messages between groups that a thread has to send. See BarrierExchange.
  bool networked() const noexcept { return networked_; }
  bool due() const noexcept { return networked_ && exchange_.due(); }
  bool urgent() const noexcept { return networked_ && exchange_.urgent(); }
  void send_due(ProgressEngine* progress);
  // See BarrierExchange::copies().
  unsigned copies() const noexcept { return exchange_.copies(); }

 private:
  // A thread's arrival at a phase in one word: one store publishes it, and one comparison with a thread's own
  // word shows that the other has arrived with the same value. Phase, Arrival, kind (3 bits), value.
  static constexpr unsigned kPhaseBits = 28;
  static constexpr std::uint64_t kBlockingBit = std::uint64_t{1} << 35;
  static std::uint64_t word_of(std::uint32_t phase, BarrierValue v, Arrival arrival) noexcept {
    return std::uint64_t{phase} << (64 - kPhaseBits) | (arrival == Arrival::kBlocking ? kBlockingBit : 0) |
           static_cast<std::uint64_t>(v.kind) << 32 |
           static_cast<std::uint32_t>(v.kind == BarrierKind::kAnonymous ? 0 : v.value);
  }
  static_assert(static_cast<unsigned>(BarrierKind::kExit) < 8);
  static bool is_of(std::uint32_t phase, std::uint64_t word) noexcept {
    return ((word >> (64 - kPhaseBits) ^ phase) << (64 - kPhaseBits)) == 0;
  }
  static BarrierValue value_in(std::uint64_t word) noexcept {
    return {static_cast<BarrierKind>(word >> 32 & 7), static_cast<std::int32_t>(word)};
  }
  // Each thread's own cache line; the others only read it. The line behind it stays empty: processors fetch
  // such pairs together, so threads that write at the same time would cause false sharing.
  struct alignas(kCacheLine) Line {
    std::atomic<std::uint64_t> arrival[2];  // by parity of the phase; not used by a flat barrier
    std::atomic<std::uint32_t> phase;       // that its owner is in, or has completed
    std::uint64_t mine;                     // the owner's last word; other threads do not read it
    char pair[kCacheLine];
  };
  // One for each window group.
  struct Group {
    // Of a flat barrier, indexed as Line::arrival. All threads share one line: a thread that fetches it in
    // order to write also gets the words of the others. With a line for each thread it would fetch its own
    // and then the others'.
    alignas(kCacheLine) std::atomic<std::uint64_t> arrival[kFlatBarrierMax][2];
    alignas(kCacheLine) std::atomic<std::uint32_t> arrivals;
    alignas(kCacheLine) std::atomic<std::uint32_t> done;  // the last phase that all threads have arrived at
    BarrierSummary summary;                               // of phase `done`
    BarrierExchange::Shared exchange;
  };

  static void on_message(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data,
                         std::size_t bytes, void* self);
  BarrierSummary combine(std::uint32_t phase) const noexcept;
  bool all_arrived(std::uint32_t phase, std::uint64_t mine, bool* same_value) const noexcept {
    std::uint64_t differing = 0;  // bits
    for (Slot i = 0; i < slots_; ++i) {
      const std::uint64_t arrival = word(i, phase).load(std::memory_order_acquire);
      if (!is_of(phase, arrival)) return false;
      differing |= arrival ^ mine;
    }
    *same_value = differing == 0;
    return true;
  }
  void last_arrived(Slot slot, std::uint32_t phase);
  void complete_if(const BarrierExchange::Outcome& outcome, std::uint32_t phase);
  void release(std::uint32_t phase, const BarrierSummary& summary);
  void ring_others(Slot slot) const noexcept;
  // The word of the i-th thread of the window group.
  std::atomic<std::uint64_t>& word(Slot i, std::uint32_t phase) const noexcept {
    return words_[i * stride_ + (phase & 1)];
  }
  Line& line(Slot slot) const noexcept { return lines_[slot - first_slot_]; }

  Line* lines_ = nullptr;  // of my window group
  Group* group_ = nullptr;
  std::atomic<std::uint64_t>* words_ = nullptr;  // in the lines or the group
  std::size_t stride_ = 0;                       // words from one thread to the next
  Slot first_slot_ = 0, slots_ = 0;
  bool flat_ = true, networked_ = false;
  const Doorbells* doorbells_ = nullptr;
  BarrierExchange exchange_;
};

}  // namespace upcr
