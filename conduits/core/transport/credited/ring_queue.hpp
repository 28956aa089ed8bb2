// SPDX-License-Identifier: BSD-3-Clause
// A queue in a ring buffer that grows when it is full and never shrinks: no allocation once it has been as
// long as it gets. No lock of its own.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace upcr {

template <typename T>
class RingQueue {
 public:
  bool empty() const noexcept { return count_ == 0; }
  std::size_t size() const noexcept { return count_; }

  void push(const T& entry) {
    if (count_ == ring_.size()) grow();
    const std::size_t end = first_ + count_++;
    ring_[end < ring_.size() ? end : end - ring_.size()] = entry;
  }
  // Not when empty.
  const T& front() const noexcept { return ring_[first_]; }
  T pop() noexcept {
    const T entry = ring_[first_];
    first_ = first_ + 1 < ring_.size() ? first_ + 1 : 0;
    --count_;
    return entry;
  }

 private:
  static constexpr std::size_t kInitialCapacity = 16;

  void grow() {
    std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(first_), ring_.end());
    first_ = 0;
    ring_.resize(std::max(kInitialCapacity, 2 * ring_.size()));
  }

  std::vector<T> ring_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace upcr
