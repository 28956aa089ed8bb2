// SPDX-License-Identifier: BSD-3-Clause
// Expressions whose value is a size or a distance in bytes: sizeof, _Alignof and those of UPC, offsetof.
#pragma once
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class SizeQueries {
 public:
  explicit SizeQueries(Check& check) : c_(check) {}

  void size_query(SizeQuery& expr);
  void offset_of(OffsetofExpr& expr);

 private:
  void report_no_size(const SizeQuery& expr, QualType operand);
  void upc_size_query(SizeQuery& expr, QualType operand);

  Check& c_;
};

}  // namespace upc2c
