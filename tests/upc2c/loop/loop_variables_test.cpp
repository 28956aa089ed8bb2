// SPDX-License-Identifier: BSD-3-Clause
// Elements and variables of loops that are transformed: copies of runs, single elements, variables and
// pointers that iterations step, bounds that may change.
#include <gtest/gtest.h>

#include <string>

#include "tests/upc2c/support/loop_remarks.hpp"

namespace {

// A value that every iteration reads is fetched before the loop; one that every iteration writes is written
// behind it.
TEST(LoopVariables, Copies) {
  const auto loop = [](const std::string& body) {
    return remarks("for (i = 0; i < 90; i++) { " + body + " }");
  };
  const std::string copied = "private where mapped, else copied: ";
  EXPECT_EQ(loop("w[i] = 2 * v[i]; sum += p[i + 1];"), copied + "'w[i]', 'v[i]', 'p[i + 1]'");
  EXPECT_EQ(loop("w[i] += 3; v[i]++; *ip = w[i];"), copied + "'w[i]', 'v[i]'");
  EXPECT_EQ(loop("if (w[i] > 3) c += v[i] && w[i];"),
            copied + "'w[i]'; " + general_where_far("not every iteration accesses them") + "'v[i]'");
  EXPECT_EQ(loop("if (v[i]) c++; else { w[i] = 3; }"),
            copied + "'v[i]'; " + general_where_far("not every iteration accesses them") + "'w[i]'");
  EXPECT_EQ(loop("if (w[i] < 0) w[i] = 0;"), general_where_far("not every iteration writes them") + "'w[i]'");
  EXPECT_EQ(loop("c += i < 5 ? w[i] : v[i];"),
            general_where_far("not every iteration accesses them") + "'w[i]', 'v[i]'");
  EXPECT_EQ(loop("c += c > 3 || w[i];"), general_where_far("not every iteration accesses them") + "'w[i]'");
  EXPECT_EQ(loop("c += sizeof(int[({ w[i]; 3; })]);").find(copied), std::string::npos);
  EXPECT_EQ(loop("if (c) continue; w[i] = 3;"),
            general_where_far("not every iteration accesses them") + "'w[i]'");
  EXPECT_EQ(loop("switch (c) { case 1: w[i] = 3; }"),
            general_where_far("not every iteration accesses them") + "'w[i]'");
  EXPECT_EQ(loop("w[i] = f(v[i]);"), general_where_far(kCalls) + "'w[i]', 'v[i]'");
  EXPECT_EQ(loop("c += w[v[i]];").substr(0, copied.size() + 6), copied + "'v[i]'");
  EXPECT_EQ(loop("w[v[i]] = 3;").find(general_where_far(kOthers) + "'v[i]'; "), 0u);
  EXPECT_EQ(loop("v[i] = a[i];").find(general_where_far(kOthers) + "'v[i]'; "), 0u);
  EXPECT_EQ(loop("sum += v[i] * a[i];").find(copied + "'v[i]'; "), 0u);
  EXPECT_EQ(loop("w[v[3]] = v[i];").find(general_where_far(kOthers) + "'v[3]', 'v[i]'; "), 0u);
}

// Elements that are the same in every iteration.
TEST(LoopVariables, OneElement) {
  const std::string copied = "private where mapped, else copied: ";
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) w[3] += v[i];"), copied + "'w[3]', 'v[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) sn += c;"), copied + "'sn'");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9 * THREADS; i++; &x[i]) a[MYTHREAD] += x[i];"),
            "iterations by owner; private: 'a[MYTHREAD]', 'x[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) if (v[i]) w[3] = 1;"),
            copied + "'v[i]'; " + general_where_far("not every iteration accesses them") + "'w[3]'");
  EXPECT_EQ(remarks("while (w[3] == 0) ;"), "");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { w[3] = 1; upc_fence; }"),
            general("it has strict accesses, barriers, fences, locks or asm"));
}

