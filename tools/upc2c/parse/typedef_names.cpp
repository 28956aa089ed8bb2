// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/typedef_names.hpp"

namespace upc2c {

TypedefNames::TypedefNames(NameTable& names) {
  for (const char* builtin : {"__builtin_va_list", "__int128_t", "__uint128_t"})
    declare(names.intern(builtin), true);
  is_typedef_.resize(names.size());
}

void TypedefNames::declare(NameId name, bool is_typedef) {
  if (name == 0 || this->is_typedef(name) == is_typedef) return;
  if (name >= is_typedef_.size()) is_typedef_.resize(name + 1);
  if (depth_ > 0) undo_.push_back({name, is_typedef_[name] != 0});
  is_typedef_[name] = is_typedef;
}

void TypedefNames::leave(std::size_t mark) {
  for (; undo_.size() > mark; undo_.pop_back()) is_typedef_[undo_.back().name] = undo_.back().was_typedef;
  depth_--;
}

}  // namespace upc2c
