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
#include <cstring>
#include <type_traits>

#include "conduits/core/base/system/spinlock.hpp"

namespace upcr::gasnet::coll {

// Identifies a message: one collective of a team, between two of its ranks, in one step of the algorithm.
struct Key {
  std::uint64_t team;
  std::uint32_t sequence, to, from, step;
  bool operator==(const Key&) const = default;
};

class Mailbox {
 public:
  // A key's messages are all of one type.
  template <typename Message>
  void put(const Key& key, const Message& message) {
    static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) <= sizeof(Payload));
    Payload payload{};
    std::memcpy(&payload, &message, sizeof message);
    insert(key, payload);
  }
  // False: it has not arrived.
  template <typename Message>
  bool take(const Key& key, Message& message) {
    Payload payload;
    if (!remove(key, payload)) return false;
    std::memcpy(static_cast<void*>(&message), &payload, sizeof message);
    return true;
  }

 private:
  using Payload = std::array<std::uint64_t, 3>;
  struct Entry {
    Key key;
    Payload payload;
    Entry* next;
  };
  void insert(const Key& key, const Payload& payload);
  bool remove(const Key& key, Payload& payload);
  static constexpr std::size_t kBuckets = 1024, kChunk = 64;
  static std::size_t bucket(const Key& key) noexcept;
  Entry* allocate();

  SpinLock lock_;
  Entry* buckets_[kBuckets] = {};
  Entry* free_ = nullptr;
};

Mailbox& mailbox() noexcept;

}  // namespace upcr::gasnet::coll
