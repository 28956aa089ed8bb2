// SPDX-License-Identifier: BSD-3-Clause
// Where locks and nodes are that have no place of their own.
#include "upcr/lock_nodes.hpp"

#include "upcr/heap/heap.hpp"

namespace upcr {
namespace {

constexpr std::size_t kGrowth = 64;  // nodes at a time, one page

void reset(LockNode* node) {
  node->next.store(0, std::memory_order_relaxed);
  node->state.store(kLockGranted, std::memory_order_relaxed);
}

}  // namespace

LockNodes::LockNodes(Slot thread, char* segment)
    : first_(reinterpret_cast<RuntimeArea*>(segment)->lock_nodes),
      base_(pack({thread, kRuntimeAreaBytes}) - reinterpret_cast<std::uintptr_t>(segment) -
            kRuntimeAreaBytes),
      segment_(segment),
      table_(128) {
  for (std::size_t i = 0; i < kPlaces; ++i) reset(first_ + i);
  add_nodes(first_ + kPlaces, kFirstLockNodes - kPlaces);
}

void LockNodes::add_nodes(LockNode* first, std::size_t n) {
  total_ += n;
  free_.reserve(total_);  // so that giving back never allocates
  for (std::size_t i = n; i-- > 0;) {
    reset(first + i);
    free_.push_back(first + i);
  }
}

LockNode* LockNodes::take(std::uint64_t lock) {
  if (held(lock) != nullptr) return nullptr;
  const std::size_t i = place(lock);
  if (places_[i] != 0 && freed(first_ + i)) drop(places_[i], first_ + i);
  if (places_[i] == 0 || places_[i] == kOthers) {
    places_[i] = lock;
    return first_ + i;
  }
  if (free_.empty()) forget_freed();
  if (free_.empty()) {
    const SharedAddr more = heap_alloc(kGrowth * sizeof(LockNode), BlockUse::kRuntime, "upc_lock");
    add_nodes(reinterpret_cast<LockNode*>(segment_ + more.offset), kGrowth);
  }
  LockNode* node = free_.back();
  free_.pop_back();
  insert(lock, node);
  return node;
}

// Where the lock's entry is, or the empty one where it would be.
std::size_t LockNodes::find(std::uint64_t lock) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = (mix(lock) >> 32) & mask;
  while (table_[i].lock != 0 && table_[i].lock != lock) i = (i + 1) & mask;
  return i;
}

LockNode* LockNodes::held(std::uint64_t lock) {
  const std::size_t i = place(lock);
  LockNode* const node = places_[i] == lock ? first_ + i : table_[find(lock)].node;
  if (node == nullptr || !freed(node)) return node;
  drop(lock, node);
  return nullptr;
}

void LockNodes::insert(std::uint64_t lock, LockNode* node) {
  if (2 * (elsewhere_ + 1) > table_.size()) {
    std::vector<Entry> old(table_.size() * 2);
    old.swap(table_);
    for (const Entry& e : old)
      if (e.lock != 0) table_[find(e.lock)] = e;
  }
  table_[find(lock)] = {lock, node};
  ++elsewhere_;
}

void LockNodes::drop(std::uint64_t lock, LockNode* node) {
  reset(node);
  if (node == first_ + place(lock)) return leave_place(lock);
  // Linear probing without tombstones: what follows the gap is put in place again.
  const std::size_t mask = table_.size() - 1, at = find(lock);
  --elsewhere_;
  free_.push_back(node);
  table_[at] = {};
  for (std::size_t i = (at + 1) & mask; table_[i].lock != 0; i = (i + 1) & mask) {
    const Entry e = table_[i];
    table_[i] = {};
    table_[find(e.lock)] = e;
  }
}

void LockNodes::forget_freed() {
  std::vector<Entry> gone;
  for (const Entry& e : table_)
    if (e.lock != 0 && freed(e.node)) gone.push_back(e);
  for (const Entry& e : gone) drop(e.lock, e.node);
}

}  // namespace upcr
