// SPDX-License-Identifier: BSD-3-Clause
// Relations of types: compatibility, promotions, and what a conversion does where pointers-to-shared are
// involved.
#pragma once
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

// C's compatible types; layouts by their values, shared, strict and relaxed as qualifiers. An unknown type is
// compatible with any. With `ignore_quals` qualifiers at the top do not count, but shared and the block size
// do.
bool compatible(QualType a, QualType b, bool ignore_quals = false);
// Of two compatible types, what both say: a bound that one leaves out, a prototype.
QualType composite(Types& types, QualType a, QualType b);

// Integer promotion; of a bit-field of this width (-1: none).
QualType promote(Types& types, QualType type, int bit_width = -1);
// The usual arithmetic conversions; vectors win, and two types of which one is unknown give unknown.
QualType usual_arithmetic(Types& types, QualType a, QualType b);
bool is_unsigned(QualType type, const Target& target);
// Bits of the value of an integer type.
unsigned width_of(QualType integer);

// The effect of assigning a value of one type to another (section "Conversions" of the UPC rules).
enum class Conversion : std::uint8_t {
  kNone,          // same type, or nothing shared is involved: C's rules, which the C compiler checks
  kPts,           // between pointers-to-shared, allowed
  kDiscards,      // the same, but a qualifier of the pointee is lost
  kLayout,        // between pointers-to-shared of other block sizes or element types: needs a cast
  kNull,          // a null pointer constant to a pointer-to-shared
  kToPrivate,     // pointer-to-shared to private pointer: needs a cast
  kToShared,      // private pointer to pointer-to-shared: never
  kIntToPts,      // another integer to pointer-to-shared: never
  kPtsToInt,      // pointer-to-shared to integer: needs a cast
  kPtsToBool,     // to _Bool
  kMode,          // between pointers-to-shared, but strict or relaxed of the pointee is lost
  kDeepLayout,    // between private pointers to pointers-to-shared of other layouts: needs a cast
  kDeepDiscards,  // between such pointers, but a qualifier of the pointee is lost
  kInvalid,       // any other type to or from a pointer-to-shared
};
Conversion conversion(QualType from, QualType to, bool from_null_constant);

}  // namespace upc2c
