// SPDX-License-Identifier: BSD-3-Clause
// Calls, and what is known of the C compiler's builtin functions.
#pragma once
#include <string_view>

#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class Calls {
 public:
  explicit Calls(Check& check) : c_(check) {}

  void call(CallExpr& expr);

 private:
  QualType callee_type(CallExpr& expr);
  QualType overload(const CallExpr& expr, const Symbol& symbol) const;
  void arguments(CallExpr& expr, const Type& function, std::string_view name);
  void check_callee(const Expr& callee);
  void builtin(CallExpr& expr, std::string_view name);

  Check& c_;
};

// The result of a builtin function, as one letter: i int, l long, z size_t, v void, p void *, c char *, f d D
// floating types, 1 the type of the first argument, ? unknown.
char builtin_result(std::string_view name);

}  // namespace upc2c
