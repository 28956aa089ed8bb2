// SPDX-License-Identifier: BSD-3-Clause
// Sizes: sizeof and its relatives of UPC, and sizes in translated text.
#pragma once
#include <string>

#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

struct Lower;

class Sizes {
 public:
  explicit Sizes(Lower& lower) : lower_(lower) {}

  // sizeof(T) of the C type that objects of this type have in memory.
  std::string of(QualType type);
  // sizeof, _Alignof, upc_localsizeof, upc_blocksizeof, upc_elemsizeof: constant expressions of C but for the
  // sizes that depend on THREADS.
  std::string query(const SizeQuery* query);

 private:
  Lower& lower_;
};

}  // namespace upc2c
