// SPDX-License-Identifier: BSD-3-Clause
// Calls. Names of the UPC library stay: upcr.h defines them.
#pragma once
#include <string>

#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

struct Lower;

class Calls {
 public:
  explicit Calls(Lower& lower) : lower_(lower) {}

  std::string text(const CallExpr* expr);

 private:
  // upc_threadof and others by the function for the pointer's kind, without a conversion to shared void *.
  std::string query(const CallExpr* expr);

  Lower& lower_;
};

}  // namespace upc2c
