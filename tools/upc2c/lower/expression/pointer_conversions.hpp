// SPDX-License-Identifier: BSD-3-Clause
// Conversions to and from pointers-to-shared.
#pragma once
#include <string>

#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

struct Lower;

class PointerConversions {
 public:
  explicit PointerConversions(Lower& lower) : lower_(lower) {}

  // The text of a value of type `from` as one of type `to`. Between types that are no pointers-to-shared
  // nothing happens: the C compiler converts them.
  std::string convert(const std::string& text, QualType from, QualType to);
  // A null pointer-to-shared.
  static std::string null(QualType pointer);
  // Whether the value is not null, as an int.
  static std::string truth(const std::string& text, QualType pointer);

 private:
  static std::string between(const std::string& text, QualType from, QualType to);

  Lower& lower_;
};

}  // namespace upc2c
