// SPDX-License-Identifier: BSD-3-Clause
// What UPC says about shared in declarations: layouts and their values, [*], THREADS in bounds, where shared
// objects may be.
#pragma once
#include <optional>

#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/check/declaration/declared_types.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"

namespace upc2c {

struct Check;

class SharedRules {
 public:
  explicit SharedRules(Check& check) : c_(check) {}

  // A type with the qualifiers of a list; what its typedef has counts for the rules.
  QualType qualify(QualType type, const QualifierList& list);
  // [*] of an object gets its block size. In typedefs, members, parameters and type-names it is refused.
  QualType resolve_star(QualType type, const Declarator& declarator, Declared what);
  QualType refuse_star(QualType type, Diag diag, const Mark& at, std::string_view where);

  // The bound of an array of these elements: a constant, a constant times THREADS, or nothing: a variable
  // one.
  std::optional<Extent> extent(Expr& bound, QualType element);
  // A shared object where none may be, or with a bound that none may have; `symbol` has its final type.
  void check_object(const Symbol& symbol, const Specifiers& specifiers, const Declarator& declarator);

 private:
  struct Layout {
    bool present = false;
    std::uint32_t block = 1;
  };
  Layout layout(const LayoutSpec& spec);
  void check_bounds(const Symbol& symbol, const Declarator& declarator);
  void report_bound_form(const Expr& bound);

  Check& c_;
};

}  // namespace upc2c
