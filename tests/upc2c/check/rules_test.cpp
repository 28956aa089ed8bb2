// SPDX-License-Identifier: BSD-3-Clause
// What UPC forbids is reported, each mistake once; what it allows is not.
#include <gtest/gtest.h>

#include "tests/upc2c/support/source.hpp"

namespace upc2c {
namespace {

struct Row {
  const char *text, *ids;
};

const char* const kNames = R"(
typedef unsigned long size_t; typedef shared void lock_t;
shared [4] int a4[4 * THREADS], *p4; shared int a1[THREADS], *p1; shared [] int *pI; shared void *g; shared [4] long *q4;
shared struct s { int m; unsigned f : 2; } so; struct incomplete; shared struct incomplete *pin; int *pp, i; double d;
void takes(shared [4] int *, int); shared [4] int *gives(void); struct s ps; const shared int cs; int (*fp)(void);
)";

TEST(Rules, OfDeclarations) {
  const Row rows[] = {
      {"shared union { int i; double d; struct { int a, b; }; } x = {.d = 1}, y = {.b = 1}, z = {1};", ""},
      {"shared union { int i; double d; } x = {.d = 1, 2};", "D-INI-COUNT"},
      {"shared [2] shared [3] int x;", "D-LAY-DUP"},
      {"typedef shared [2] int T; shared [3] T x;", "D-LAY-DUP"},
      {"typedef shared [2] int T; shared T x; shared [2] T y; shared shared [2] int z;", ""},
      {"shared [] shared [1] int x;", "D-LAY-DUP"},
      {"shared [1048577] int x;", "D-LAY-BIG"},
      {"shared [*] int x[2000000 * THREADS];", "D-LAY-BIG"},
      {"shared [-1] int x;", "D-LAY-NEG"},
      {"int n; shared [n] int x;", "D-LAY-CONST"},
      {"shared [THREADS] int *x;", "D-LAY-CONST"},
      {"shared [4] void *x;", "D-LAY-VOID"},
      {"shared [*] int *x;", "D-STAR-PTR"},
      {"typedef shared [*] int T;", "D-STAR-TYPEDEF"},
      {"void *f(void *p) { return (shared [*] int *)0 == 0 ? p : 0; }", "D-STAR-PTR"},
      {"void f(shared [*] int x[10]);", "D-STAR-PARAM"},
      {"extern shared [*] int x[];", "D-STAR-INCOMPLETE"},
      {"strict relaxed shared int x;", "D-MODE-DUP"},
      {"strict int x;", "D-MODE-NOSHR"},
      {"int f(int relaxed, int b);", "D-KEY"},
      {"int f(relaxed int a, int b);", "D-MODE-NOSHR"},
      {"typedef int F(void); shared F x;", "D-SHR-FUNC"},
      {"shared int f(void);", "D-SHR-RET"},
      {"void f(void) { shared int x; }", "D-SHR-AUTO"},
      {"void f(void) { register shared int x; }", "D-SHR-AUTO"},
      {"void f(void) { static shared int x; extern shared int y; shared int *p; }", ""},
      {"void f(shared int x);", "D-SHR-PARAM"},
      {"struct t { shared int x; };", "D-SHR-FIELD"},
      {"struct t { shared int *x; shared int *y[3]; };", ""},
      {"static _Thread_local shared int x;", "D-SHR-TLS"},
      {"void f(void) { (shared int){1}; }", "D-SHR-LIT"},
      {"void f(int n) { static shared int x[n]; }", "D-SHR-VLA"},
      {"lock_t x;", "D-SHR-VOID"},
      {"shared struct incomplete x;", "D-INCOMPLETE"},
      {"shared int x[10];", "D-THR-NONE"},
      {"shared [] int x[10]; shared int y[10 * THREADS], z[THREADS][5], w; extern shared int e[];", ""},
      {"shared int x[THREADS][THREADS];", "D-THR-TWICE"},
      {"shared int x[THREADS + 1];", "D-THR-FORM"},
      {"shared int x[THREADS * THREADS];", "D-THR-FORM"},
      {"shared [] int x[THREADS];", "D-THR-INDEF"},
      {"shared int x[] = { 1, 2 };", "D-THR-NONE"},
      {"extern shared int x[THREADS]; shared [2] int x[THREADS];", "D-REDECL"},
      {"extern shared [1] int x[THREADS]; shared int x[THREADS]; extern shared int x[];", ""},
      {"extern int x; shared int x;", "D-REDECL"},
      {"void f(shared int *); void f(shared [2] int *);", "D-REDECL"},
      {"int main(int a, char *b, char *c, int d) { return 0; }", "D-MAIN"},
      {"int main(void) { return 0; }", ""},
      {"int x[THREADS];", "D-CONST"},
      {"void f(void) { static int x[2][THREADS * 2]; int y[THREADS]; }", "D-CONST"},
      {"struct t { int x[THREADS]; };", "D-CONST"},
      {"int *x[sizeof(a4)];", "D-SIZEOF-CONST"},
      {"int x[sizeof(a4[0])], y[sizeof(p4)];", ""},
      {"enum e { X = THREADS };", "D-CONST"},
      {"struct t { int x : MYTHREAD; };", "D-CONST"},
      {"_Static_assert(THREADS > 1, \"\");", "D-CONST"},
      {"void f(void) { switch (i) { case THREADS: ; } }", "D-CONST"},
      {"_Static_assert(upc_blocksizeof(a4) == 4, \"\"); enum e { X = upc_elemsizeof(a4) };", ""},
      {"static x;", "D-IMPLICIT-INT"},
      {"shared int x = 3, y[2 * THREADS] = { 1, 2 }; shared [4] int *p = &a4[2], *q = a4 + 1, *r = 0;", ""},
      {"shared [4] int *x = a1;", "D-CNV-LAYOUT"},
      {"struct t { shared [4] int *p; int n; } x[] = { { a4, 1 }, a1, 2 };", "D-CNV-LAYOUT"},
  };
  for (const Row& row : rows) EXPECT_EQ(Checked(kNames + std::string(row.text)).ids(), row.ids) << row.text;
}

TEST(Rules, OfExpressions) {
  const Row rows[] = {
      {"p4 == pp", "D-CMP-MIXED"},
      {"pp < p4", "D-CMP-MIXED"},
      {"i ? p4 : pp", "D-ARI-MIXED"},
      {"p4 - pp", "D-ARI-MIXED"},
      {"p4 - p1", "D-ARI-BLOCK"},
      {"p4 - q4", "D-ARI-TYPE"},
      {"g - g", "D-ARI-VOID"},
      {"g + 1", "D-ARI-VOID"},
      {"g++", "D-ARI-VOID"},
      {"g[1]", "D-ARI-VOID"},
      {"pin + 1", "D-ARI-INCOMPLETE"},
      {"p4 < p1", "D-CMP-BLOCK"},
      {"p4 == p1", "D-CMP-BLOCK"},
      {"p4 == q4", "D-CMP-BLOCK"},
      {"g < p4", "D-CMP-VOID"},
      {"p4 == g && g != 0 && p4", ""},
      {"p4 == 3", "D-CMP-MIXED"},
      {"p4 = p1", "D-CNV-LAYOUT"},
      {"p4 = (shared [4] int *)p1", ""},
      {"pp = p4", "D-CNV-LOCAL"},
      {"pp = (int *)p4", ""},
      {"p4 = pp", "D-CNV-SHARED"},
      {"p4 = (shared [4] int *)pp", "D-CAST-SHARED"},
      {"p4 = 3", "D-CNV-INT"},
      {"p4 = (void *)0", ""},
      {"p4 = (shared [4] int *)3", "D-CAST-INT"},
      {"(shared [4] int *)0", ""},
      {"i = p4", "D-CNV-INT"},
      {"i = (int)p4", "D-PTS-INT"},
      {"(shared int)i", "D-CAST-QUAL"},
      {"p1 = &cs", "D-CNV-QUAL"},
      {"shared [4] int **pp4; shared int **pp1; pp4 = pp1", "D-CNV-LAYOUT"},
      {"shared int *const *a; shared int **b; b = a", "D-DISCARDED-QUALIFIERS"},
      {"shared int **a; void *b; char **c; shared int *const *d; a = b; b = a; d = a; a = (shared int **)c",
       ""},
      {"fp = p4", "D-CNV-LOCAL"},
      {"p4 = d", "D-CONVERSION"},
      {"takes(p4, 1)", ""},
      {"takes(p1, 1)", "D-CNV-LAYOUT"},
      {"takes(pp, 1)", "D-CNV-SHARED"},
      {"takes(p4)", "D-CALL"},
      {"takes(g, 1)", ""},
      {"THREADS = 3", "D-THR-LV"},
      {"&MYTHREAD", "D-THR-LV"},
      {"THREADS++", "D-THR-LV"},
      {"cs = 1", "D-LVALUE"},
      {"&so.f", "D-LVALUE"},
      {"*g", "D-OPERAND"},
      {"p4 * 2", "D-OPERAND"},
      {"-p4", "D-OPERAND"},
      {"p4 += d", "D-OPERAND"},
      {"p4 + p4", "D-OPERAND"},
      {"so.nothing", "D-MEMBER"},
      {"upc_blocksizeof(i)", "D-SIZE-NOSHR"},
      {"upc_localsizeof(int)", "D-SIZE-NOSHR"},
      {"nothing", "D-UNDECLARED"},
      {"nothing(1)", "D-IMPLICIT-FUNCTION"},
      {"asm(\"\" : \"=r\"(a4[0]))", "D-SHR-BUILTIN"},
      {"bupc_assert_type(shared int, shared [1] int)", ""},
      {"bupc_assert_type(shared int, shared [2] int)", "D-CONVERSION"},
      {"__builtin_unheard_of(1) + 2", ""},
      {"ps = so", ""},
      {"so = ps", ""},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Checked(kNames + ("void f(void) { " + std::string(row.text) + "; }")).ids(), row.ids)
        << row.text;
}

TEST(Rules, OfStatements) {
  const Row rows[] = {
      {"upc_barrier 3; upc_notify 1; upc_wait 1; upc_barrier d; if (i) upc_barrier; upc_fence;", ""},
      {"upc_barrier p4;", "D-BAR-TYPE"},
      {"upc_notify ps;", "D-BAR-TYPE"},
      {"upc_notify; upc_notify;", "D-BAR-ORDER"},
      {"upc_wait; upc_wait;", "D-BAR-ORDER"},
      {"upc_notify; i++; upc_barrier;", "D-BAR-ORDER"},
      {"upc_notify; if (i) upc_wait; upc_notify;", ""},
      {"upc_forall (i = 0; i < 3; i++; i) a1[i] = 0;", ""},
      {"upc_forall (i = 0; i < 3; i++; &a1[i]) ;", ""},
      {"upc_forall (;;;continue) break;", "D-FOR-EXIT"},
      {"upc_forall (i = 0; i < 3; i++; pp) ;", "D-FOR-TYPE"},
      {"upc_forall (i = 0; i < 3; i++; d) ;", "D-FOR-TYPE"},
      {"upc_forall (i = 0; i < 3; i++; -1) ;", "D-FOR-NEGATIVE"},
      {"upc_forall (i = 0; i < 3; i++; i) return;", "D-FOR-EXIT"},
      {"upc_forall (i = 0; i < 3; i++; i) { for (;;) break; switch (i) { case 1: break; } continue; }", ""},
      {"upc_forall (i = 0; i < 3; i++; i) upc_barrier;", "D-FOR-COLLECTIVE"},
      {"upc_forall (;; i) goto out; out: ;", "D-SYNTAX"},
      {"upc_forall (;;; i) goto out; out: ;", "D-FOR-EXIT"},
      {"goto in; upc_forall (;;; i) in: ;", "D-FOR-ENTER"},
      {"upc_forall (;;; i) { if (i) goto on; i++; on: ; }", ""},
      {"switch (i) { upc_forall (;;; i) { case 1: ; } }", "D-FOR-ENTER"},
      {"switch (i) { upc_forall (;;; i) { default: ; } }", "D-FOR-ENTER"},
      {"upc_forall (;;; i) switch (i) { case 1: ; default: ; }", ""},
      {"upc_forall (int k = 0; k < 3; k++; k) a1[k] = k; k;", "D-UNDECLARED"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Checked(kNames + ("void f(void) { " + std::string(row.text) + " }")).ids(), row.ids)
        << row.text;
}

TEST(Rules, GroupsThatAreOff) {
  Checked checked(
      "void f(void) { int i; upc_forall (i = 0; i < 3; i++; i) upc_forall (;;; 1) ; } shared int x[THREADS * 2 * 3];");
  EXPECT_EQ(checked.ids(), "");
}

// Library functions take shared void *: nothing is meant by the access mode of an argument.
TEST(Rules, LosingStrictOrRelaxedIsSilentByDefault) {
  const char* const text =
      "size_t thread(shared void *); void read(shared const void *); strict shared int *s; relaxed shared [4] int *r;"
      "const relaxed shared int *c; size_t f(void) { read(s); read(c); return thread(s) + thread(r); }";
  EXPECT_EQ(Checked("typedef unsigned long size_t; " + std::string(text)).ids(), "");
  EXPECT_EQ(Checked("shared int *p; relaxed shared int *r; void f(void) { p = r; r = p; }").ids(), "");
  EXPECT_EQ(Checked("const strict shared int *c; void w(shared void *); void f(void) { w(c); }").ids(),
            "D-CNV-QUAL");
  Checked asked("", "test.upc");
  EXPECT_EQ(asked.diagnostics.severity(Diag::kCnvMode), Severity::kIgnored);
  EXPECT_TRUE(asked.diagnostics.set_option("-Wupc-access-mode"));
  EXPECT_EQ(asked.diagnostics.severity(Diag::kCnvMode), Severity::kWarning);
}

TEST(Rules, ReturnValuesAndNestedFunctions) {
  EXPECT_EQ(Checked("shared [2] int *f(shared int *p) { return p; }").ids(), "D-CNV-LAYOUT");
  EXPECT_EQ(Checked("int *f(shared int *p) { int *g(void) { return 0; } return p; }").ids(), "D-CNV-LOCAL");
  EXPECT_EQ(Checked("shared int *f(void) { return 0; }").ids(), "");
  EXPECT_EQ(Checked("int f(p, n) shared int *p; int n; { return p[n]; }").ids(), "");
}

// Two structures of one name, of which a message that only has the types would say nothing.
TEST(Rules, OfAStructureThatAParameterNamesFirst) {
  const Checked checked(
      "void f(shared struct late *p); struct late { int x; }; shared struct late *q; void g(void) { f(q); }");
  EXPECT_EQ(checked.ids(), "D-CNV-LAYOUT");
  EXPECT_NE(checked.messages().find("known in that function only"), std::string::npos) << checked.messages();
}

}  // namespace

}  // namespace upc2c
