// SPDX-License-Identifier: BSD-3-Clause
// Initial values of objects that exist before main, where C's initialisers are not enough: shared objects get
// theirs at start-up, and so do private ones whose values are known at run time only (addresses of shared
// objects, with pthreads of thread-local data).
#pragma once
#include <string>

#include "tools/upc2c/lower/data/init_leaves.hpp"

namespace upc2c {

struct Lower;

class InitialValues {
 public:
  explicit InitialValues(Lower& lower) : lower_(lower) {}

  // Whether parts of an unshared object with static storage get their values in UPCRI_INIT.
  bool is_assigned(const Symbol& symbol, const Expr* initializer) const;
  // The initialiser of an object with static storage; `assigned`: with zeros for these parts.
  std::string constant_part(const Symbol& symbol, const Expr* initializer, bool assigned);
  // The statements that assign these parts; `object`: the object as an lvalue.
  std::string assignments(const Symbol& symbol, const Expr* initializer, const std::string& object);

  // Whether an initial value is being written that start-up code assigns. A compound literal in it lives as
  // long as the program, unlike one in a function.
  bool in_start_up() const { return statements_ != nullptr; }
  bool concerns(const Node& node) const { return in_start_up() && has_literal(node); }
  // The object that such a literal is, as an lvalue.
  std::string literal(const CompoundLiteral& literal);

  // Whether all that the initialiser says is zero.
  bool is_zero(const Expr* initializer, QualType type) const;
  // Reports values for elements of a flexible array member, for which a shared object has no memory.
  void refuse_flexible(const Symbol& symbol, const Expr* initializer) const;
  // The statement that gives a shared object its initial value; `proxy`: its name.
  std::string shared(const Symbol& symbol, const Expr* initializer, const std::string& proxy);

 private:
  static bool has_literal(const Node& node);
  bool is_constant(const Expr& value) const;
  bool is_constant(const InitLeaf& leaf) const;
  // How an initialiser of constants is written.
  struct Style {
    bool elsewhere = false;  // the names that a function declares are not visible
    bool zeros = false;      // for what is no constant
  };
  std::string constant_text(const Expr* initializer, Style style);
  std::string constant_value(const Expr& value, Style style);
  std::string assignments(const std::vector<InitLeaf>& leaves, const std::string& object);
  std::string assignment(const InitLeaf& leaf, const std::string& object);
  // The text of a value in start-up code; what makes its compound literals is added to `statements`.
  std::string start_up_text(const Expr& value, std::string& statements);
  // The type of an array of the elements of a shared array that the initialiser gives.
  QualType given_elements(QualType type, const std::vector<InitLeaf>& leaves) const;

  Lower& lower_;
  std::string* statements_ = nullptr;
};

}  // namespace upc2c
