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

#ifdef SPTR_OPS_NAME  // in the two files that define one of them
namespace {
template <std::size_t elemsz, std::size_t blockelems>
constexpr SptrOps::Shape shape() {
  return {elemsz, blockelems,
          [](upcr_shared_ptr_t p, std::ptrdiff_t n) { return upcr_add_shared(p, elemsz, n, blockelems); },
          [](upcr_shared_ptr_t a, upcr_shared_ptr_t b) { return upcr_sub_shared(a, b, elemsz, blockelems); }};
}
// flatten: where nothing is inlined no compiler knows the step.
template <int step>
[[gnu::flatten]] upcr_shared_ptr_t add(upcr_shared_ptr_t p, std::size_t elemsz, std::size_t blockelems) {
  return upcr_add_shared(p, elemsz, step, blockelems);
}
template <int step>
[[gnu::flatten]] upcr_pshared_ptr_t add1(upcr_pshared_ptr_t p, std::size_t elemsz) {
  return upcr_add_pshared1(p, elemsz, step);
}
constexpr SptrOps::Shape kShapes[] = {shape<8, 2>(),     shape<4, 3>(),   shape<1, 5>(),    shape<24, 7>(),
                                      shape<8, 16>(),    shape<2, 100>(), shape<8, 1000>(), shape<4, 1024>(),
                                      shape<16, 4095>(), shape<8, 4096>()};
}  // namespace
const SptrOps SPTR_OPS_NAME = {upcr_add_shared,
                               upcr_inc_shared,
                               upcr_sub_shared,
                               upcr_add_pshared1,
                               upcr_inc_pshared1,
                               upcr_sub_pshared1,
                               upcr_add_psharedI,
                               upcr_inc_psharedI,
                               upcr_sub_psharedI,
                               _bupc_ptradd,
                               add<1>,
                               add<-1>,
                               add1<1>,
                               add1<-1>,
                               upcri_rounds,
                               kShapes,
                               sizeof kShapes / sizeof kShapes[0]};
#endif
