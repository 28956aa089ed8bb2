// SPDX-License-Identifier: BSD-3-Clause
// Control messages of collectives that have arrived before the image that they are for has entered the
// collective, or even has its team. Handlers put them in, the images' calls take them out; any thread.
//
// A process keeps as many as its peers' calls have outstanding: each announces a buffer that is ready to
// receive, or is a vote of a barrier's round. Data is never kept here.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "conduits/core/base/system/spinlock.hpp"

namespace upcr::gasnet::coll {

// Identifies a message: one collective of a team, between two of its ranks, in one step of the algorithm.
struct Key {
  std::uint64_t team;
  std::uint32_t sequence, to, from, step;
  bool operator==(const Key&) const = default;
};
using Words = std::array<std::uint64_t, 3>;

class Mailbox {
 public:
  void put(const Key& key, const Words& words);
  // False: it has not come.
  bool take(const Key& key, Words& words);

 private:
  struct Note {
    Key key;
    Words words;
    Note* next;
  };
  static constexpr std::size_t kBuckets = 1024, kChunk = 64;
  static std::size_t bucket(const Key& key) noexcept;
  Note* take_free();

  SpinLock lock_;
  Note* buckets_[kBuckets] = {};
  Note* free_ = nullptr;  // notes are kept for the next ones
};

Mailbox& mailbox() noexcept;

}  // namespace upcr::gasnet::coll
