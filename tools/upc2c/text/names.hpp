// SPDX-License-Identifier: BSD-3-Clause
// Interned identifiers: equal spellings have one number, so that scopes are arrays and comparisons are of
// integers.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace upc2c {

// An interned identifier. 0 is no name.
using NameId = std::uint32_t;

class NameTable {
 public:
  NameTable();

  // The number of `text`, whose bytes must live as long as the table. Numbers are dense, from 1.
  NameId intern(std::string_view text);
  // The number of `text`, or 0 if it was never interned.
  NameId find(std::string_view text) const;
  std::string_view text(NameId id) const { return texts_[id]; }
  // Every number is below this.
  std::size_t size() const { return texts_.size(); }

 private:
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  void grow();

  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t> hashes_;  // by number
  std::vector<NameId> slots_;          // open addressing, a power of two
};

}  // namespace upc2c
