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

constinit thread_local LockNodeCache lock_node_cache;

LockNodes::LockNodes(LockNodeCache& cache, Slot thread, char* segment, bool cached)
    : cache_(cache),
      cached_(cached),
      base_(pack({thread, kNullPageBytes}) - reinterpret_cast<std::uintptr_t>(segment) - kNullPageBytes),
      segment_(segment),
      table_(128) {
  static_assert(LockNodeCache::kEntries < kFirstLockNodes);
  cache_.uncached = cached ? 0 : 1;
  cache_.first = area_in(segment)->lock_nodes;
  cache_.first_address = address(cache_.first);
  for (std::size_t i = 0; i < LockNodeCache::kEntries; ++i) reset(cache_.first + i);
  add_nodes(cache_.first + LockNodeCache::kEntries, kFirstLockNodes - LockNodeCache::kEntries);
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
  const std::size_t i = LockNodeCache::index_of(lock);
  std::uint64_t& in = cache_.locks[i];
  LockNode* const own = cache_.first + i;
  if (in != 0 && freed(own)) release_node(in, own);
  if (cached_ && (in == 0 || in == kContended)) {
    in = lock;
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
  std::size_t i = (LockNodeCache::mix(lock) >> 32) & mask;
  while (table_[i].lock != 0 && table_[i].lock != lock) i = (i + 1) & mask;
  return i;
}

LockNode* LockNodes::held_node(std::uint64_t lock) {
  const std::size_t i = LockNodeCache::index_of(lock);
  LockNode* const node = cache_.holds(i, lock) ? cache_.first + i : table_[find(lock)].node;
  if (node == nullptr || !freed(node)) return node;
  release_node(lock, node);
  return nullptr;
}

void LockNodes::insert(std::uint64_t lock, LockNode* node) {
  if (2 * (cache_.uncached + 1) > table_.size()) {
    std::vector<Entry> old(table_.size() * 2);
    old.swap(table_);
    for (const Entry& e : old)
      if (e.lock != 0) table_[find(e.lock)] = e;
  }
  table_[find(lock)] = {lock, node};
  ++cache_.uncached;
}

void LockNodes::release_node(std::uint64_t lock, LockNode* node) {
  reset(node);
  const std::size_t i = LockNodeCache::index_of(lock);
  if (node == cache_.first + i) return cache_.release(i);
  // Linear probing without tombstones: the entries that follow the gap are inserted again.
  const std::size_t mask = table_.size() - 1, at = find(lock);
  --cache_.uncached;
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
