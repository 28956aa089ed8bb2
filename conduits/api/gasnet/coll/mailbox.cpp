// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/coll/mailbox.hpp"

#include <mutex>

namespace upcr::gasnet::coll {

// The mixing step of a Fibonacci hash (Knuth, The Art of Computer Programming 3, 6.4).
std::size_t Mailbox::bucket(const Key& k) noexcept {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
  std::uint64_t h = k.team * kGolden ^ k.sequence;
  h = h * kGolden ^ (std::uint64_t{k.to} << 32 | k.from);
  h = h * kGolden ^ k.step;
  return (h * kGolden) >> 54;
}

Mailbox::Entry* Mailbox::allocate() {
  if (free_ == nullptr) {
    Entry* const chunk = new Entry[kChunk];
    for (std::size_t i = 0; i < kChunk; ++i) chunk[i].next = i + 1 < kChunk ? &chunk[i + 1] : nullptr;
    free_ = chunk;
  }
  Entry* const entry = free_;
  free_ = entry->next;
  return entry;
}

void Mailbox::insert(const Key& key, const Payload& payload) {
  const std::lock_guard guard(lock_);
  Entry* const entry = allocate();
  Entry*& head = buckets_[bucket(key)];
  *entry = {key, payload, head};
  head = entry;
}

bool Mailbox::remove(const Key& key, Payload& payload) {
  const std::lock_guard guard(lock_);
  static_assert(kBuckets == std::size_t{1} << (64 - 54));
  for (Entry** at = &buckets_[bucket(key)]; *at != nullptr; at = &(*at)->next) {
    Entry* const entry = *at;
    if (!(entry->key == key)) continue;
    payload = entry->payload;
    *at = entry->next;
    entry->next = free_;
    free_ = entry;
    return true;
  }
  return false;
}

Mailbox& mailbox() noexcept {
  static Mailbox* const the_mailbox = new Mailbox;  // never destroyed: threads may outlive main
  return *the_mailbox;
}

}  // namespace upcr::gasnet::coll
