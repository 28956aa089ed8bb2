// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/memory/registration_cache.hpp"

#include <unistd.h>

#include <algorithm>

#include "conduits/core/base/report/error.hpp"

namespace upcr::ibv {

// Free, in use for one transfer only (not kept), or kept: in by_address_, and among the unused ones, oldest
// to newest, while pins is 0. The first three are what changed() touches; a free entry has begin == end.
struct RegistrationCache::Entry : Registration {
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<bool> stale{false};
  bool kept = false;
  bool writable = false;
  bool stays = false;  // Memory::kStays
  std::uint32_t pins = 0;
  std::uint32_t older = kNone, newer = kNone;
  void* handle = nullptr;
  std::size_t bytes = 0;  // registered by `handle`

  std::uintptr_t first() const noexcept { return begin.load(std::memory_order_relaxed); }
  std::uintptr_t last() const noexcept { return end.load(std::memory_order_relaxed); }
};

RegistrationCache::RegistrationCache(Registrar& registrar, std::uint32_t number, ChangeWatch* watch,
                                     const Limits& limits)
    : registrar_(registrar),
      watch_(watch),
      limits_(limits),
      page_(static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE))),
      entries_(new Entry[limits.entries]) {
  free_.reserve(limits.entries);
  by_address_.reserve(limits.entries);
  for (std::uint32_t nth = limits.entries; nth > 0; --nth) {
    free_.push_back(nth - 1);
    entries_[nth - 1].cache = number;
  }
}

RegistrationCache::~RegistrationCache() {
  for (std::uint32_t nth = 0; nth < used_.load(std::memory_order_relaxed); ++nth)
    if (entries_[nth].handle != nullptr) registrar_.remove(entries_[nth].handle);
}

// The order matters: whatever changed before events_drained() was called is marked when it returns, so an
// entry that is found unmarked afterwards has the pages that the caller sees.
Registration* RegistrationCache::pin(std::uintptr_t at, std::size_t bytes, Use use, Memory memory) {
  const std::uintptr_t begin = at / page_ * page_, end = (at + bytes + page_ - 1) / page_ * page_;
  const bool events_drained = memory == Memory::kStays || (watch_ != nullptr && watch_->events_drained());
  const std::lock_guard guard(lock_);
  sweep();
  Entry* entry = events_drained ? find(begin, end, use) : nullptr;
  if (entry != nullptr) {
    ++counts_.hits;
    if (entry->pins == 0) unlink(*entry);
  } else {
    entry = make(begin, end, use, memory, events_drained);
    if (entry == nullptr) return nullptr;
  }
  ++entry->pins;
  return entry;
}

void RegistrationCache::unpin(Registration* registration) {
  Entry& entry = *static_cast<Entry*>(registration);
  const std::lock_guard guard(lock_);
  UPCR_ASSERT(entry.pins > 0);
  if (--entry.pins != 0) return;
  if (entry.kept)
    link_newest(entry);
  else
    release(entry);
  sweep();
}

void RegistrationCache::reclaim_stale_now() {
  const std::lock_guard guard(lock_);
  sweep();
}

bool RegistrationCache::in_use() noexcept {
  const std::lock_guard guard(lock_);
  return registered_ != 0;
}

bool RegistrationCache::release_unused() {
  const std::lock_guard guard(lock_);
  const std::size_t before = registered_;
  sweep();
  while (evict_oldest()) continue;
  return registered_ != before;
}

// May run while an entry is being filled or emptied, and then mark one that need not be marked, which costs a
// registration. It misses none that matters: a range is published before it is watched and registered, so a
// change after that finds the range complete here, and a change before that precedes the registration.
void RegistrationCache::changed(std::uintptr_t begin, std::uintptr_t end) noexcept {
  const std::uint32_t used = used_.load(std::memory_order_acquire);
  for (std::uint32_t nth = 0; nth < used; ++nth) {
    Entry& entry = entries_[nth];
    if (entry.begin.load(std::memory_order_acquire) >= end ||
        entry.end.load(std::memory_order_acquire) <= begin)
      continue;
    entry.stale.store(true, std::memory_order_release);
    some_stale_.store(true, std::memory_order_release);
  }
}

// -- under the lock from here on

