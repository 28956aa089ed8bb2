// SPDX-License-Identifier: BSD-3-Clause
// A summary, in a few words, of the values that a set of threads passed to a barrier: it shows whether the
// threads agree and, if not, names two that do not. Part of core/barrier; plain data, any thread.
//
// join() computes the summary of the union of two sets. The result depends on that union alone, so join() is
// associative, commutative and idempotent: all threads get the same result, in whatever order the parts
// arrive, and even if some are counted several times.
#pragma once
#include <cstdint>

#include "conduits/core/barrier/barrier.hpp"

namespace upcr {

class BarrierSummary {
 public:
  static constexpr unsigned kWords = 6;  // of encode()

  void clear() noexcept { *this = BarrierSummary{}; }
  void add(Slot thread, BarrierValue value) noexcept {
    if (value.kind == BarrierKind::kAnonymous) {
      if (thread < anonymous_) anonymous_ = thread;
    } else {
      add_vote({value, thread});
    }
  }
  void join(const BarrierSummary& other) noexcept {
    if (other.anonymous_ < anonymous_) anonymous_ = other.anonymous_;
    add_vote(other.first_);
    add_vote(other.second_);
  }
  BarrierResult result() const noexcept {
    const Vote anonymous{{}, anonymous_};
    if (!first_.present()) return agreed(anonymous);
    if (second_.present()) return disagreed(first_, second_);
    if (first_.value.kind == BarrierKind::kNamed || !anonymous.present()) return agreed(first_);
    return disagreed(first_, anonymous);
  }

  void encode(std::uint32_t* words) const noexcept {
    words[0] = static_cast<std::uint32_t>(first_.value.kind) | static_cast<std::uint32_t>(second_.value.kind)
                                                                   << 8;
    words[1] = static_cast<std::uint32_t>(first_.value.value);
    words[2] = first_.thread;
    words[3] = static_cast<std::uint32_t>(second_.value.value);
    words[4] = second_.thread;
    words[5] = anonymous_;
  }
  // False when the words are no summary.
  bool decode(const std::uint32_t* words) noexcept {
    const std::uint32_t first = words[0] & 0xff, second = words[0] >> 8;
    constexpr auto kLast = static_cast<std::uint32_t>(BarrierKind::kExit);
    if (first > kLast || second > kLast) return false;
    first_ = {{static_cast<BarrierKind>(first), static_cast<std::int32_t>(words[1])}, words[2]};
    second_ = {{static_cast<BarrierKind>(second), static_cast<std::int32_t>(words[3])}, words[4]};
    anonymous_ = words[5];
    return true;
  }

 private:
  static constexpr Slot kNoThread = ~Slot{0};
  struct Vote {
    BarrierValue value{};
    Slot thread = kNoThread;
    bool present() const noexcept { return thread != kNoThread; }
    bool agrees_with(const Vote& o) const noexcept {
      return value.kind == o.value.kind &&
             (value.kind != BarrierKind::kNamed || value.value == o.value.value);
    }
  };

  void add_vote(const Vote& vote) noexcept {
    if (!vote.present()) return;
    if (!first_.present() || vote.thread < first_.thread) {
      // The old first is the best candidate for second, unless it agrees with the new one.
      if (first_.present() && !vote.agrees_with(first_)) second_ = first_;
      first_ = vote;
    } else if (!vote.agrees_with(first_) && vote.thread < second_.thread) {
      second_ = vote;
    }
  }
  static BarrierResult agreed(const Vote& vote) noexcept { return {false, vote.value, {}, vote.thread, 0}; }
  static BarrierResult disagreed(const Vote& a, const Vote& b) noexcept {
    return {true, a.value, b.value, a.thread, b.thread};
  }

  Vote first_;                  // of those that are not anonymous: the lowest thread
  Vote second_;                 // of those that disagree with first_: the lowest thread
  Slot anonymous_ = kNoThread;  // the lowest anonymous thread
};

}  // namespace upcr
