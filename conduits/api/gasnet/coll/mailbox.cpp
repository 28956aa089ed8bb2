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

Mailbox::Note* Mailbox::take_free() {
  if (free_ == nullptr) {
    Note* const chunk = new Note[kChunk];
    for (std::size_t i = 0; i < kChunk; ++i) chunk[i].next = i + 1 < kChunk ? &chunk[i + 1] : nullptr;
    free_ = chunk;
  }
  Note* const note = free_;
  free_ = note->next;
  return note;
}

void Mailbox::put(const Key& key, const Words& words) {
  const std::lock_guard guard(lock_);
  Note* const note = take_free();
  Note*& head = buckets_[bucket(key)];
  *note = {key, words, head};
  head = note;
}

bool Mailbox::take(const Key& key, Words& words) {
  const std::lock_guard guard(lock_);
  static_assert(kBuckets == std::size_t{1} << (64 - 54));
  for (Note** at = &buckets_[bucket(key)]; *at != nullptr; at = &(*at)->next) {
    Note* const note = *at;
    if (!(note->key == key)) continue;
    words = note->words;
    *at = note->next;
    note->next = free_;
    free_ = note;
    return true;
  }
  return false;
}

Mailbox& mailbox() noexcept {
  static Mailbox* const the_mailbox = new Mailbox;  // never destroyed: threads may outlive main
  return *the_mailbox;
}

}  // namespace upcr::gasnet::coll