// The one candidate: the last range that begins at or before `begin` reaches farthest of these.
RegistrationCache::Entry* RegistrationCache::find(std::uintptr_t begin, std::uintptr_t end,
                                                  Use use) noexcept {
  const auto after =
      std::upper_bound(by_address_.begin(), by_address_.end(), begin,
                       [this](std::uintptr_t a, std::uint32_t nth) { return a < entries_[nth].first(); });
  if (after == by_address_.begin()) return nullptr;
  Entry& entry = entries_[*(after - 1)];
  if (entry.last() < end || (use == Use::kSink && !entry.writable)) return nullptr;
  return entry.stale.load(std::memory_order_acquire) ? nullptr : &entry;
}

RegistrationCache::Entry* RegistrationCache::make(std::uintptr_t begin, std::uintptr_t end, Use use,
                                                  Memory memory, bool events_drained) {
  const std::size_t bytes = end - begin;
  if (will_fail(bytes)) return nullptr;
  if (Entry* joined = events_drained ? make_joined(begin, end, memory) : nullptr; joined != nullptr)
    return joined;
  Entry* entry = allocate_entry();
  if (entry == nullptr) return nullptr;
  entry->stale.store(false, std::memory_order_relaxed);
  entry->stays = memory == Memory::kStays;
  bool keeping = events_drained && make_room(bytes);
  if (keeping) {  // published before it is watched, watched before it is registered
    entry->begin.store(begin, std::memory_order_relaxed);
    entry->end.store(end, std::memory_order_seq_cst);
    keeping = memory == Memory::kStays || watch_->watch(begin, end);
  }
  if (!register_entry(*entry, begin, bytes, use)) {
    release(*entry);
    return nullptr;
  }
  ++counts_.registered;
  if (!keeping || entry->stale.load(std::memory_order_acquire)) {
    ++counts_.once;
    return entry;
  }
  keep(*entry);
  return entry;
}

// Null: there is nothing to join the range with, or it would take what others have. Whether changes are made
// is asked when the entry is published: a call that begins later finds it there.
RegistrationCache::Entry* RegistrationCache::make_joined(std::uintptr_t begin, std::uintptr_t end,
                                                         Memory memory) {
  const bool stays = memory == Memory::kStays;
  std::uintptr_t first = begin, last = end;
  for (const std::uint32_t nth : by_address_) {
    const Entry& e = entries_[nth];
    if (e.first() >= end || begin >= e.last() || e.stays != stays || !e.writable ||
        e.stale.load(std::memory_order_acquire))
      continue;
    first = std::min(first, e.first());
    last = std::max(last, e.last());
  }
  const std::size_t bytes = last - first;
  if (bytes == end - begin || bytes > 2 * (end - begin) || bytes >= refused_) return nullptr;
  if (bytes_ + bytes > limits_.bytes || registered_ + bytes > limits_.registered) return nullptr;
  if (!stays && !watch_->changes_are_made()) return nullptr;
  Entry* const entry = allocate_entry();
  if (entry == nullptr) return nullptr;
  entry->stale.store(false, std::memory_order_relaxed);
  entry->stays = stays;
  entry->writable = true;
  entry->begin.store(first, std::memory_order_relaxed);
  entry->end.store(last, std::memory_order_seq_cst);
  const bool safe = stays || (watch_->changes_are_made() && watch_->watch(first, last));
  if (!safe || registrar_.add(first, bytes, true, &entry->key, &entry->handle) != Registrar::Result::kOk) {
    release(*entry);
    return nullptr;
  }
  entry->bytes = bytes;
  registered_ += bytes;
  ++counts_.registered;
  ++counts_.joined;
  if (entry->stale.load(std::memory_order_acquire))
    ++counts_.once;
  else
    keep(*entry);
  return entry;
}

RegistrationCache::Entry* RegistrationCache::allocate_entry() {
  if (free_.empty() && !evict_oldest()) return nullptr;
  const std::uint32_t nth = free_.back();
  free_.pop_back();
  if (nth >= used_.load(std::memory_order_relaxed)) used_.store(nth + 1, std::memory_order_release);
  return &entries_[nth];
}

// Makes room to keep so many bytes more, by evicting older entries if need be.
bool RegistrationCache::make_room(std::size_t bytes) {
  if (bytes > limits_.bytes) return false;
  while (bytes_ > limits_.bytes - bytes)
    if (!evict_oldest()) return false;
  return true;
}

