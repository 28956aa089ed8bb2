// SPDX-License-Identifier: BSD-3-Clause
// The list of messages that a thread keeps for its receivers. See held.hpp.
#include "upcr/coll/call/held.hpp"

#include <cstring>
#include <mutex>
#include <utility>

namespace upcr::coll {

HeldList::~HeldList() {
  while (first_ != nullptr) delete std::exchange(first_, first_->next);
}

Held* HeldList::add(const Header& header, Slot to, const void* data, std::size_t bytes, bool own_copy,
                    HeldState state) {
  Held* const held = new Held;
  held->header = header;
  held->to = to;
  held->bytes = bytes;
  held->data = static_cast<const char*>(data);
  held->state.store(state, std::memory_order_relaxed);
  if (own_copy) {
    held->copy = std::make_unique_for_overwrite<char[]>(bytes);
    if (bytes != 0) std::memcpy(held->copy.get(), data, bytes);
    held->data = held->copy.get();
  }
  const std::lock_guard guard(lock_);
  held->next = first_;
  first_ = held;
  ++count_;
  return held;
}

std::size_t HeldList::sweep() noexcept {
  if (first_ == nullptr) return 0;
  const std::lock_guard guard(lock_);
  for (Held** at = &first_; *at != nullptr;) {
    Held* const held = *at;
    if (held->state.load(std::memory_order_acquire) != HeldState::kDone) {
      at = &held->next;
      continue;
    }
    *at = held->next;
    --count_;
    delete held;
  }
  return count_;
}

}  // namespace upcr::coll
