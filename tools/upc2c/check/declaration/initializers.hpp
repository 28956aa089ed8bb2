// SPDX-License-Identifier: BSD-3-Clause
// Initialisers: which part of an object each value is for, the bounds that they complete, and conversions.
#pragma once
#include <vector>

#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class Initializers {
 public:
  explicit Initializers(Check& check) : c_(check) {}

  // Of a variable; completes the type of the symbol.
  void check(Expr& init, Symbol& symbol);
  // Of an object of a type; returns the type with its bound.
  QualType list(Expr& init, QualType type);
  // A list where none can be, or whose type is not known.
  void untyped(Expr& list);

 private:
  // A place in an aggregate whose values are being read.
  struct Level {
    QualType type;
    std::int64_t next = 0;     // index of the element or field
    std::int64_t highest = 0;  // elements that have been given, for bounds
  };
  QualType object(Expr& init, QualType type);
  QualType braced(Expr& list, QualType type);
  void item(Expr& value, std::vector<Level>& levels);
  bool designate(DesignatedInit& item, std::vector<Level>& levels);
  QualType current(const Level& level) const;
  bool full(const Level& level) const;
  void advance(std::vector<Level>& levels);
  static void step(Level& level);
  void close(std::vector<Level>& levels);
  bool initializes_string(const Expr& value, QualType type) const;
  QualType string_bound(const Expr& value, QualType type);

  Check& c_;
};

}  // namespace upc2c
