// SPDX-License-Identifier: BSD-3-Clause
// Statements of UPC, and conditions and positions in all others.
#include <gtest/gtest.h>

#include "tests/upc2c/support/lowered.hpp"

namespace {

const char* const kDeclarations = R"(
shared int x, a[10*THREADS];
shared [4] int *p;
shared void *g;
int i, j;
unsigned long u;
void user(void);
)";

std::string lower(const std::string& statement, bool positions = false) {
  upc2c::TranslateOptions options;
  options.lower.source_positions = positions;
  return lowered(kDeclarations, statement, options);
}

TEST(Statements, BarriersAndFences) {
  EXPECT_EQ(lower("upc_barrier;"), "upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);");
  EXPECT_EQ(lower("upc_notify i + 1; upc_wait 3;"), "upcr_notify((int)(i + 1), 0); upcr_wait((int)3, 0);");
  EXPECT_EQ(lower("upc_wait;"), "upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);");
  EXPECT_EQ(lower("if (i) upc_fence; else upc_barrier 1.5;"),
            "if (i) upcr_poll(); else upcr_barrier((int)1.5, 0);");
}

TEST(Statements, PointersAsConditionsAreComparedWithNull) {
  EXPECT_EQ(
      lower("if (p) ; while (!p) ; for (; g; ) ; do ; while (p && i || g);"),
      "if ((!upcr_isnull_shared(p))) ; while (upcr_isnull_shared(p)) ; for (; (!upcr_isnull_shared(g)); ) ; do ; "
      "while ((!upcr_isnull_shared(p)) && i || (!upcr_isnull_shared(g)));");
  EXPECT_EQ(lower("i = p ? 1 : 2;"), "i = (!upcr_isnull_shared(p)) ? 1 : 2;");
}

TEST(Statements, WhatIsNotUpcIsCopied) {
  for (const char* text :
       {"if (i) j = 1; else user();", "for (int k = 0; k < 3; k++) { i += k; continue; }",
        "switch (i) { case 1 ... 3: break; default: goto out; } out: ;",
        "asm volatile (\"\" : \"+r\" (i) : : \"memory\");", "i = (j, ({ int t = 1; t; }));"})
    EXPECT_EQ(lower(text), text);
}

TEST(Foralls, WithoutAffinityArePlainLoops) {
  EXPECT_EQ(lower("upc_forall (i = 0; i < 9; i++; continue) user();"), "for (i = 0; i < 9; i++) user();");
  EXPECT_EQ(lower("upc_forall (;;;) user();"), lower("upc_forall (;;; continue) user();"));
}

TEST(Foralls, TestTheAffinityOfEachIteration) {
  EXPECT_EQ(count(lower("upc_forall (i = 0; i < 9; i++; i) a[i] = 0;"), "upc2c_has_affinity"), 1);
  EXPECT_EQ(count(lower("upc_forall (u = 0; u < 9; u++; u) a[u] = 0;"), "upc2c_has_affinity_unsigned"), 1);
  EXPECT_EQ(count(lower("upc_forall (; i < 9; i++; &a[i]) a[i] = 0;"), "upcr_hasMyAffinity_pshared"), 1);
  EXPECT_EQ(count(lower("upc_forall (; i < 9; i++; p + i) a[i] = 0;"), "upcr_hasMyAffinity_shared"), 1);
  EXPECT_EQ(count(lower("upc_forall (; i < 9; i++; g) a[i] = 0;"), "upcr_hasMyAffinity_shared"), 1);
}

TEST(Foralls, TheControlWordIsSetForBodiesThatMayHaveLoops) {
  const std::string calls = lower("upc_forall (; i < 9; i++; i) user();");
  EXPECT_EQ(count(calls, "upc2c_forall_enter"), 1) << calls;
  EXPECT_EQ(count(calls, "upc2c_in_forall"), 0) << calls;
  const std::string plain = lower("upc_forall (; i < 9; i++; i) a[i]++;");
  EXPECT_EQ(count(plain, "upc2c_forall_enter"), 0) << plain;
  EXPECT_EQ(count(plain, "upc2c_in_forall"), 1) << plain;
}

