// SPDX-License-Identifier: BSD-3-Clause
// Memory of a tree: taken piece by piece, given back at once. Destructors of what is in it are not called.
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace upc2c {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }

  template <class T>
  std::span<T> copy(const std::vector<T>& from) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (from.empty()) return {};
    void* to = allocate(from.size() * sizeof(T), alignof(T));
    std::memcpy(to, static_cast<const void*>(from.data()), from.size() * sizeof(T));
    return {static_cast<T*>(to), from.size()};
  }

 private:
  static constexpr std::size_t kBlock = 1 << 18;

  void* allocate(std::size_t size, std::size_t align) {
    std::size_t at = (used_ + align - 1) & ~(align - 1);
    if (blocks_.empty() || at + size > capacity_) {
      capacity_ = size > kBlock ? size : kBlock;
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(capacity_));
      at = 0;
    }
    used_ = at + size;
    return blocks_.back().get() + at;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t used_ = 0, capacity_ = 0;
};

}  // namespace upc2c
