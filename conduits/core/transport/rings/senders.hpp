// SPDX-License-Identifier: BSD-3-Clause
// Which processes have ever sent to which others through rings, so that a process polls the rings of those
// alone: a poll costs the same in a job of two processes and in one of a thousand.
//
// A process announces itself to another one once, after its first packet: it sets its bit in the other's set,
// and counts up the set's changes. The other compares that count, a word that hardly ever changes and so
// stays in its cache, with the one that it knows, and reads the bits when they differ. The doorbell is rung
// after the announcement, so a process that looks at its rings before it sleeps has to look at the count too.
//
// Zero-filled memory: no process has sent. announce() on any thread, the rest on the one that polls.
#pragma once
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/status.hpp"

namespace upcr {

// The senders to one process; in shared memory.
class SenderSet {
 public:
  // Of a set for so many processes: a whole number of cache lines.
  static std::size_t bytes(Rank processes) noexcept {
    return round_up(sizeof(SenderSet) + words(processes) * sizeof(Word), kCacheLine);
  }
  void announce(Rank sender) noexcept {
    bits()[sender / kBits].fetch_or(std::uint64_t{1} << sender % kBits, std::memory_order_relaxed);
    changes_.fetch_add(1, std::memory_order_release);
  }
  std::uint32_t changes() const noexcept { return changes_.load(std::memory_order_acquire); }
  // Calls found(sender) for each member that is not in `known`, of words() words, and adds it there. Those
  // that were announced before changes() returned are among them.
  template <typename Found>
  void take_new(std::vector<std::uint64_t>& known, Found&& found) const noexcept {
    for (std::size_t w = 0; w < known.size(); ++w) {
      std::uint64_t fresh = bits()[w].load(std::memory_order_relaxed) & ~known[w];
      known[w] |= fresh;
      for (; fresh != 0; fresh &= fresh - 1)
        found(static_cast<Rank>(w * kBits + static_cast<unsigned>(std::countr_zero(fresh))));
    }
  }
  static constexpr std::size_t words(Rank processes) noexcept { return (processes + kBits - 1) / kBits; }

 private:
  using Word = std::atomic<std::uint64_t>;
  static constexpr std::size_t kBits = 64;
  Word* bits() noexcept { return reinterpret_cast<Word*>(this + 1); }
  const Word* bits() const noexcept { return reinterpret_cast<const Word*>(this + 1); }

  std::atomic<std::uint32_t> changes_;
  std::uint32_t unused_;
};

}  // namespace upcr
