// SPDX-License-Identifier: BSD-3-Clause
// Tables in shared memory. An entry is named by an identifier: its index, and above it a generation, so that
// the identifier of an entry that was given back is not that of its successor.
#pragma once
#include <cstdint>

namespace emulated {

// What every entry begins with.
struct Entry {
  std::uint32_t id = 0;       // of its present or last use; 0: it was never used
  std::uint16_t process = 0;  // that uses it
  bool used = false;
  std::uint64_t owner_data = 0;  // an address in that process
};

// 2^kIndexBits entries of T, whose identifiers have kIdBits bits and are never 0.
template <typename T, unsigned kIndexBits, unsigned kIdBits>
class Table {
 public:
  static constexpr std::uint32_t kSize = 1U << kIndexBits;

  T* find(std::uint32_t id) noexcept {
    T& entry = entries_[id & (kSize - 1)];
    return entry.used && entry.id == id ? &entry : nullptr;
  }
  // Null if all entries are used.
  T* take(std::uint16_t process) noexcept {
    for (std::uint32_t tries = 0; tries < kSize; ++tries) {
      const std::uint32_t index = next_++ & (kSize - 1);
      if (entries_[index].used) continue;
      constexpr std::uint32_t kGenerations = (1U << (kIdBits - kIndexBits)) - 1;
      const std::uint32_t generation = (entries_[index].id >> kIndexBits) % kGenerations + 1;
      entries_[index] = T{};
      entries_[index].id = generation << kIndexBits | index;
      entries_[index].process = process;
      entries_[index].used = true;
      if (index >= touched_) touched_ = index + 1;
      return &entries_[index];
    }
    return nullptr;
  }
  // what(entry) for each entry that is used; it may give entries back.
  template <typename What>
  void for_each(What&& what) {
    for (std::uint32_t i = 0; i < touched_; ++i)
      if (entries_[i].used) what(entries_[i]);
  }
  template <typename Which>
  std::uint32_t count(Which&& which) {
    std::uint32_t n = 0;
    for_each([&](T& entry) { n += which(entry) ? 1 : 0; });
    return n;
  }

 private:
  std::uint32_t next_ = 0, touched_ = 0;
  T entries_[kSize];
};

}  // namespace emulated
