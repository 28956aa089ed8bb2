// SPDX-License-Identifier: BSD-3-Clause
// The transformations of loops, as -Rupc reports them: iterations by owner, private accesses, and all that
// must stay general.
#include <gtest/gtest.h>

#include "tools/upc2c/driver.hpp"

namespace {

constexpr const char* kDeclarations =
    "typedef unsigned long size_t; typedef int jmp_buf[8]; int setjmp(jmp_buf); double sqrt(double);\n"
    "extern size_t upc_threadof(shared void *); int f(int); void g(void); int flag; int n; shared int sn;\n"
    "shared int a[90 * THREADS], b[90 * THREADS]; shared [8] int x[80 * THREADS], y[80 * THREADS];\n"
    "shared [] int w[100], v[100]; shared [2] int small[80 * THREADS]; strict shared int sa[90 * THREADS];\n"
    "shared [8] int m[10 * THREADS][8]; struct s { int k; unsigned bits : 3; double d[2]; };\n"
    "shared struct s st[90 * THREADS]; struct packed { char c; int k; } __attribute__((packed));\n"
    "shared struct packed pk[90 * THREADS]; volatile shared int vol[90 * THREADS];\n"
    "shared [4] int rows[9][8 * THREADS]; shared [8] int *gp; static int sink; int *ip;\n"
    "static int computes(int k) { int r = k, t[2] = {0}; for (; k > 0; k--) t[k & 1] += r; return t[0]; }\n"
    "static inline double computes_too(double d, int *p) { return d > *p ? d / 2 : computes(2) + sink; }\n"
    "static int counts(int k) { sink += k; return k; } static int stores(int *p) { return *p = 2; }\n"
    "static int reads(int k) { return sn + k; } static int calls(int k) { return f(k); } int computes_global(int k)\n"
    "{ return k; } static int recurs(int k) { return k > 0 ? recurs(k - 1) : 0; }\n"
    "static void waits(void) { upc_barrier; }\n";

upc2c::Translation translation(const std::string& statement, int level, long threads) {
  upc2c::TranslateOptions options;
  options.lower.file = "test.upc";
  options.lower.loops.level = level;
  options.check.threads = options.lower.threads = threads;
  options.warnings = {"-Rupc", "-w"};
  return upc2c::translate(
      std::string(kDeclarations) +
          "void tested(int c, shared [] int *p, shared [8] int *q) { int i = 0, j = 0;" +
          " unsigned u = 0; size_t z = 0; long l = 0; double sum = 0; (void)j; (void)u; (void)z; (void)l;\n" +
          statement + " }\n",
      options);
}

// The remark about the loops of a statement, without its place; one a line.
std::string remarks(const std::string& statement, int level = 2, long threads = 0) {
  const upc2c::Translation result = translation(statement, level, threads);
  if (result.errors != 0) return "error: " + result.messages;
  std::string out;
  for (std::size_t at = 0; (at = result.messages.find("remark: ", at)) != std::string::npos;) {
    at += 8;
    const std::size_t end = result.messages.find(" [-Rupc]", at);
    out += (out.empty() ? "" : "\n") + result.messages.substr(at, end - at);
  }
  return out;
}

// The table of a loop's runs: {size of an element, block size, bytes accessed, how}.
std::string runs(const std::string& statement) {
  const std::string text = translation(statement, 2, 0).c, begin = "] = {";
  const std::size_t table = text.find("upc2c_run_kind_t"), at = text.find(begin, table) + begin.size();
  return table == std::string::npos ? "" : text.substr(at, text.find("};", at) - at);
}

std::string general(const std::string& reason) { return "the loop stays general: " + reason; }

// Of runs that are not copied where they are not mapped.
std::string general_where_far(const std::string& reason) {
  return "private where mapped, else general (" + reason + "): ";
}
constexpr const char* kCalls = "the loop calls functions";
constexpr const char* kOthers = "other accesses of the loop may be of the same elements";

TEST(LoopPlan, OwnersOfCyclicArrays) {
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 90 * THREADS; i++; i) a[i] = b[i];"),
            "iterations by owner; private: 'a[i]', 'b[i]'");
  EXPECT_EQ(remarks("upc_forall (int k = 0; k < 90 * THREADS; k++; &a[k]) a[k] = 3 * b[k];"),
            "iterations by owner; private: 'a[k]', 'b[k]'");
  EXPECT_EQ(remarks("upc_forall (i = 80; i >= 4; i -= 3; 2 * i + 1) a[i]++;"),
            "iterations by owner; private: 'a[i]'");
  EXPECT_EQ(remarks("upc_forall (u = 0; u < 90; u++; &a[u]) a[u] = 1;"),
            "iterations by owner; private: 'a[u]'");
  EXPECT_EQ(remarks("upc_forall (z = 1; z < 90; z++; &a[z - 1]) a[z - 1] = 1;"),
            "iterations by owner; private: 'a[z - 1]'");
  EXPECT_EQ(remarks("upc_forall (l = 0; 90 != l; l = 1 + l; l) st[l].d[1] = l;"),
            "iterations by owner; private: 'st[l].d[1]'");
}

