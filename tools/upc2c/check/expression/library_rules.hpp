// SPDX-License-Identifier: BSD-3-Clause
// Calls of the UPC library: arguments that its prototypes do not take, and allocations whose blocks differ
// from those of the pointer that they are assigned to.
#pragma once
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class LibraryRules {
 public:
  explicit LibraryRules(Check& check) : c_(check) {}

  // Whether the checked argument number `index` (from 0) of a call of a library function has a type that does
  // not convert to the parameter's; that is reported here.
  bool refuse_argument(const Expr& argument, const Symbol& function, std::size_t index, QualType parameter);
  // A checked value is converted to a pointer-to-shared: if it is memory just allocated, its blocks should be
  // the pointer's.
  void check_heap_block(const Expr& value, QualType pointer);

 private:
  Check& c_;
};

}  // namespace upc2c
