// SPDX-License-Identifier: BSD-3-Clause
// The transformations of loops, as -Rupc reports them: iterations by owner, private accesses, and accesses
// that stay general.
#include <gtest/gtest.h>

#include <string>

#include "tests/upc2c/support/loop_remarks.hpp"

namespace {

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

// gcc wants a loop behind these; OpenMP as many as `collapse` says.
TEST(LoopPlan, LoopsOfPragmas) {
  const std::string stays = general("a pragma before it belongs to a loop");
  EXPECT_EQ(remarks("\n#pragma omp parallel for\nfor (i = 0; i < c; i++) p[i] = i;"), stays);
  EXPECT_EQ(remarks("\n#pragma GCC ivdep\nupc_forall (i = 0; i < 90 * THREADS; i++; i) a[i] = 1;"), stays);
  EXPECT_EQ(remarks("\n#pragma omp parallel for collapse(2)\n"
                    "for (i = 0; i < 4; i++) { for (j = 0; j < 8; j++) m[i][j] = j; }"),
            stays + "\n" + stays);
  EXPECT_EQ(remarks("\n#pragma GCC diagnostic push\nfor (i = 0; i < c; i++) p[i] = i;"),
            "private where mapped, else copied: 'p[i]'");
  EXPECT_EQ(remarks("{ c++;\n#pragma omp critical\nc = 2; for (i = 0; i < c; i++) p[i] = i; }"),
            "private where mapped, else copied: 'p[i]'");
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
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) a[i * i % 90] = i;"), whole + "'a[i * i % 90]'");
  EXPECT_EQ(remarks("for (i = 1; i < 90; i *= 2) q[ip[i]] = p[i & c];"), whole + "'q[ip[i]]', 'p[i & c]'");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) st[ip[i]].k += 2;"),
            whole + "'st[ip[i]].k', prefetched in long loops");
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 90; i++; i) x[ip[i]] = 1;"),
            "iterations by owner; " + whole + "'x[ip[i]]'");
  // Of pointers that change, arrays with another order, and loops that others are more worth it.
  const std::string none = general("no access in it goes through an array in equal steps");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) { q[ip[i]] = 1; upc_barrier; }"), none);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) vol[ip[i]] = 1;"), none);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) sa[ip[i]] = 1;"), none);
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) c += (a[ip[i]] = 1);"), none);
}

// Updates that nothing in the loop can tell from later ones.
TEST(LoopPlan, LaterUpdates) {
  const auto of = [](const std::string& name) {
    return "private where the whole array is mapped: '" + name + "'";
  };
  const std::string later = ", prefetched in long loops", index = "i * i % 90", e = "a[" + index + "]";
  const auto body = [](const std::string& text) { return remarks("for (i = 0; i < 90; i++) " + text); };
  for (const char* update : {" ^= i;", " += c;", " -= computes(i);", "++;", "--;", " |= 1; c += 2;"})
    EXPECT_EQ(body(e + update), of(e) + later) << update;
  EXPECT_EQ(body("{ if (i > c) continue; " + e + " *= i; }"), of(e) + later);
  EXPECT_EQ(body("st[" + index + "].d[c & 1] /= 2;"), of("st[" + index + "].d[c & 1]") + later);
  // Private data behind pointers that stay as they are: whether it is in shared memory is asked before the
  // loop.
  for (const char* read : {"c += *ip;", "c += ip[i];", "c += *(1 + ip);", "c -= (ip)[c & 1];"})
    EXPECT_EQ(body("{ " + e + " += 2; " + read + " }"), of(e) + later) << read;
  EXPECT_EQ(body("st[ip[i]].d[1] += 2;"), of("st[ip[i]].d[1]") + later);
  // A pointer that may have no value, as it is not read each time.
  EXPECT_EQ(body("{ " + e + " += 2; if (c > i) c += *ip; }"), of(e));
  // The value is used, or is another one; operators whose operands are no numbers of the element's type.
  EXPECT_EQ(body("c = (" + e + " += 1);"), general("no access in it goes through an array in equal steps"));
  for (const char* update : {" = i;", " <<= 1;", " %= 3;", " += l;", " += 0.5;", " += u;"})
    EXPECT_EQ(body(e + update), of(e)) << update;
  // Other shared accesses, calls, private memory that may be the element's, ways out of the loop.
  for (const char* text : {"sn = 1;", "c += a[i * 2 % 9];", "f(i);", "c += reads(i);", "*ip = 3;",
                           "c += *ip++;", "c += *ip; ip = &c;", "int *t = ip; c += *t;", "c += **(int **)ip;",
                           "c += computes_too(2, ip);", "if (c > 5) break;", "if (c > 5) return;"})
    EXPECT_EQ(body("{ " + e + " += 2; " + text + " }").find(later), std::string::npos) << text;
  EXPECT_EQ(remarks("for (i = 0; i < sn; i++) " + e + "++;").find(later), std::string::npos);
  EXPECT_EQ(remarks("for (i = 1; i < 90; i *= 2) " + e + "++;"), of(e));
  EXPECT_EQ(remarks("upc_forall (i = 0; i < 90; i++; i) " + e + "++;"), "iterations by owner; " + of(e));
}

TEST(LoopPlan, AccessesAnywhere) {
  const std::string all = "private where all threads are mapped: ";
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) { q[ip[i]] = 1; if (c > i) q++; }"), all + "'q[ip[i]]'");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) { gp[ip[i]] = 1; g(); }"), all + "'gp[ip[i]]'");
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) { a[i * i % 90]++; gp[ip[i]] = 1; g(); }"),
            "private where the whole array is mapped: 'a[i * i % 90]'; " + all + "'gp[ip[i]]'");
  // The test of an address is little beside a long body.
  std::string body = "gp[ip[i]] = 1; g();";
  for (int k = 0; k < 60; k++) body += " c += c * 3;";
  EXPECT_EQ(remarks("for (i = 0; i < 90; i++) { " + body + " }"),
            general("no access in it goes through an array in equal steps"));
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

}  // namespace