TEST(LoopPlan, OwnersOfBlocks) {
  EXPECT_EQ(remarks("upc_forall (i = 1; i < 80 * THREADS - 1; i++; &x[i]) y[i] = x[i - 1] + x[i + 1];"),
            "iterations by owner; private: 'y[i]', 'x[i - 1]', 'x[i + 1]'");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 10; i++; &w[i]) w[i] = v[i];"),
            "iterations by owner; private: 'w[i]', 'v[i]'");
  EXPECT_EQ(remarks("upc_forall (i = 9; i > 0; --i; q + 2 * i) q[2 * i] = 0;"),
            "iterations by owner; private: 'q[2 * i]'");
  EXPECT_EQ(
      remarks("upc_forall (i = 0; i < 10 * THREADS; i++; &m[i][0]) for (j = 0; j < 8; j++) m[i][j] = j;"),
      "iterations by owner; 'm[i][j]' stays general: its index is not linear in the variable of the loop\n"
      "private where mapped, else copied: 'm[i][j]'");
}

TEST(LoopPlan, PlainLoops) {
  EXPECT_EQ(remarks("for (i = 0; i < c; i++) p[i] = w[i + 1] + x[c - i];"),
            "private where mapped, else copied: 'p[i]', 'w[i + 1]', 'x[c - i]'");
  EXPECT_EQ(remarks("for (i = MYTHREAD; i < 90 * THREADS; i += THREADS) a[i] = i;"),
            "private where mapped, else copied: 'a[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) a[i * THREADS + MYTHREAD] = i;"),
            "private where mapped, else copied: 'a[i * THREADS + MYTHREAD]'");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) a[4 * i] = i;", 2, 4),
            "private where mapped, else copied: 'a[4 * i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) sum += rows[i][c] + x[8 * THREADS * i];"),
            "private where mapped, else copied: 'rows[i][c]', 'x[8 * THREADS * i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 2; i++) sum += x[32 * i + c] + y[i * 64];", 2, 4),
            "private where mapped, else copied: 'x[32 * i + c]', 'y[i * 64]'");
  EXPECT_EQ(remarks("for (i = 0; i < 2; i++) sum += x[16 * i];", 2, 4),
            general("its elements are of several threads"));
  EXPECT_EQ(
      remarks("upc_forall (i = 0; i < 9; i++; i) a[i] = rows[i][0] + m[i][1];"),
      "iterations by owner; private: 'a[i]', 'm[i][1]'; 'rows[i][0]' stays general: its elements are of "
      "several threads");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) sum += sqrt(p[i]);"), general_where_far(kCalls) + "'p[i]'");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) c += i;"), "");
}

