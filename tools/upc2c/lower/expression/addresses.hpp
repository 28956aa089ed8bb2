// SPDX-License-Identifier: BSD-3-Clause
// Addresses of shared lvalues. All subscripts of one array make one linear index, and members and subscripts
// inside of an element make one offset in bytes, so that an access computes at most one new pointer.
#pragma once
#include <string>
#include <utility>

#include "tools/upc2c/ast/expr.hpp"
#include "tools/upc2c/lower/c_text.hpp"

namespace upc2c {

struct Lower;

// A pointer-to-shared and an offset in bytes from what it points to.
struct Address {
  std::string pointer;         // C text of the pointer
  std::string offset;          // C text of the offset; "0" for none
  bool phased = false;         // the pointer is a upcr_shared_ptr_t, not a upcr_pshared_ptr_t
  bool proxy = false;          // the pointer is the variable of a shared object: always the same
  bool offset_varies = false;  // the offset is no constant
  std::uint32_t align = 0;     // what the offset is a multiple of at least, as far as records limit it

  std::string_view kind() const { return phased ? "_shared" : "_pshared"; }
};

class Addresses {
 public:
  explicit Addresses(Lower& lower) : lower_(lower) {}

  Address of(const Expr* lvalue);
  // The value of a pointer-to-shared of type `pointer` that points to this lvalue, or to the first element of
  // this array.
  std::string pointer_to(const Expr* lvalue, QualType pointer);
  // The element that the value of a pointer-to-shared points to, or that has the member that it points to.
  Address element(const Expr* pointer);
  // p + n and p - n with a result of type `pointer`.
  std::string moved(const Expr* sum, QualType pointer);
  // A place in an array, for text that finds the array first: the pointer that its subscripts start from, and
  // where the place is in private memory once `array` (upc2c_array_t) is known. `array`: its name.
  struct ArrayPlace {
    std::string base;
    bool phased = false;
    QualType element;
    std::string address;  // of the object, a uintptr_t
  };
  ArrayPlace in_array(const Expr* lvalue, const std::string& array);
  // Whether steps of pointers are calls of the library from here on, for text that is not run often: inlined
  // ones cost the C compiler more. Returns what it was.
  bool call_library(bool on) { return std::exchange(call_library_, on); }

 private:
  // An address that is not complete: a pointer, a number of elements by which it is to be moved, and an
  // offset from there.
  struct Location {
    std::string pointer;
    bool phased = false, proxy = false;
    QualType element;  // what `index` counts: shared, with its block size
    Sum index, offset;
    std::uint32_t align = 64;
    std::string array;  // in_array(): its name, until the index is applied
    ArrayPlace found;
  };

  Location start_at(std::string pointer, bool phased, QualType element, std::string array);
  Location locate(const Expr* lvalue);
  Location pointed_to(const Expr* pointer);
  Location complex_part(const UnaryExpr& part);
  void subscript(Location& location, const Expr* index, QualType pointee, bool negative);
  void enter(Location& location, const MemberExpr& member);
  std::string type_of(const Expr& record) const;
  std::string example(const Expr& expr) const;
  void apply_index(Location& location);
  std::string pointer_value(Location location, QualType pointee);

  Lower& lower_;
  bool call_library_ = false;
  std::string array_;  // for the next location
};

// The part that a transparent expression is: of parentheses what is in them, of _Generic its choice.
const Expr* stripped(const Expr* expr);
const Expr* chosen(const ChooseExpr* choose);
// Whether the value of a pointer to this shared type is a upcr_shared_ptr_t.
bool is_phased(QualType pointee);
// _shared or _pshared, for names of functions on the pointer.
std::string_view kind_suffix(QualType pointer);

}  // namespace upc2c