// More memory may become lockable (a higher limit, more free memory on the host): a refused size is tried
// again now and then.
bool RegistrationCache::will_fail(std::size_t bytes) noexcept {
  constexpr std::uint32_t kRetryInterval = 1024;
  if (bytes > limits_.registered) return true;
  return bytes >= refused_ && ++refusals_ % kRetryInterval != 0;
}

// A failure while other memory is registered proves nothing: that may make room when it is released.
void RegistrationCache::note_refusal(std::size_t bytes) noexcept {
  if (registered_ != 0) return;
  if (bytes < refused_) refusals_ = 0;
  refused_ = std::min(refused_, bytes);
}

bool RegistrationCache::register_entry(Entry& entry, std::uintptr_t begin, std::size_t bytes, Use use) {
  entry.writable = true;
  while (registered_ > limits_.registered - bytes)
    if (!evict_oldest()) return false;
  for (;;) {
    switch (registrar_.add(begin, bytes, entry.writable, &entry.key, &entry.handle)) {
      case Registrar::Result::kOk:
        entry.bytes = bytes;
        registered_ += bytes;
        if (bytes >= refused_) refused_ = SIZE_MAX;
        return true;
      case Registrar::Result::kNoRoom:
        if (evict_oldest()) break;
        note_refusal(bytes);
        return false;
      case Registrar::Result::kNotAllowed:
        if (use == Use::kSink || !entry.writable) return false;
        entry.writable = false;
        break;
    }
  }
}

void RegistrationCache::keep(Entry& entry) {
  const std::uintptr_t begin = entry.first(), end = entry.last();
  // A range that contains the new one is there only if it could not be used: stale, or read-only.
  std::erase_if(by_address_, [&](std::uint32_t nth) {
    Entry& other = entries_[nth];
    const bool inside = begin <= other.first() && other.last() <= end;
    const bool around = other.first() <= begin && end <= other.last();
    if (inside || around) drop(other);
    return inside || around;
  });
  const auto nth = static_cast<std::uint32_t>(&entry - entries_.get());
  by_address_.insert(
      std::upper_bound(by_address_.begin(), by_address_.end(), begin,
                       [this](std::uintptr_t a, std::uint32_t n) { return a < entries_[n].first(); }),
      nth);
  entry.kept = true;
  bytes_ += end - begin;
}

// No longer to be found; the caller removes it from by_address_.
void RegistrationCache::drop(Entry& entry) {
  entry.kept = false;
  bytes_ -= entry.last() - entry.first();
  if (entry.pins != 0) return;  // the last unpin() releases it
  unlink(entry);
  release(entry);
}

void RegistrationCache::release(Entry& entry) {
  if (entry.handle != nullptr) {
    registrar_.remove(entry.handle);
    registered_ -= entry.bytes;
  }
  entry.handle = nullptr;
  entry.begin.store(0, std::memory_order_relaxed);
  entry.end.store(0, std::memory_order_relaxed);
  free_.push_back(static_cast<std::uint32_t>(&entry - entries_.get()));
}

bool RegistrationCache::evict_oldest() {
  if (oldest_ == kNone) return false;
  ++counts_.released;
  Entry& entry = entries_[oldest_];
  std::erase(by_address_, oldest_);
  drop(entry);
  return true;
}

void RegistrationCache::sweep() {
  if (!some_stale_.load(std::memory_order_relaxed)) return;
  some_stale_.exchange(false, std::memory_order_acquire);
  std::erase_if(by_address_, [this](std::uint32_t nth) {
    Entry& entry = entries_[nth];
    if (!entry.stale.load(std::memory_order_acquire)) return false;
    ++counts_.stale;
    drop(entry);
    return true;
  });
}

void RegistrationCache::link_newest(Entry& entry) noexcept {
  const auto nth = static_cast<std::uint32_t>(&entry - entries_.get());
  entry.older = newest_;
  entry.newer = kNone;
  (newest_ == kNone ? oldest_ : entries_[newest_].newer) = nth;
  newest_ = nth;
}

void RegistrationCache::unlink(Entry& entry) noexcept {
  (entry.older == kNone ? oldest_ : entries_[entry.older].newer) = entry.newer;
  (entry.newer == kNone ? newest_ : entries_[entry.newer].older) = entry.older;
  entry.older = entry.newer = kNone;
}

}  // namespace upcr::ibv