TEST(LoopVariables, VariablesThatMayChange) {
  const std::string body = " w[i] = 0; }";
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { if (c) i++;" + body),
            general("the body changes the variable of the loop"));
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { ({ i = 3; });" + body),
            general("the body changes the variable of the loop"));
  EXPECT_EQ(remarks("int *r = &i; for (i = 0; i < 9; i++) { ++*r;" + body),
            general("the address of the variable of the loop is taken"));
  EXPECT_EQ(remarks("volatile int k; for (k = 0; k < 9; k++) w[k] = 0;"),
            general("the variable of the loop is volatile, atomic or shared"));
  const std::string global =
      general("the variable of the loop is a global one, which calls or stores through pointers may change");
  EXPECT_EQ(remarks("static int k; for (k = 0; k < 9; k++) { w[k] = 0; g(); }"), global);
  EXPECT_EQ(remarks("for (n = 0; n < 9; n++) { w[n] = 0; *ip = 0; }"), global);
  EXPECT_EQ(remarks("for (n = 0; n < 9; n++) w[n] = 0;"), "private where mapped, else copied: 'w[n]'");
  EXPECT_EQ(remarks("short k; for (k = 0; k < 9; k++) w[k] = 0;"),
            general("the variable of the loop has another type than int, long and their unsigned forms"));
}

// Variables that every iteration steps, beside the loop's.
TEST(LoopVariables, VariablesBeside) {
  const std::string copied = "private where mapped, else copied: ",
                    linear = "' stays general: its index is not linear in the variable of the loop";
  EXPECT_EQ(remarks("for (i = 0, j = c; i < 9; i++, j--) w[i] = v[j];"), copied + "'w[i]', 'v[j]'");
  EXPECT_EQ(remarks("for (l = 3, i = 0; i < 9; l += 2, i++) w[l + i] = 1;"), copied + "'w[l + i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { w[j] = 1; j += 2; w[j] = 2; }"), copied + "'w[j]', 'w[j]'");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) w[j++] = v[i];"), copied + "'w[j++]', 'v[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++, sum *= 2) w[i] = 1;"), copied + "'w[i]'");
  const auto stays = [&](const std::string& loop) { return remarks(loop).find(linear) != std::string::npos; };
  EXPECT_TRUE(stays("for (i = 0; i < 9; i++) { v[i] = 1; if (c) j++; w[j] = 1; }"));
  EXPECT_TRUE(stays("for (i = 0; i < 9; i++) { v[i] = 1; w[j] = 1; if (c) j++; }"));
  EXPECT_TRUE(stays("for (i = 0; i < 9; i++) { v[i] = 1; w[j] = 1; j++; j *= 2; }"));
  EXPECT_TRUE(stays("for (i = 0; i < 9; i++) { v[i] = 1; w[j] = 1; j += c; }"));
  EXPECT_TRUE(stays("for (i = 0; i < 9; i++) { v[i] = 1; w[j] = 1; if (c) continue; j++; }"));
  EXPECT_TRUE(stays("int *r = &j; for (i = 0; i < 9; i++, j++) { v[i] = 1; w[j] = 1; ++*r; }"));
  EXPECT_TRUE(stays("for (i = 0; i < 9; i++, u++) { v[i] = 1; w[u] = 1; }"));
  EXPECT_TRUE(stays("static int k; for (i = 0; i < 9; i++, k++) { v[i] = 1; w[k] = 1; }"));
  EXPECT_EQ(remarks("for (i = 0; i < j; i++, j--) w[i] = v[j];"),
            general("its bound may change, or has effects"));
}

// Pointers-to-shared that walk through an array.
TEST(LoopVariables, WalkingPointers) {
  const std::string copied = "private where mapped, else copied: ";
  EXPECT_EQ(remarks("for (p = w; p < w + 90; p++) sum += *p;"), copied + "'*p'");
  EXPECT_EQ(remarks("for (p = &w[9]; p >= w; --p) p[0] = p[1];"), copied + "'p[0]', 'p[1]'");
  EXPECT_EQ(remarks("for (shared [] int *r = w; r != p; r++) *r = 3;"), copied + "'*r'");
  EXPECT_EQ(remarks("for (q = x; q < x + c; q += 2) sum += *q;"), copied + "'*q'");
  EXPECT_EQ(remarks("for (i = 0; i < c; i++) sum += *p++;"), copied + "'*p++'");
  EXPECT_EQ(remarks("for (i = 0; i < c; i++) *p++ = *q++;"), copied + "'*p++', '*q++'");
  EXPECT_EQ(remarks("for (i = 0; i < c; i++, p += 3) sum += p[i];"), copied + "'p[i]'");
  EXPECT_EQ(remarks("shared int *r; for (r = &a[MYTHREAD]; r < a + 90; r += THREADS) *r = 0;"),
            copied + "'*r'");
  EXPECT_EQ(remarks("shared int *r; upc_forall (r = a; r < a + 90; r++; r) *r = 0;"),
            "iterations by owner; private: '*r'");
  EXPECT_EQ(remarks("upc_forall (q = x; q < x + 80 * THREADS; q++; q) *q = 0;"),
            "iterations by owner; private: '*q'");
  EXPECT_EQ(remarks("shared int *r; for (r = a; r < a + 90; r++) sum += *r;"),
            general("its elements are of several threads"));
  EXPECT_EQ(remarks("for (i = 0; i < c; i++) if (*p++) break;"),
            general("a pointer that it steps is used in other ways, too"));
  EXPECT_EQ(remarks("shared [] int *r = 0; for (i = 0; i < c; i++) { sum += *p++; r = p; } (void)r;"),
            general("a pointer that it steps is used in other ways, too"));
  EXPECT_EQ(remarks("for (p = w; p < p + 90; p++) sum += *p;"),
            general("its bound may change, or has effects"));
  EXPECT_EQ(remarks("for (; p != 0; p++) *p = 0;"), general("its bound may change, or has effects"));
  EXPECT_EQ(remarks("for (p = w; p > w + 9; p++) *p = 0;"), general("its steps may pass the bound"));
  EXPECT_EQ(remarks("for (p = w; p < w + 9; p++) { *p = 0; p++; }"),
            general("the body changes the variable of the loop"));
}

