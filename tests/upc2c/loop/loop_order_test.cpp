// SPDX-License-Identifier: BSD-3-Clause
// Loops whose iterations must keep their order or their number: steps and conditions, jumps, affinities,
// loops in loops.
#include <gtest/gtest.h>

#include <string>

#include "tests/upc2c/support/loop_remarks.hpp"
#include "tools/upc2c/driver.hpp"

namespace {

TEST(LoopOrder, StepsAndConditions) {
  const std::string step = general("its step is not one of a variable by a constant"),
                    condition = general("its condition does not compare the variable of the loop"),
                    pass = general("its steps may pass the bound"),
                    sign = general("its condition compares a signed with an unsigned number");
  const std::string irregular = "private where the whole array is mapped: 'w[i]'";  // no run
  EXPECT_EQ(remarks("for (i = 0; i < 9; i += c) w[i] = 0;"), irregular);
  EXPECT_EQ(remarks("for (i = 1; i < 9; i *= 2) w[i] = 0;"), irregular);
  EXPECT_EQ(remarks("for (i = 0; i < 9; i += 0) w[i] = 0;"), irregular);
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++, j++; i) w[i] = 0;"), step);
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++, sn++) w[i] = 0;"), step);
  EXPECT_EQ(remarks("for (i = 0; i < 9 && c; i++) w[i] = 0;"), condition);
  EXPECT_EQ(remarks("for (i = 0; i + 1 < 9; i++) w[i] = 0;"), condition);
  EXPECT_EQ(remarks("for (i = 0; ; i++) w[i] = 0;"), condition);
  EXPECT_EQ(remarks("for (i = 9; i > 0; i++) w[i] = 0;"), pass);
  EXPECT_EQ(remarks("for (i = 0; i != 9; i += 3) w[i] = 0;"), pass);
  EXPECT_EQ(remarks("for (u = 0; u < 9; u += 2) w[u] = 0;"), pass);
  EXPECT_EQ(remarks("for (u = 9; u >= 0; u--) w[u] = 0;"), pass);
  EXPECT_EQ(remarks("for (u = 0; u <= 9; u++) w[u] = 0;"), pass);
  EXPECT_EQ(remarks("for (i = -1; i < sizeof(int); i++) w[i] = 0;"), sign);
  EXPECT_EQ(remarks("for (i = -1; i < u; i++) w[i] = 0;"), sign);
  EXPECT_EQ(remarks("for (u = 0; u < l; u++) w[u] = 0;"), sign);
}

TEST(LoopOrder, JumpsAndOrder) {
  const std::string left = general_where_far("break, goto or return may end the loop");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { if (w[i]) break; }"), left + "'w[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { if (w[i]) return; }"), left + "'w[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { if (w[i]) goto out; } out: ;"), left + "'w[i]'");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; i) { if (a[i]) return; }"),
            general("break, goto or return may leave it"));
  EXPECT_EQ(remarks("if (c) goto in; for (i = 0; i < 9; i++) { in: w[i] = 0; }"),
            general("a label in it may be jumped to"));
  EXPECT_EQ(remarks("switch (c) { case 0: for (i = 0; i < 9; i++) { case 1: w[i] = 0; } }"),
            general("a label in it may be jumped to"));
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { switch (i) { case 1: continue; default: break; } w[i] = 0; }"),
            general_where_far("not every iteration accesses them") + "'w[i]'");
  EXPECT_EQ(remarks("jmp_buf k; if (setjmp(k)) return; for (i = 0; i < 9; i++) w[i] = 0;"),
            general("its function calls setjmp or the like"));
  EXPECT_EQ(remarks("void *k[5]; if (__builtin_setjmp(k)) return; for (i = 0; i < 9; i++) w[i] = 0;"),
            general("its function calls setjmp or the like"));
  EXPECT_EQ(remarks("void h(void) { c++; } for (i = 0; i < c; i++) { w[i] = 0; h(); }"),
            general("its function has functions in it"));
  const std::string orders = general("it has strict accesses, barriers, fences, locks or asm");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { w[i] = 0; sa[i] = 1; }"), orders);
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { w[i] = 0; upc_fence; }"), orders);
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { w[i] = 0; upc_barrier; }"), orders);
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { w[i] = 0; __asm__(\"\" ::: \"memory\"); }"), orders);
  EXPECT_EQ(remarks("{\n#pragma upc strict\n for (i = 0; i < 9; i++) w[i] = 0; }"),
            general("no access in it goes through an array in equal steps"));
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { static int k; w[i] = k++; }"),
            "private where mapped, else copied: 'w[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) { static int k; if (c) w[i] = k++; }"),
            general("its body is too long, or declares what cannot stand twice"));
}

TEST(LoopOrder, AffinitiesThatStayGeneral) {
  const std::string linear = general("its affinity is not linear in the variable of the loop");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; f(i)) a[i] = 0;"), linear);
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; j++) a[i] = 0;"), linear);
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; i / 4) a[i] = 0;"), linear);
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; &a[v[i]]) a[i] = 0;"), linear);
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; j) { a[i] = 0; j = i; }"), linear);
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; q + i) { a[i] = 0; q++; }"), linear);
  EXPECT_EQ(remarks("upc_forall (z = 0; z < 9; z++; z - 3) a[z] = 0;"),
            general("its affinity is computed with unsigned numbers"));
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; &x[i * THREADS]) a[i] = 0;"),
            general("the distance of its affinities is no constant"));
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; i) { if (c) break; a[i] = 0; }"),
            general("break, goto or return may leave it"));
}

// The affinity of a loop in another one of the same function is ignored.
TEST(LoopOrder, NestedLoops) {
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; i) upc_forall (j = 0; j < 9; j++; j) { w[j] = i; }"),
            "iterations by owner; 'w[j]' stays general: its index is not linear in the variable of the loop\n"
            "private where mapped, else copied: 'w[j]'");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; continue) w[i] = 0;"),
            "private where mapped, else copied: 'w[i]'");
}

TEST(LoopOrder, OneLineOnly) {
  upc2c::TranslateOptions options;
  options.lower.file = "test.upc";
  options.lower.loops = {2, {4}};
  const std::string c = upc2c::translate(
                            "shared [] int w[9];\nvoid k(void) {\n  for (int i = 0; i < 9; i++) w[i] = 0;\n"
                            "  for (int i = 0; i < 8; i++) w[i] = 1; }\n",
                            options)
                            .c;
  EXPECT_NE(c.find("for (int i = 0; i < 9; i++)"), std::string::npos) << c;
  EXPECT_EQ(c.find("for (int i = 0; i < 8; i++)"), std::string::npos) << c;
}

}  // namespace
