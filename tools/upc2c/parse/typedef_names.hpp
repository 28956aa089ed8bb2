// SPDX-License-Identifier: BSD-3-Clause
// Which identifiers are typedef names, by scope: all that C's grammar needs to know of declarations.
#pragma once
#include <vector>

#include "tools/upc2c/text/names.hpp"

namespace upc2c {

class TypedefNames {
 public:
  explicit TypedefNames(NameTable& names);

  bool is_typedef(NameId name) const { return name < is_typedef_.size() && is_typedef_[name]; }
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
  struct Undo {
    NameId name;
    bool was_typedef;
  };
  void leave(std::size_t mark);

  std::vector<char> is_typedef_;  // by name
  std::vector<Undo> undo_;
  unsigned depth_ = 0;
};

}  // namespace upc2c
