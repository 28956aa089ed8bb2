// SPDX-License-Identifier: BSD-3-Clause
// upc_forall arithmetic against the definition: the first k that the thread runs, by trying every k.
#include "upcr/pointer/forall.hpp"

#include <gtest/gtest.h>

#include <climits>

#include "include/upcr/forall.h"

namespace {

int by_definition(int start, long step, long lo, long scale, long threads, long me) {
  for (long k = 0; k <= threads; ++k) {
    const long thread = ((start + k * step * scale) % threads + threads) % threads;
    if (thread != me) continue;
    const long value = lo + k * step;
    if (value < INT_MIN || value > INT_MAX) break;
    return static_cast<int>(value);
  }
  return step < 0 ? INT_MIN : INT_MAX;
}

TEST(Forall, FirstValueIsTheDefinitionsForSmallNumbers) {
  for (int threads = 1; threads <= 7; ++threads)
    for (int me = 0; me < threads; ++me)
      for (int step = -9; step <= 9; ++step)
        for (int scale = -3; scale <= 4; ++scale)
          for (int start = -8; start <= 8; ++start)
            for (int lo : {-5, 0, 3})
              ASSERT_EQ(upcr::forall_start(start, step, lo, scale, threads, me),
                        by_definition(start, step, lo, scale, threads, me))
                  << "start " << start << " step " << step << " lo " << lo << " scale " << scale << " thread "
                  << me << " of " << threads;
}

TEST(Forall, FirstValueAtTheEndsOfInt) {
  for (int threads : {2, 3, 1000, 1024})
    for (int me : {0, 1, threads / 2, threads - 1})
      for (int step : {1, -1, 7, INT_MAX, INT_MIN})
        for (int scale : {1, -1, INT_MAX, INT_MIN})
          for (int start : {0, -1, INT_MIN, INT_MAX})
            for (int lo : {0, INT_MAX - 2, INT_MIN + 2}) {
              // The definition's k * step * scale overflows here: reduce the factors first.
              const long s = ((long{step} % threads) * (scale % threads)) % threads;
              int expected = step < 0 ? INT_MIN : INT_MAX;
              for (long k = 0; k < threads; ++k) {
                const long thread = ((start + k * s) % threads + threads) % threads;
                if (thread != me) continue;
                const long value = lo + k * step;
                if (value >= INT_MIN && value <= INT_MAX) expected = static_cast<int>(value);
                break;
              }
              ASSERT_EQ(upcr::forall_start(start, step, lo, scale, threads, me), expected)
                  << start << " " << step << " " << lo << " " << scale << " " << me << "/" << threads;
            }
}

TEST(Forall, EachValueHasOneThread) {
  constexpr int kThreads = 6;
  for (int v = 10; v < 10 + 3 * kThreads; v += 3) {
    int owners = 0;
    for (int me = 0; me < kThreads; ++me) {
      // Thread me runs first, first + 3 * period, ...
      const int first = upcr::forall_start(4, 3, 10, 1, kThreads, me);
      const int period = 3 * kThreads / upcrt_gcd(3, kThreads);
      if (first != INT_MAX && v >= first && (v - first) % period == 0) ++owners;
    }
    EXPECT_EQ(owners, 1) << v;
  }
}

TEST(Forall, Gcd) {
  EXPECT_EQ(upcrt_gcd(12, 18), 6);
  EXPECT_EQ(upcrt_gcd(-12, 18), 6);
  EXPECT_EQ(upcrt_gcd(0, -7), 7);
  EXPECT_EQ(upcrt_gcd(0, 0), 0);
}

}  // namespace
