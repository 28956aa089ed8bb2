// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes of shared objects. The C text of an access depends on the type: integers and private
// pointers go through a register, float and double have functions of their own, all others are copied.
#pragma once
#include <string>

#include "tools/upc2c/lower/expression/addresses.hpp"

namespace upc2c {

struct Lower;

class Accesses {
 public:
  explicit Accesses(Lower& lower) : lower_(lower) {}

  // The value of a shared lvalue, as a primary expression.
  std::string get(const Expr* lvalue);
  std::string get(const Address& address, QualType type, AccessMode mode);
  // Stores the text of a value that converts to the type as by an assignment. `used`: the expression yields
  // what was stored.
  std::string put(const Address& address, QualType type, AccessMode mode, const std::string& value,
                  bool used);
  // Stores what a private lvalue holds, which has the type.
  std::string put_object(const Address& address, QualType type, AccessMode mode, const std::string& object);
  // Reads into a private lvalue of the type.
  std::string get_object(const Address& address, QualType type, AccessMode mode, const std::string& object);

  // The type as a specifier, which a name may follow.
  std::string specifier(QualType type);
  // Declarations that hold an address, so that what follows uses it twice.
  std::string bind(Address& address);
  // The access mode of an lvalue, also of one that is only evaluated.
  static AccessMode mode_of(const Expr* lvalue);

 private:
  // The address may not be a multiple of the type's alignment: a member of a packed structure.
  static bool misaligned(const Address& address, QualType type);
  // upcr_get_pshared_val, upcr_put_shared_strict ...
  static std::string function(std::string_view verb, const Address& address, std::string_view suffix,
                              AccessMode mode);
  std::string bytes(std::string_view verb, const Address& address, QualType type, AccessMode mode,
                    const std::string& object);

  Lower& lower_;
};

}  // namespace upc2c