// One test serves neighbours that are only read.
TEST(LoopPlan, Neighbours) {
  const std::string one = "{sizeof(int), 0, sizeof(int), 5}", written = "{sizeof(int), 0, sizeof(int), 6}, ";
  EXPECT_EQ(runs("for (i = 1; i < c; i++) w[i] = p[i - 1] + p[i + 1];"),
            written + "{sizeof(int), 0, 3 * sizeof(int), 5}");
  EXPECT_EQ(runs("for (i = c; i > 0; i--) w[i] = *(p + i) - p[1 + i + c] + p[i + (c - 2)];"),
            written + one + ", {sizeof(int), 0, 4 * sizeof(int), 5}");
  EXPECT_EQ(runs("for (i = 1; i < c; i++) w[i] = p[i] + p[i + 15];"),
            written + "{sizeof(int), 0, 16 * sizeof(int), 5}");
  const std::string apart = written + one + ", " + one;
  EXPECT_EQ(runs("for (i = 1; i < c; i++) w[i] = p[i] + p[i + 16];"), apart);
  EXPECT_EQ(runs("for (i = 1; i < c; i++) w[i] = p[i] + p[i + c];"), apart);
  EXPECT_EQ(runs("for (i = 1; i < c; i++) w[i] = p[i] + p[2 * i + 1];"), apart);
  EXPECT_EQ(runs("for (i = 1; i < c; i++) w[i] = p[i] + v[i + 1];"), apart);
  EXPECT_EQ(runs("for (i = 1; i < c; i++) p[i] = p[i + 1];"), written + one);
  // An element that only some iterations have is not accessed with the others.
  EXPECT_EQ(runs("for (i = 1; i < c; i++) w[i] = p[i] + (i > 3 ? p[i + 1] : 0);"),
            written + one + ", {sizeof(int), 0, sizeof(int), 1}");
  // Neighbours in blocks may be of two threads.
  EXPECT_EQ(runs("for (i = 1; i < c; i++) w[i] = x[i] + x[i + 1];"),
            written + "{sizeof(int), 8, sizeof(int), 5}, {sizeof(int), 8, sizeof(int), 5}");
}

TEST(LoopPlan, CalledFunctions) {
  const std::string copied = "private where mapped, else copied: 'p[i]'",
                    uncopied = general_where_far(kCalls) + "'p[i]'";
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) p[i] = computes(i);"), copied);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) sum += computes_too(p[i], ip);"), copied);
  for (const char* call : {"counts(i)", "stores(ip)", "calls(i)", "computes_global(i)", "recurs(i)", "f(i)"})
    EXPECT_EQ(remarks("for (i = 0; i < 90; i++) p[i] = " + std::string(call) + ";"), uncopied) << call;
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) p[i] = reads(i);"), uncopied);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) { p[i] = 2; waits(); }"), uncopied);
  // A global variable that the body may change bounds no loop.
  EXPECT_EQ(remarks("for (i = 0; i < n; i++) p[i] = computes(i);"), copied);
  EXPECT_EQ(remarks("for (i = 0; i < n; i++) p[i] = counts(i);"),
            general("its bound may change, or has effects"));
}

TEST(LoopPlan, IrregularAccesses) {
  const std::string whole = "private where the whole array is mapped: ";
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) a[i * i % 90] ^= i;"), whole + "'a[i * i % 90]'");
  EXPECT_EQ(remarks("for (i = 1; i < 90; i *= 2) q[ip[i]] = p[i & c];"), whole + "'q[ip[i]]', 'p[i & c]'");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) st[ip[i]].d[c & 1] += 2;"), whole + "'st[ip[i]].d[c & 1]'");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 90; i++; i) x[ip[i]] = 1;"),
            "iterations by owner; " + whole + "'x[ip[i]]'");
  // Of pointers that change, arrays with another order, and loops that others are more worth it.
  const std::string none = general("no access in it goes through an array in equal steps");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) { q[ip[i]] = 1; if (c > i) q++; }"), none);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) { q[ip[i]] = 1; upc_barrier; }"), none);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) { gp[ip[i]] = 1; g(); }"), none);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) vol[ip[i]] = 1;"), none);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) sa[ip[i]] = 1;"), none);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) c += (a[ip[i]] = 1);"), none);
}

TEST(LoopPlan, Levels) {
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; i) a[i] = 0;", 0), "");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; i) a[i] = 0;", 1), "iterations by owner");
  EXPECT_EQ(remarks("for (i = 0; i < 9; i++) w[i] = 0;", 1), "");
}

