// SPDX-License-Identifier: BSD-3-Clause
// Calls of relaxed atomic operations (<bupc_atomics.h>): which object they are on.
#pragma once
#include <string>

#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

// The object of an atomic operation: an lvalue, or, if `pointed`, a pointer to it.
struct AtomicObject {
  const Expr* object = nullptr;
  bool pointed = false;

  explicit operator bool() const { return object != nullptr; }
};
// Nothing for other calls.
AtomicObject relaxed_atomic(const CallExpr& call);
// Bytes of the object of an operation that adds a number to it or changes its bits by one, and whose value is
// what it was before; 0 for other operations, and of floating types.
unsigned combined_bytes(const CallExpr& atomic);
// The same operation on the address of an object in this process.
std::string private_operation(const CallExpr& atomic);

}  // namespace upc2c
