// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/lock_nodes.hpp"

#include "upcr/heap/heap.hpp"

namespace upcr {
namespace {

constexpr std::size_t kGrowth = 64;  // nodes at a time, one page

bool freed(const LockNode* node) { return node->state.load(std::memory_order_acquire) == kLockFreed; }

}  // namespace

LockNodes::LockNodes(Slot thread, char* segment) : thread_(thread), segment_(segment), table_(128) {
  add_nodes(reinterpret_cast<RuntimeArea*>(segment)->lock_nodes, kFirstLockNodes);
}

void LockNodes::add_nodes(LockNode* first, std::size_t n) {
  total_ += n;
  free_.reserve(total_);  // so that giving back never allocates
  for (std::size_t i = n; i-- > 0;) free_.push_back(first + i);
}

LockNode* LockNodes::take() {
  if (free_.empty()) forget_freed();
  if (free_.empty()) {
    const SharedAddr more = heap_alloc(kGrowth * sizeof(LockNode), BlockUse::kRuntime, "upc_lock");
    add_nodes(reinterpret_cast<LockNode*>(segment_ + more.offset), kGrowth);
  }
  LockNode* node = free_.back();
  free_.pop_back();
  return node;
}

// Where the lock's entry is, or the empty one where it would be.
std::size_t LockNodes::place(std::uint64_t lock) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = (lock * 0x9E3779B97F4A7C15u >> 32) & mask;
  while (table_[i].lock != 0 && table_[i].lock != lock) i = (i + 1) & mask;
  return i;
}

LockNode* LockNodes::held(std::uint64_t lock) {
  const std::size_t at = place(lock);
  LockNode* node = table_[at].node;
  if (node == nullptr || !freed(node)) return node;
  erase(at);
  return nullptr;
}

void LockNodes::hold(std::uint64_t lock, LockNode* node) {
  if (2 * (held_ + 1) > table_.size()) {
    std::vector<Entry> old(table_.size() * 2);
    old.swap(table_);
    for (const Entry& e : old)
      if (e.lock != 0) table_[place(e.lock)] = e;
  }
  table_[place(lock)] = {lock, node};
  ++held_;
}

void LockNodes::drop(std::uint64_t lock) { erase(place(lock)); }

// Linear probing without tombstones: what follows the gap is put in place again.
void LockNodes::erase(std::size_t at) {
  give_back(table_[at].node);
  --held_;
  const std::size_t mask = table_.size() - 1;
  table_[at] = {};
  for (std::size_t i = (at + 1) & mask; table_[i].lock != 0; i = (i + 1) & mask) {
    const Entry e = table_[i];
    table_[i] = {};
    table_[place(e.lock)] = e;
  }
}

void LockNodes::forget_freed() {
  std::vector<std::uint64_t> gone;
  for (const Entry& e : table_)
    if (e.lock != 0 && freed(e.node)) gone.push_back(e.lock);
  for (const std::uint64_t lock : gone) drop(lock);
}

}  // namespace upcr
