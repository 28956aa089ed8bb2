// SPDX-License-Identifier: BSD-3-Clause
// Finds the cell of a line and a kind: a hash table with linear probing whose first probe is in line. Made
// once, with room for all cells at half its size; nothing is allocated while the program runs, in whose
// allocator's hooks it may be asked.
#pragma once
#include <cstddef>
#include <cstdint>

#include "upcr/observe/kinds.hpp"
#include "upcr/observe/record.hpp"

namespace upcr::observe {

// Where an operation was called. file: null, or a string that is never freed.
struct Position {
  const char* file = nullptr;
  int line = 0;
};

class LineTable {
 public:
  struct Key {
    const char* file;
    std::uint64_t line_and_kind;
    bool operator==(const Key&) const = default;
  };
  static Key key_of(Kind kind, const Position& at) noexcept {
    return {at.file, static_cast<std::uint64_t>(kind) << 32 | static_cast<unsigned>(at.line)};
  }
  struct Slot {
    Key key;
    std::uint32_t cell;  // 0: free
  };

  LineTable() : slots_(new Slot[kSlots]()) {}
  LineTable(const LineTable&) = delete;
  LineTable& operator=(const LineTable&) = delete;
  ~LineTable() { delete[] slots_; }

  // The slot of a key, or the free one that it goes to.
  Slot& find(const Key& key) noexcept {
    Slot& first = slots_[hash(key)];
    return __builtin_expect(first.key == key && first.cell != 0, 1) ? first : find_further(key);
  }

 private:
  static constexpr unsigned kBits = 13;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;
  static_assert(kSlots >= 2 * kMaxCells);

  static std::size_t hash(const Key& key) noexcept {
    const std::uint64_t word = reinterpret_cast<std::uintptr_t>(key.file) ^ (key.line_and_kind << 16);
    return static_cast<std::size_t>((word * 0x9e3779b97f4a7c15u) >> (64 - kBits));
  }
  [[gnu::noinline]] Slot& find_further(const Key& key) noexcept {
    std::size_t at = hash(key);
    while (slots_[at].cell != 0 && slots_[at].key != key) at = (at + 1) % kSlots;
    return slots_[at];
  }

  Slot* const slots_;
};

}  // namespace upcr::observe
