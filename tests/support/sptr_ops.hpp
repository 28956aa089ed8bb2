// SPDX-License-Identifier: BSD-3-Clause
// The inlined pointer arithmetic as a table of functions, so that one test can run both the debug and the
// release form: each is compiled in a file of its own, with block and element sizes as variables and, as in
// translated C, as constants. Test code only.
#pragma once
#include <cstddef>
#include <cstdint>

#include "include/upcr/sptr.h"

struct SptrOps {
  struct Shape {  // upcr_add_shared and upcr_sub_shared with these two as constants
    std::size_t elemsz, blockelems;
    upcr_shared_ptr_t (*add)(upcr_shared_ptr_t, std::ptrdiff_t);
    std::ptrdiff_t (*sub)(upcr_shared_ptr_t, upcr_shared_ptr_t);
  };
  upcr_shared_ptr_t (*add)(upcr_shared_ptr_t, std::size_t, std::ptrdiff_t, std::size_t);
  void (*inc)(upcr_shared_ptr_t*, std::size_t, std::ptrdiff_t, std::size_t);
  std::ptrdiff_t (*sub)(upcr_shared_ptr_t, upcr_shared_ptr_t, std::size_t, std::size_t);
  upcr_pshared_ptr_t (*add1)(upcr_pshared_ptr_t, std::size_t, std::ptrdiff_t);
  void (*inc1)(upcr_pshared_ptr_t*, std::size_t, std::ptrdiff_t);
  std::ptrdiff_t (*sub1)(upcr_pshared_ptr_t, upcr_pshared_ptr_t, std::size_t);
  upcr_pshared_ptr_t (*add_indefinite)(upcr_pshared_ptr_t, std::size_t, std::ptrdiff_t);
  void (*inc_indefinite)(upcr_pshared_ptr_t*, std::size_t, std::ptrdiff_t);
  std::ptrdiff_t (*sub_indefinite)(upcr_pshared_ptr_t, upcr_pshared_ptr_t, std::size_t);
  upcr_shared_ptr_t (*ptradd)(upcr_shared_ptr_t, std::size_t, std::size_t, std::ptrdiff_t);
  // By one element, which the compiler knows: add forward and back.
  upcr_shared_ptr_t (*next)(upcr_shared_ptr_t, std::size_t, std::size_t);
  upcr_shared_ptr_t (*back)(upcr_shared_ptr_t, std::size_t, std::size_t);
  upcr_pshared_ptr_t (*next1)(upcr_pshared_ptr_t, std::size_t);
  upcr_pshared_ptr_t (*back1)(upcr_pshared_ptr_t, std::size_t);
  int (*rounds)(upcr_thread_t, std::int64_t, std::int64_t*);
  const Shape* shapes;
  std::size_t shape_count;
};

extern const SptrOps kDebugOps, kReleaseOps;
extern const SptrOps kStaticOps;  // for kStaticThreads only
inline constexpr int kStaticThreads = 6;
