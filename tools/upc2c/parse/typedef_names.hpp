// SPDX-License-Identifier: BSD-3-Clause
// Which identifiers are typedef names, by scope: all that C's grammar needs to know of declarations. Of
// others it is known whether they are declared at all, for messages about types that are not.
#pragma once
#include <cstdint>
#include <vector>

#include "tools/upc2c/text/names.hpp"

namespace upc2c {

class TypedefNames {
 public:
  explicit TypedefNames(NameTable& names);

  bool is_typedef(NameId name) const { return state(name) == State::kTypedef; }
  bool is_declared(NameId name) const { return state(name) != State::kNone; }
  // From here to the end of the scope the name is a typedef name, or is none.
  void declare(NameId name, bool is_typedef);

  // A scope ends with the object.
  class Scope {
   public:
    explicit Scope(TypedefNames& names) : names_(names), mark_(names.undo_.size()) { names_.depth_++; }
    ~Scope() { names_.leave(mark_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    TypedefNames& names_;
    std::size_t mark_;
  };

 private:
  enum class State : std::uint8_t { kNone, kOrdinary, kTypedef };
  struct Undo {
    NameId name;
    State was;
  };
  State state(NameId name) const { return name < states_.size() ? states_[name] : State::kNone; }
  void leave(std::size_t mark);

  std::vector<State> states_;  // by name
  std::vector<Undo> undo_;
  unsigned depth_ = 0;
};

}  // namespace upc2c