TEST(Foralls, LoopsInOneRunInFull) {
  const std::string text = lower(
      "upc_forall (i = 0; i < 9; i++; i) upc_forall (j = 0; j < 9; j++; j) a[j] = i; "
      "upc_forall (j = 0; j < 9; j++; j) a[j] = 1;");
  EXPECT_EQ(count(text, "upc2c_has_affinity"), 2) << text;
  EXPECT_EQ(count(text, "for"), 3) << text;
  const std::string inner =
      lower("upc_forall (i = 0; i < 9; i++; continue) upc_forall (j = 0; j < 9; j++; j) a[j] = i;");
  EXPECT_EQ(count(inner, "upc2c_has_affinity"), 1) << inner;
}

TEST(Statements, PositionsStandBeforeStatementsWithUpc) {
  EXPECT_EQ(count(lower("x = 1; i = 2; x = 3;", true), "UPCR_SET_SRCPOS"), 2);
  EXPECT_EQ(lower("if (i) x = 1; else i = 1;", true),
            "UPCR_SET_SRCPOS(\"test.upc\", 9); if (i) { UPCR_SET_SRCPOS(\"test.upc\", 9); "
            "upcr_put_pshared_val(x, 0, (upcr_register_value_t)(int)1, sizeof(int)); } else i = 1;");
  EXPECT_EQ(count(lower("label: x = 1; switch (i) { case 1: x = 2; }", true), "UPCR_SET_SRCPOS"), 3);
  EXPECT_EQ(count(lower("x = 1;"), "UPCR_SET_SRCPOS"), 0);
}

TEST(Statements, LongChainsOfElseIfDoNotNest) {
  std::string chain, expected;
  for (int k = 0; k < 10000; k++) {
    chain += "if (i == " + std::to_string(k) + ") x = 1; else ";
    expected += "if (i == " + std::to_string(k) +
                ") upcr_put_pshared_val(x, 0, (upcr_register_value_t)(int)1, sizeof(int)); else ";
  }
  EXPECT_EQ(lower(chain + "j = 1;"), expected + "j = 1;");
  EXPECT_EQ(count(lower("upc_forall (i = 0; i < 9; i++; i) " + chain + "user();"), "upc2c_forall_enter"), 1);
}

TEST(Conversions, BetweenKindsOfPointers) {
  const std::string declarations =
      "shared [4] int *four; shared [3] int *three; shared [4] char *bytes; shared int *one; shared [] int *none; "
      "shared void *g; int *local; int i; _Bool b; void take(shared void *, ...); shared [4] const int *readable;";
  const auto text = [&](const std::string& statement) { return lowered(declarations, statement); };
  EXPECT_EQ(text("g = four;"), "g = four;");
  EXPECT_EQ(text("four = g;"), "four = g;");
  EXPECT_EQ(text("readable = four;"), "readable = four;");
  EXPECT_EQ(text("four = (shared [4] int *)three;"), "four = upcr_shared_resetphase(three);");
  EXPECT_EQ(text("bytes = (shared [4] char *)four;"), "bytes = upcr_shared_resetphase(four);");
  EXPECT_EQ(text("one = (shared int *)four;"), "one = upcr_shared_to_pshared(four);");
  EXPECT_EQ(text("one = (shared int *)none;"), "one = none;");
  EXPECT_EQ(text("one = g;"), "one = upcr_shared_to_pshared(g);");
  EXPECT_EQ(text("g = one;"), "g = upcr_pshared_to_shared(one);");
  EXPECT_EQ(text("four = (shared [4] int *)none;"), "four = upcr_pshared_to_shared(none);");
  EXPECT_EQ(text("local = (int *)one;"), "local = ((int *)upcr_pshared_to_local(one));");
  EXPECT_EQ(text("b = four;"), "b = (!upcr_isnull_shared(four));");
  EXPECT_EQ(text("one = 0; g = (void *)0;"), "one = upcr_null_pshared; g = upcr_null_shared;");
  EXPECT_EQ(text("take(one, one, 0); take(0);"),
            "take(upcr_pshared_to_shared(one), one, 0); take(upcr_null_shared);");
  EXPECT_EQ(text("i = four == g; i = one != none;").substr(0, 3), "err");
  EXPECT_EQ(text("i = g != one;"), "i = (!upcr_isequal_shared_pshared(g, one));");
  EXPECT_EQ(text("i = 0 == one;"), "i = upcr_isnull_pshared(one);");
}

}  // namespace