TEST(LoopPlan, AccessesThatStayGeneral) {
  const auto access = [](const std::string& statement) {
    const std::string text = remarks("for (i = 0; i < 90; i++) { w[i] = 1; " + statement + " }");
    const std::size_t runs = text.rfind("; '");
    return text.starts_with("private where mapped") && runs != std::string::npos ? text.substr(runs + 2)
                                                                                 : text;
  };
  EXPECT_EQ(access("c += a[i];"), "'a[i]' stays general: its elements are of several threads");
  EXPECT_EQ(access("c += w[i * i];"),
            "'w[i * i]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("c += w[v[i]];"),
            "'w[v[i]]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("c += small[i];"), "'small[i]' stays general: its elements are of several threads");
  EXPECT_EQ(access("c = v[i] = 3;"), "'v[i]' stays general: the value that it stores is used");
  EXPECT_EQ(access("c = v[i]++;"), "'v[i]' stays general: the value that it stores is used");
  EXPECT_EQ(access("st[i].bits = 3;"), "'st[i].bits' stays general: its type is none of a run");
  EXPECT_EQ(access("c += vol[i];"), "'vol[i]' stays general: its type is none of a run");
  EXPECT_EQ(access("st[i] = st[i + 1];"), "'st[i]' stays general: its type is none of a run");
  EXPECT_EQ(access("q = &x[8]; c += q[i];"),
            "'q[i]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("c += gp[i]; g();"),
            "'gp[i]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("c += gp[i]; *ip = 0;"),
            "'gp[i]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("int k = i; c += v[k];"),
            "'v[k]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("c += v[(unsigned)i];"),
            "'v[(unsigned)i]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("c += v[(char)i];"),
            "'v[(char)i]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("c += v[i / 2];"),
            "'v[i / 2]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("c += v[i + f(1)];"),
            "'v[i + f(1)]' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(access("c += v[i + sn];").find("'v[i + sn]' stays general"), 0u);
  EXPECT_EQ(
      remarks("upc_forall (i = 0; i < 9; i++; i) pk[i].k = 1;"),
      "iterations by owner; 'pk[i].k' stays general: its index is not linear in the variable of the loop");
  EXPECT_EQ(remarks("upc_forall (u = 1; u < 9; u++; u) a[u - 1] = 1;"),
            "iterations by owner; private where the whole array is mapped: 'a[u - 1]'");
}

// A value that every iteration reads is fetched before the loop; one that every iteration writes is written
// behind it.
TEST(LoopPlan, Copies) {
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
TEST(LoopPlan, OneElement) {
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

TEST(LoopPlan, VariablesThatMayChange) {
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
TEST(LoopPlan, VariablesBeside) {
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
TEST(LoopPlan, WalkingPointers) {
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
TEST(LoopPlan, CountedDown) {
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

TEST(LoopPlan, BoundsThatMayChange) {
  const std::string reason = general("its bound may change, or has effects");
  EXPECT_EQ(remarks("for (i = 0; i < f(9); i++) w[i] = 0;"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < c--; i++) w[i] = 0;"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < c; i++) { w[i] = 0; c = 4; }"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < sn; i++) w[i] = 0;"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < n; i++) { w[i] = 0; g(); }"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < n; i++) { w[i] = 0; *ip = 3; }"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < n; i++) w[i] = 0;"), "private where mapped, else copied: 'w[i]'");
  EXPECT_EQ(remarks("int k = 9, *r = &k; for (i = 0; i < k; i++) { w[i] = 0; g(); (void)r; }"), reason);
  EXPECT_EQ(remarks("for (i = 0; i < 90 / c; i++) w[i] = 0;"), reason);
}

TEST(LoopPlan, BoundsAndOffsetsThatStay) {
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

TEST(LoopPlan, StepsAndConditions) {
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

TEST(LoopPlan, JumpsAndOrder) {
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

TEST(LoopPlan, AffinitiesThatStayGeneral) {
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
TEST(LoopPlan, NestedLoops) {
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; i) upc_forall (j = 0; j < 9; j++; j) { w[j] = i; }"),
            "iterations by owner; 'w[j]' stays general: its index is not linear in the variable of the loop\n"
            "private where mapped, else copied: 'w[j]'");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 9; i++; continue) w[i] = 0;"),
            "private where mapped, else copied: 'w[i]'");
}

TEST(LoopPlan, OneLineOnly) {
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