// while (n--): others stay without a remark.
TEST(LoopVariables, CountedDown) {
  const std::string copied = "private where mapped, else copied: ";
  EXPECT_EQ(remarks("while (c--) *p++ = *q++;"), copied + "'*p++', '*q++'");
  EXPECT_EQ(remarks("while (z-- > 0) w[z] = v[z];"), copied + "'w[z]', 'v[z]'");
  EXPECT_EQ(remarks("while (0 < (c)) { c--; w[c] = 1; }"), "");
  EXPECT_EQ(remarks("while (c-- != j) sum += *p++;"), copied + "'*p++'");
  EXPECT_EQ(remarks("while (c-- && j) *p++ = 0;"), "");
  EXPECT_EQ(remarks("while (c--) { *p++ = 0; c--; }"), "");
  EXPECT_EQ(remarks("while (c-- > j) { *p++ = 0; j++; }"), "");
  EXPECT_EQ(remarks("while (sn--) *p++ = 0;"), "");
  EXPECT_EQ(remarks("while (c--) { *p++ = 0; upc_fence; }"), "");
  EXPECT_EQ(remarks("while (c-- < 0) *p++ = 0;"), "");
}

TEST(LoopVariables, BoundsThatMayChange) {
  const std::string reason = general("its bound may change, or has effects");
  EXPECT_EQ(remarks("for (i = 0; i < f(9); i++) w[i] = 0;"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < c--; i++) w[i] = 0;"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < c; i++) { w[i] = 0; c = 4; }"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < sn; i++) { w[i] = 0; sn--; }"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < n; i++) { w[i] = 0; g(); }"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < n; i++) { w[i] = 0; *ip = 3; }"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < n; i++) w[i] = 0;"), "private where mapped, else copied: 'w[i]'");
  EXPECT_EQ(remarks("int k = 9, *r = &k; for (i = 0; i < k; i++) { w[i] = 0; g(); (void)r; }"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < 90 / c; i++) w[i] = 0;"), reason);
}

TEST(LoopVariables, BoundsAndOffsetsThatStay) {
  const std::string copied = "private where mapped, else copied: ";
  EXPECT_EQ(remarks("for (i = 0; i < c / THREADS; i++) w[i] = 0;"), copied + "'w[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < (c + THREADS - 1) / THREADS; i++) w[i + c % THREADS] = 0;"),
            copied + "'w[i + c % THREADS]'");
  EXPECT_EQ(remarks("for (i = 0; i < 1 << 4; i++) w[i] = 0;"), copied + "'w[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < c >> 2; i++) w[i] = 0;"), copied + "'w[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < (MYTHREAD == 0 ? c : 9); i++) w[i] = 0;"), copied + "'w[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < (int)(sizeof w / sizeof *w); i++) w[i] = 0;"), copied + "'w[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 90 / MYTHREAD; i++) w[i] = 0;"),
            general("its bound may change, or has effects"));
  EXPECT_EQ(remarks("for (i = 0; i < 1 << c; i++) w[i] = 0;"),
            general("its bound may change, or has effects"));
  EXPECT_EQ(remarks("for (i = 0; i < (c ? f(1) : 9); i++) w[i] = 0;"),
            general("its bound may change, or has effects"));
}

}  // namespace
