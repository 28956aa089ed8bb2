// SPDX-License-Identifier: BSD-3-Clause
// Loops whose iterations the C compiler is told to be independent: no iteration may access memory that
// another one writes.
#include <gtest/gtest.h>

#include <string>

#include "tests/upc2c/support/loop_remarks.hpp"

namespace {

TEST(Independent, DifferentArraysAndOneElement) {
  EXPECT_TRUE(is_told_independent("for (i = 0; i < 90; i++) w[i] = 3 * v[i];"));
  EXPECT_TRUE(is_told_independent("for (i = 89; i > 0; i -= 2) w[i] = v[90 - i] + v[i];"));
  EXPECT_TRUE(is_told_independent("upc_forall (i = 0; i < 90; i++; i) a[i] = b[i];"));
  EXPECT_TRUE(is_told_independent("upc_forall (i = 0; i < 90; i++; &x[i]) x[i] += y[i];"));
  EXPECT_TRUE(is_told_independent("upc_forall (i = 0; i < 90; i++; i) { st[i].k += b[i]; a[i] = 1; }"));
}

TEST(Independent, ElementsOfOtherIterations) {
  for (const char* body : {"w[i] = w[i - 1] + v[i];", "w[i - 1] = w[i];", "w[i] = w[90 - i];", "w[i] = w[0];",
                           "w[2 * i] = w[i];", "w[i] = v[i]; w[i + 1] = 2;", "w[i] = v[i] + *(w + i - 1);",
                           "w[0] += v[i];", "w[i] = (&w[0])[i + 1];", "w[i / 2] = v[i];", "w[v[i]] = v[i];"})
    EXPECT_FALSE(is_told_independent(std::string("for (i = 1; i < 40; i++) { ") + body + " }")) << body;
}

TEST(Independent, PointersMayBeOfTheSameArray) {
  for (const char* body :
       {"w[i] = p[i];", "p[i] = w[i];", "p[i] = p[i + 1];", "w[i] = v[i] + *ip;", "w[i] = v[i]; *ip = 2;",
        "w[i] = v[i] + ip[i];", "w[i] = ((shared [] int *)&v[0])[i];"})
    EXPECT_FALSE(is_told_independent(std::string("for (i = 1; i < 40; i++) { ") + body + " }")) << body;
}

TEST(Independent, OtherEffects) {
  for (const char* body :
       {"flag = v[i]; w[i] = v[i];", "w[i] = v[i] + f(i);", "w[i] = v[i]; g();", "w[i] = v[i]; upc_fence;",
        "if (v[i]) break; w[i] = v[i];", "w[i] = v[i] + sn;", "sa[i] = 2; w[i] = v[i];",
        "w[i] = v[i]; st[i].bits = 1;", "w[i] = v[i] > 3;"})  // what decides something is read once
    EXPECT_FALSE(is_told_independent(std::string("for (i = 1; i < 40; i++) { ") + body + " }")) << body;
  EXPECT_FALSE(
      is_told_independent("int *to = &c; for (i = 1; i < 40; i++) { c += v[i]; w[i] = c; } ip = to;"));
}

}  // namespace
