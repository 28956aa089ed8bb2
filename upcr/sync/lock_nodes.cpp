// SPDX-License-Identifier: BSD-3-Clause
// The MCS nodes of a thread, and the table of those outside the cache.
#include "upcr/sync/lock_nodes.hpp"

#include "upcr/heap/heap.hpp"

namespace upcr {
namespace {

constexpr std::size_t kGrowth = 64;  // nodes at a time, one page

void reset(LockNode* node) {
  node->next.store(0, std::memory_order_relaxed);
  node->state.store(kLockGranted, std::memory_order_relaxed);
}

}  // namespace

LockNodes::LockNodes(LockEntry* entries, Slot thread, char* segment, bool cached)
    : cached_(cached),
      base_(pack({thread, kNullPageBytes}) - reinterpret_cast<std::uintptr_t>(segment) - kNullPageBytes),
      segment_(segment),
      table_(128) {
  static_assert(kEntries < kFirstLockNodes);
  LockNode* const first = area_in(segment)->lock_nodes;
  for (std::size_t i = 0; i < kEntries; ++i) {
    reset(first + i);
    entries[i] = {cached ? kNoLock + UPCRI_LOCK_IDLE : 0, nullptr, address(first + i), first + i};
  }
  add_nodes(first + kEntries, kFirstLockNodes - kEntries);
}

void LockNodes::add_nodes(LockNode* first, std::size_t n) {
  total_ += n;
  free_.reserve(total_);  // so that release_node() never allocates
  for (std::size_t i = n; i-- > 0;) {
    reset(first + i);
    free_.push_back(first + i);
  }
}

LockNode* LockNodes::acquire_node(std::uint64_t lock) {
  if (held_node(lock) != nullptr) return nullptr;
  LockEntry& entry = entry_of(lock);
  LockNode* const own = node_of(entry);
  const std::uint64_t state = entry.lock & kStates;
  if (cached_ && (state == UPCRI_LOCK_CONTENDED || state == UPCRI_LOCK_IDLE || freed(own))) {
    if (freed(own)) reset(own);
    entry.lock = lock + UPCRI_LOCK_QUEUED;
    return own;
  }
  if (free_.empty()) release_freed();
  if (free_.empty()) {
    const SharedAddr more = heap_alloc(kGrowth * sizeof(LockNode), BlockUse::kRuntime, "upc_lock");
    add_nodes(reinterpret_cast<LockNode*>(segment_ + more.offset), kGrowth);
  }
  LockNode* node = free_.back();
  free_.pop_back();
  insert(lock, node);
  return node;
}

// The index of the lock's entry, or of the empty one where it would be.
std::size_t LockNodes::find(std::uint64_t lock) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = (lock * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
  while (table_[i].lock != 0 && table_[i].lock != lock) i = (i + 1) & mask;
  return i;
}

LockNode* LockNodes::held_node(std::uint64_t lock) {
  LockEntry& entry = entry_of(lock);
  if (!holds(entry, lock)) return held_outside(lock);
  LockNode* const node = node_of(entry);
  if (!freed(node)) return node;
  release_node(lock, node);
  return nullptr;
}

LockNode* LockNodes::held_outside(std::uint64_t lock) {
  LockNode* const node = outside_ != 0 ? table_[find(lock)].node : nullptr;
  if (node == nullptr || !freed(node)) return node;
  release_node(lock, node);
  return nullptr;
}

void LockNodes::note_uncontended(std::uint64_t lock, const LockNode* node, std::uint64_t* last) {
  LockEntry& entry = entry_of(lock);
  if (!cached_ || node != node_of(entry)) return;
  entry.last = last;
  entry.lock = lock + UPCRI_LOCK_HELD;
}

void LockNodes::insert(std::uint64_t lock, LockNode* node) {
  if (2 * (outside_ + 1) > table_.size()) {
    std::vector<Entry> old(table_.size() * 2);
    old.swap(table_);
    for (const Entry& e : old)
      if (e.lock != 0) table_[find(e.lock)] = e;
  }
  table_[find(lock)] = {lock, node};
  ++outside_;
}

void LockNodes::release_node(std::uint64_t lock, LockNode* node) {
  reset(node);
  LockEntry& entry = entry_of(lock);
  if (node != node_of(entry)) return remove(lock, node);
  entry.lock = kNoLock + UPCRI_LOCK_IDLE;
}

void LockNodes::release_contended(std::uint64_t lock, LockNode* node, std::uint64_t* last) {
  LockEntry& entry = entry_of(lock);
  if (node != node_of(entry)) return remove(lock, node);
  entry.last = last;
  entry.lock = (last != nullptr ? lock : kNoLock) + UPCRI_LOCK_CONTENDED;
}

void LockNodes::remove(std::uint64_t lock, LockNode* node) {
  // Linear probing without tombstones: the entries that follow the gap are inserted again.
  const std::size_t mask = table_.size() - 1, at = find(lock);
  --outside_;
  free_.push_back(node);
  table_[at] = {};
  for (std::size_t k = (at + 1) & mask; table_[k].lock != 0; k = (k + 1) & mask) {
    const Entry e = table_[k];
    table_[k] = {};
    table_[find(e.lock)] = e;
  }
}

void LockNodes::release_freed() {
  std::vector<Entry> unusable;
  for (const Entry& e : table_)
    if (e.lock != 0 && freed(e.node)) unusable.push_back(e);
  for (const Entry& e : unusable) release_node(e.lock, e.node);
}

}  // namespace upcr
