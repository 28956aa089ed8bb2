// SPDX-License-Identifier: BSD-3-Clause
// Assignments, compound assignments, ++ and --: of shared objects, and of private pointers-to-shared.
#pragma once
#include <string>

#include "tools/upc2c/lower/expression/addresses.hpp"

namespace upc2c {

struct Lower;

class Assignments {
 public:
  explicit Assignments(Lower& lower) : lower_(lower) {}

  std::string assign(const AssignExpr* expr);
  std::string increment(const UnaryExpr* expr);

 private:
  // The operation on the value: value op operand, or one more or less.
  struct Change {
    const Expr* left;
    BinaryOp op;
    const Expr* operand;  // null: 1
    bool used, before_value;
  };

  std::string store(const AssignExpr* expr);
  std::string store_object(const AssignExpr* expr, const Address& address);
  std::string load_object(const AssignExpr* expr);
  std::string change_shared(const Change& change);
  std::string change_pointer(const Change& change);
  // The right operand's C text. One with side effects is evaluated first: its declaration goes to `before`.
  std::string operand(const Change& change, std::string& before);
  std::string evaluated_first(const Expr* operand, std::string& before);
  // value op operand
  std::string changed(const std::string& value, const Change& change, const std::string& operand);

  Lower& lower_;
};

}  // namespace upc2c
