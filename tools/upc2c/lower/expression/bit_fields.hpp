// SPDX-License-Identifier: BSD-3-Clause
// Bit-fields of shared structures. The bytes that hold the field are copied into a private structure, where C
// reads or assigns the field, and back: no other byte is touched.
#pragma once
#include <string>

#include "tools/upc2c/lower/expression/addresses.hpp"

namespace upc2c {

struct Lower;

class BitFields {
 public:
  explicit BitFields(Lower& lower) : lower_(lower) {}

  std::string get(const MemberExpr& field, AccessMode mode);
  // Runs `change` on the field, C text that has the field's lvalue behind `before` and in front of `after`,
  // and stores it. `before_value`: the result is the value before the change (x++); else the one after it.
  std::string update(const MemberExpr& field, AccessMode mode, const std::string& before,
                     const std::string& after, bool used, bool before_value);

 private:
  struct Bytes {
    std::string copy;      // declares the structure and reads the bytes into it
    std::string store;     // writes them back
    std::string lvalue;    // the field in the structure
    std::string promoted;  // the type of its value in expressions
  };
  Bytes bytes(const MemberExpr& field, AccessMode mode, bool twice);

  Lower& lower_;
};

}  // namespace upc2c
