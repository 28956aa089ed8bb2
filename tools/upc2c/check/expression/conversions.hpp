// SPDX-License-Identifier: BSD-3-Clause
// Conversions where pointers-to-shared are involved: by assignment, as an argument, by a cast.
#pragma once
#include <string_view>

#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class Conversions {
 public:
  explicit Conversions(Check& check) : c_(check) {}

  // The value of a checked expression is converted as by assignment. `where` is for messages: "an
  // assignment".
  void assign(Expr& value, QualType to, const Mark& at, std::string_view where);
  void explicit_cast(CastExpr& expr, QualType to);
  // Sets the type that the context wants of a checked expression that is read.
  void set_target(Expr& expr, QualType to);
  // The left operand of = and ++ must be an object that can be assigned to, as far as UPC is concerned.
  void check_modifiable(const Expr& expr, const Mark& at);

 private:
  Check& c_;
};

}  // namespace upc2c
