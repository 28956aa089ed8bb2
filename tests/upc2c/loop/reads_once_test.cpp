// SPDX-License-Identifier: BSD-3-Clause
// Shared objects that a loop reads once, as -Rupc reports them; and those that it reads in each iteration,
// and why.
#include <gtest/gtest.h>

#include <string>

#include "tests/upc2c/support/loop_remarks.hpp"
#include "tests/upc2c/support/lowered.hpp"

namespace {

std::string once(const std::string& statement, int level = 2) {
  return read_remarks("read once for the loop: ", statement, level);
}
std::string each(const std::string& statement) {
  return read_remarks("read in each iteration: ", statement, 2);
}

const char* const kWaits = "the loop may wait for it";

TEST(ReadsOnce, Bounds) {
  EXPECT_EQ(once("for (i = 0; i < sn; i++) w[i] = 0;"), "'sn'");
  EXPECT_EQ(once("for (i = 0; i < sn; i++) w[i] = 0;", 1), "");
  EXPECT_EQ(remarks("for (i = 0; i < sn; i++) w[i] = 0;"), "private where mapped, else copied: 'w[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < sn; i++) w[i] = sn;"),
            "private where mapped, else copied: 'w[i]', 'sn'");
  EXPECT_EQ(once("for (i = sn; i >= a[c]; i--) w[i] = 0;"), "'a[c]'");
  EXPECT_EQ(once("upc_forall (i = 0; i < sn; i++; &a[i]) a[i] = 0;"), "'sn'");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < sn; i++; &a[i]) a[i] = 0;"),
            "iterations by owner; private: 'a[i]'");
  EXPECT_EQ(once("upc_forall (i = 0; i < sn; i++; &a[i]) a[i] = 0;", 1), "");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < sn; i++; &a[i]) a[i] = 0;", 1),
            general("its bound may change, or has effects"));
  EXPECT_EQ(once("while (i < sn) i++;"), "");
  // It ends by itself, also where something else may end it.
  EXPECT_EQ(once("for (i = 0; i < sn; i++) if (w[i]) break;"), "'sn'");
  // What the loop changes.
  EXPECT_EQ(once("for (i = 0; i < sn; i++) { w[i] = 0; sn = 3; }"), "");
  EXPECT_EQ(once("for (i = 0; i < a[j]; i++) { w[i] = 0; j = 3; }"), "");
  EXPECT_EQ(once("for (i = 0; i < a[i]; i++) w[i] = 0;"), "");
  EXPECT_EQ(once("for (i = 0; i < *p; i++) w[i] = 0;"), "");
  EXPECT_EQ(once("for (i = 0; i < sn; i++) { w[i] = 0; g(); }"), "");
  EXPECT_EQ(once("for (i = 0; i < sn; i++) { w[i] = 0; upc_fence; }"), "");
  EXPECT_EQ(once("for (i = 0; i < sn; i++) { w[i] = 0; *ip = 1; }"), "");
  EXPECT_EQ(once("for (i = 0; i < sa[0]; i++) w[i] = 0;"), "");
  EXPECT_EQ(once("for (i = 0; i < vol[0]; i++) w[i] = 0;"), "");
}

