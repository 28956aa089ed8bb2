// SPDX-License-Identifier: BSD-3-Clause
// Flags and operators of either encoding in the values of UPC 1.3: see call.hpp. A program that was linked
// for the wrong one gets an error if a value does not exist in that encoding.
#include <cstdio>

#include "upcr/gupc/abi/library/call.hpp"

// 0: gupc-1.3, or 2012. The program's first object defines it; elsewhere it is 0 (defaults.cpp).
extern "C" const int upcri_gupc_encoding;

namespace {

constexpr int kIn = UPCRI_IN_ALLSYNC | UPCRI_IN_MYSYNC | UPCRI_IN_NOSYNC;
constexpr int kOut = UPCRI_OUT_ALLSYNC | UPCRI_OUT_MYSYNC | UPCRI_OUT_NOSYNC;

bool is_2012() { return upcri_gupc_encoding == 2012; }

// The encoding that the program is linked for, and the one to try instead.
const char* linked() { return is_2012() ? "gupc-2012" : "gupc-1.3"; }
const char* other() { return is_2012() ? "gupc-1.3" : "gupc-2012"; }

bool at_most_one(int bits) { return (bits & (bits - 1)) == 0; }

[[noreturn]] void refuse(const char* function, const char* what, unsigned long long value) {
  char text[320];
  std::snprintf(
      text, sizeof text,
      "%s: %s %#llx: no such value in the encoding %s, for which the program is linked; if its objects have "
      "the other one, link with upcc --encoding %s",
      function, what, value, linked(), other());
  upcri_gupc_fatal(text);
}

}  // namespace

namespace gupc {

int flags_1_3(const char* function, int flags) {
  const int known = is_2012() ? 15 : kIn | kOut;
  const int now = is_2012() ? upcri_flags_2_20(flags) : flags;  // the four flags of 2012 are those of 2.20
  if ((flags & ~known) != 0 || !at_most_one(now & kIn) || !at_most_one(now & kOut))
    refuse(function, "the flags", static_cast<unsigned>(flags));
  return upcri_flags_complete(now);
}

unsigned long long op_1_3(const char* function, unsigned long long op) {
  op = static_cast<unsigned>(op);  // some compilers pass an int, and the upper half is undefined
  if (!is_2012()) return op;
  if (op > 10) refuse(function, "the operator", op);
  return op < 9 ? 1ULL << op : 1ULL << (op + 7);
}

}  // namespace gupc
