// SPDX-License-Identifier: BSD-3-Clause
// What one UPC thread did to the memory of another one, or to its own, while it runs. Times in ticks.
#pragma once
#include <array>
#include <cstdint>

#include "upcr/observe/block.hpp"

namespace upcr::observe {

// The kinds that are counted by pair: of operations that have an owner, and messages.
inline constexpr std::array kPairKinds{
    Kind::kGet,        Kind::kPut,         Kind::kMemget,       Kind::kMemput,        Kind::kMemcpy,
    Kind::kMemset,     Kind::kNbGet,       Kind::kNbPut,        Kind::kNbCopy,        Kind::kNbSet,
    Kind::kVis,        Kind::kAtomic,      Kind::kLock,         Kind::kLockAttempt,   Kind::kUnlock,
    Kind::kSemPost,    Kind::kSemWait,     Kind::kRequestShort, Kind::kRequestMedium, Kind::kRequestLong,
    Kind::kReplyShort, Kind::kReplyMedium, Kind::kReplyLong,
};
// Where a kind is in kPairKinds. Of others: at the end, where nothing is read.
inline constexpr std::size_t kNoPairKind = kPairKinds.size();
inline constexpr auto kPairIndex = [] {
  std::array<std::uint8_t, kKinds> index{};
  index.fill(kNoPairKind);
  for (std::size_t i = 0; i < kPairKinds.size(); ++i) index[static_cast<unsigned>(kPairKinds[i])] = i;
  return index;
}();

struct Pair {
  struct Direction {
    std::uint64_t count, bytes;
    void add(std::uint64_t size) noexcept {
      ++count;
      bytes += size;
    }
  };
  struct OfKind {
    Direction reads, writes;
    // An operation with two ends has its time with the farther one. Of samples: scaled.
    std::uint64_t time, waited;
  };
  std::array<OfKind, kPairKinds.size() + 1> kinds;
  std::array<std::uint64_t, kBuckets> sizes;
};

}  // namespace upcr::observe
