// SPDX-License-Identifier: BSD-3-Clause
// A queue in a ring buffer that grows when it is full and never shrinks: no allocation once it has been as
// long as it gets. No lock of its own.
#pragma once
#include <cstddef>
#include <vector>

namespace upcr {

template <typename T>
class RingQueue {
 public:
  void open(std::size_t capacity) {
    ring_.resize(capacity);
    first_ = count_ = 0;
  }
  bool empty() const noexcept { return count_ == 0; }
  bool full() const noexcept { return count_ == ring_.size(); }
  std::size_t size() const noexcept { return count_; }

  // Not when full.
  void push(const T& entry) noexcept {
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
  std::vector<T> ring_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace upcr