TEST(ReadsOnce, InBodies) {
  EXPECT_EQ(once("while (i < 9) { i += 2; j += a[c]; }"), "'a[c]'");
  EXPECT_EQ(once("do { i += 2; j += a[c] * sn; } while (i < 9);"), "'a[c]', 'sn'");
  EXPECT_EQ(once("while (i < 9) { i += 2; j += st[c].k + st[c].k; }"), "'st[c].k'");
  EXPECT_EQ(once("while (i < 9) { i += 2; if (c) j += sn; }"), "'sn'");
  EXPECT_EQ(once("for (i = 0; i < 9; i++) { j += sn; for (c = 0; c < 3; c++) sum += c; }"), "'sn'");
  // Of a loop in it that is read once there.
  EXPECT_EQ(once("while (i < 9) { i += 2; for (j = 1; j < 9; j *= 2) sum += sn; }"), "'sn'");
  EXPECT_EQ(once("while (i < 9) { i += 2; j += a[i]; }"), "");
  EXPECT_EQ(once("while (i < 9) { int k = i; i += 2; j += a[k]; }"), "");
  EXPECT_EQ(once("while (i < 9) { i += 2; p++; j += *p; }"), "");
  EXPECT_EQ(once("while (i < 9) { i += 2; j += sizeof(sn); }"), "");
  EXPECT_EQ(once("while (c-- > (j = i)) sum += a[j];"), "");
  EXPECT_EQ(once("while (i < 9) { i += 2; sum += st[c].d[0] * st[c].d[1]; }"), "'st[c].d[0]', 'st[c].d[1]'");
  EXPECT_EQ(once("for (i = 0; i < 9; i++) { if (c) c = a[i]; else for (l = 9; l; l--) sum += l; }"), "");
}

TEST(ReadsOnce, WaitsForAnotherThread) {
  EXPECT_EQ(each("while (!sn) ;"), std::string("'sn': ") + kWaits);
  EXPECT_EQ(each("do ; while (!a[c]);"), std::string("'a[c]': ") + kWaits);
  EXPECT_EQ(each("for (; !sn; ) ;"), std::string("'sn': ") + kWaits);
  for (const char* const waits : {"while (!sn) ;",
                                  "do c = sn; while (!c);",
                                  "while (1) if (sn) break;",
                                  "for (;;) { if (sn) return; }",
                                  "while (!c) { j = sn; c = j; }",
                                  "while (!c) c |= sn;",
                                  "while (!c) { int k = sn; c = k; }",
                                  "while (c < 9) c += sn;",
                                  "while (!c) { if (sn) c = 1; }",
                                  "while (!c) c = sn ? 1 : 0;",
                                  "while (!c) sn && (c = 1);",
                                  "while (!c) sn ? (c = 1) : 0;",
                                  "while (1) { j = sn; while (j) return; }",
                                  "while (1) { j = sn; for (i = 0; i < j; i++) return; }",
                                  "while (1) { j = sn; do { if (c++ > 3) return; } while (j); }",
                                  "while (!v[0]) v[0] = sn;",
                                  "while (!j) { v[0] = sn; j = v[0]; }",
                                  "int t[2] = {0}; while (!t[0]) t[1 - 1] = sn;",
                                  "int *r = &c; while (!*r) c = sn;",
                                  "while (!computes_global_of(2)) sink = sn;",
                                  "while (1) switch (sn) { case 1: return; }",
                                  "for (i = 0; i < 9; i++) if (sn) break;",
                                  "while (n - sn) ;",
                                  "int t[2] = {0}; while (!t[1]) t[sn]++;",
                                  "int t[2] = {0}; do --t[sn]; while (!t[1]);",
                                  "while (!v[1]) ++v[sn];",
                                  "while (c) { int t[sn + 1]; c = sizeof t < 8; }",
                                  "while (c) { typedef int t[sn + 1]; c = sizeof(t) < 8; }",
                                  "while (c) { int (*t)[sn + 1] = 0; c = sizeof *t < 8; }",
                                  "for (i = 0; i < 9; i += sn) ;"})
    EXPECT_EQ(once(waits), "") << waits;
  // Nothing that it reads decides when the loop ends.
  EXPECT_EQ(once("while (i < 9) { i += 2; if (sn) j++; }"), "");  // not told apart
  EXPECT_EQ(once("while (i < 9) { i += 2; j = sn; sum += j; }"), "'sn'");
  EXPECT_EQ(once("for (i = 0; i < 90; i++) { if (sn) j++; for (c = 0; c < 9; c++) sum += c; }"), "'sn'");
}

