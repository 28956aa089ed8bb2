// SPDX-License-Identifier: BSD-3-Clause
// Accesses to elements of shared arrays whose index is linear in the variable of a loop.
#pragma once
#include <string>
#include <vector>

#include "tools/upc2c/analysis/elements.hpp"

namespace upc2c {

// By how much an induction variable differs from what it is when an iteration begins.
struct Offset {
  const Symbol* variable = nullptr;
  Extent by;

  bool operator==(const Offset&) const = default;
};

// Accesses of one lvalue, or of several that are neighbours (neighbours.hpp). They may be done through a
// private pointer as long as the elements are mapped.
struct Run {
  const Expr* lvalue = nullptr;  // the first of them
  QualType element;              // what the pointer steps over
  Extent factor;                 // elements from an iteration to the next one
  std::string text;              // in the source
  std::vector<Offset> offsets;   // of variables in it that the body has stepped
  // Runs of one base are `shift` elements from the same place; "": not known. A run has as many elements
  // more, behind the one of `lvalue`, in each iteration.
  std::string base;
  std::int64_t shift = 0, more = 0;
  bool read = false, written = false;
  bool always = false, always_written = false;  // every iteration accesses, writes its element
};
// An access of a run.
struct RunAccess {
  const Expr* lvalue = nullptr;
  std::size_t run = 0;
  bool plain = false;          // no value that decides anything: the C compiler may read it as it likes
  const Expr* step = nullptr;  // of an integer, in the access: a[i++]
  std::int64_t shift = 0;      // elements behind the run's `lvalue`
};

// An access of any element of an array that does not vary, or of any object; or an atomic operation on one.
struct IrregularAccess {
  const Expr* lvalue = nullptr;
  bool plain = false;     // as of a RunAccess
  bool anywhere = false;  // of no known array: it is found by its pointer
  bool pointed = false;   // `lvalue` is a pointer to the object
  bool atomic = false;
  std::string text;  // in the source
};

// The runs of a body, and why other accesses to shared data are none.
struct References {
  std::vector<Run> runs;
  std::vector<RunAccess> accesses;
  std::vector<IrregularAccess> irregular;          // of those that are in no run
  std::string other, reason;                       // the first access that is in no run; "" if there is none
  bool other_reads = false, other_writes = false;  // accesses in no run
};
References find_references(const Node* body, const LoopValues& values, const TokenStream& stream);

}  // namespace upc2c
