// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/typedef_names.hpp"

namespace upc2c {

TypedefNames::TypedefNames(NameTable& names) {
  for (const char* builtin : {"__builtin_va_list", "__int128_t", "__uint128_t"})
    declare(names.intern(builtin), true);
  states_.resize(names.size());
}

void TypedefNames::declare(NameId name, bool is_typedef) {
  const State wanted = is_typedef ? State::kTypedef : State::kOrdinary;
  if (name == 0 || state(name) == wanted) return;
  if (name >= states_.size()) states_.resize(name + 1);
  if (depth_ > 0) undo_.push_back({name, states_[name]});
  states_[name] = wanted;
}

void TypedefNames::leave(std::size_t mark) {
  for (; undo_.size() > mark; undo_.pop_back()) states_[undo_.back().name] = undo_.back().was;
  depth_--;
}

}  // namespace upc2c