TEST(ReadsOnce, WhatMayChangeIt) {
  const std::string loop = "while (i < 9) { i += 2; j += a[c]; ", store = "'a[c]': a store may be to it";
  EXPECT_EQ(each(loop + "}"), "");
  EXPECT_EQ(each(loop + "a[i] = 1; }"), store);
  EXPECT_EQ(each(loop + "a[i]++; }"), store);
  EXPECT_EQ(each(loop + "*p = 1; }"), store);
  EXPECT_EQ(each(loop + "b[i] = 1; }"), "");
  EXPECT_EQ(each(loop + "for (; j; j--) a[j] = 1; }"), store);
  EXPECT_EQ(each(loop + "*ip = 1; }"), "'a[c]': a store through a pointer may be to it, or to what names it");
  EXPECT_EQ(each(loop + "g(); }"), "'a[c]': the loop calls functions");
  EXPECT_EQ(each(loop + "j = computes(2); }"), "");
  EXPECT_EQ(each(loop + "waits(); }"), "'a[c]': the loop calls functions");
  EXPECT_EQ(each(loop + "__attribute__((cleanup(stores))) int k = 0; }"),
            "'a[c]': the loop has strict accesses, barriers, fences, locks or asm");
  EXPECT_EQ(each(loop + "int k __attribute__((__cleanup__(stores))) = 0; }"),
            "'a[c]': the loop has strict accesses, barriers, fences, locks or asm");
  EXPECT_EQ(each(loop + "in: ; } goto in;"), "'a[c]': a label in the loop may be jumped to");
  for (const char* const orders :
       {"upc_fence;", "upc_barrier;", "upc_notify; upc_wait;", "sa[0] = 1;", "j = sa[0];", "__asm__(\"\");"})
    EXPECT_EQ(each(loop + orders + " }"),
              "'a[c]': the loop has strict accesses, barriers, fences, locks or asm")
        << orders;
  // Another read of it that stays is not followed by an older value.
  EXPECT_EQ(each("while (i < 9) { i += 2; j += st[c].k; for (; j; j--) sum += st[c].k; }"),
            "'st[c].k': another read of it is not done once");
  EXPECT_EQ(each("while (i < 9) { i += 2; j += st[c].k; struct s t = st[c]; sum += t.k; }"),
            "'st[c].k': another read of it is not done once");
}

TEST(ReadsOnce, HiddenControl) {
  EXPECT_EQ(once("jmp_buf k; if (setjmp(k)) return; while (i < 9) { i += 2; j += sn; }"), "");
  EXPECT_EQ(once("\n#pragma GCC ivdep\nwhile (i < 9) { i += 2; j += sn; }"), "");
  EXPECT_EQ(once("j = ({ while (i < 9) { i += 2; j += sn; } j; });"), "");
}

TEST(ReadsOnce, Text) {
  const auto text = [](const std::string& statement) {
    upc2c::TranslateOptions options;
    options.lower.loops.level = 2;
    return lowered("shared int c[10 * THREADS]; int i, j; shared [] int *p;", statement, options);
  };
  EXPECT_EQ(
      text("while (i < 9) { i += 2; if (i > 3) j += c[3]; }"),
      "{ int value_1 = {0}; char is_read_2 = 0; while (i < 9) { i += 2; if (i > 3) j += "
      "UPC2C_ONCE(value_1, is_read_2, ((int)upcr_get_pshared_val(upcr_add_pshared1(c, sizeof(int), 3), 0, "
      "sizeof(int)))); } }");
  EXPECT_EQ(text("while (i < 9) { i += 2; p++; }").find("is_read"), std::string::npos);
}

// What finds them takes time for each.
TEST(ReadsOnce, AtMostSixteenObjects) {
  std::string loop = "while (i < 9) { i += 2; ", names;
  for (int k = 0; k < 20; k++) {
    const std::string name = "a[" + std::to_string(k) + "]";
    loop += "j += " + name + "; ";
    if (k < 16) names += (names.empty() ? "'" : ", '") + name + "'";
  }
  EXPECT_EQ(once(loop + "}"), names);
}

}  // namespace
