// SPDX-License-Identifier: BSD-3-Clause
// Declarations in C: what has nothing of UPC keeps its tokens, pointers-to-shared are typedefs, shared
// objects are proxies.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/upc2c/support/lowered.hpp"

namespace {

// The declarations of a file in C, as one line.
std::string declared(const std::string& text, const upc2c::TranslateOptions& options = {}) {
  upc2c::TranslateOptions with_file = options;
  with_file.lower.file = "test.upc";
  const upc2c::Translation result = upc2c::translate("int from_here;" + text, with_file);
  if (result.errors != 0) return "error: " + result.messages;
  std::string out;
  std::size_t at = result.c.find(';', result.c.find("from_here")) + 1;
  // Behind the declarations there is start-up code where it is needed.
  const std::size_t end = std::min(result.c.find("# 1 \"<start-up of test.upc>\" 3"), result.c.size());
  for (; at < end; at++) {
    const char c = result.c[at] == '\n' ? ' ' : result.c[at];
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  // Typedefs of the pointers have tests of their own.
  for (std::size_t t; (t = out.find("typedef upcr_")) != std::string::npos;)
    out.erase(t, out.find(';', t) + 2 - t);
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

struct Row {
  const char *upc, *c;
};

TEST(Declarators, Proxies) {
  const Row rows[] = {
      {"shared int x;", "upcr_pshared_ptr_t x;"},
      {"shared [4] double x[4 * THREADS];", "upcr_shared_ptr_t x;"},
      {"shared [] char x[3], y;", "upcr_pshared_ptr_t x, y;"},
      {"shared [*] char x[2 * THREADS];", "upcr_shared_ptr_t x;"},
      {"shared [*] char x[THREADS];", "upcr_pshared_ptr_t x;"},
      {"extern shared int x;", "extern upcr_pshared_ptr_t x;"},
      {"static shared int x;", "static upcr_pshared_ptr_t x;"},
      {"int static strict shared const x;", "static upcr_pshared_ptr_t x;"},
      {"shared int x = 1;", "upcr_pshared_ptr_t x = UPCR_INITIALIZED_PSHARED;"},
      {"shared [2] int x[2 * THREADS] = {1};", "upcr_shared_ptr_t x = UPCR_INITIALIZED_SHARED;"},
      {"shared int x = 0;", "upcr_pshared_ptr_t x = UPCR_NULL_PSHARED;"},
      {"extern shared int x = 1;", "upcr_pshared_ptr_t x = UPCR_INITIALIZED_PSHARED;"},
      {"shared [2] int *shared x;", "upcr_pshared_ptr_t x;"},
      {"shared [3] struct s { int a; } x;", "struct s { int a; }; upcr_shared_ptr_t x;"},
      {"typedef shared [2] int T; T x;", "upcr_shared_ptr_t x;"},
      {"shared int x __attribute__((aligned(64), weak));", "upcr_pshared_ptr_t x;"},
      {"shared int x __attribute__((weak));", "upcr_pshared_ptr_t x __attribute__((weak));"},
      {"shared enum { A, B } x;", "enum { A, B }; upcr_pshared_ptr_t x;"},
  };
  for (const Row& row : rows) EXPECT_EQ(declared(row.upc), row.c) << row.upc;
}

TEST(Declarators, PointersToShared) {
  const Row rows[] = {
      {"extern shared int *x;", "extern upc_p1_int x;"},
      {"extern shared [4] const double *const x;", "extern const upc_p4_double x;"},
      {"extern shared void *x, *y;", "extern upc_pG x, y;"},
      {"extern shared int *x[3], **y, *(*z)(int), *f(void);",
       "extern upc_p1_int x[3], *y, (*z)(int), f(void);"},
      {"extern int a, *shared *x, *b;", "extern int a; extern upc_p1_int_p x; extern int *b;"},
      {"extern shared int (*x)[3];", "extern upc_p1_int (x);"},
      {"void f(shared int a[], shared [2] int b[][4], int n);", "void f(upc_p1_int a, upc_p2_int b, int n);"},
      {"void f(shared int *, shared int [], ...);", "void f(upc_p1_int, upc_p1_int, ...);"},
      {"typedef shared int *P, T;", "typedef upc_p1_int P;"},
      {"typedef shared int T;", ""},
      {"struct s { int a; shared int *p, **q; char c; };", "struct s { int a; upc_p1_int p, *q; char c; };"},
      {"struct s { int a : 3, b; } ;", "struct s { int a : 3, b; } ;"},
      {"extern shared struct { int a; } *x;",
       "struct upc_struct_1 { int a; }; extern upc_p1_upc_struct_1 x;"},
      {"shared int *restrict f(shared int *restrict p);", "upc_p1_int f(upc_p1_int p);"},
  };
  for (const Row& row : rows) EXPECT_EQ(declared(row.upc), row.c) << row.upc;
}

TEST(Declarators, PrivateDeclarationsKeepTheirTokens) {
  for (const char* text : {
           "extern int a,  b /* c */ [3];",
           "typedef struct { int a; struct { int b; }; } T;",
           "int f(int a[const static 3], ...) __attribute__((noreturn));",
           "extern __typeof__(1 + 1) *x;",
           "enum { A = 1 , B };",
           "_Static_assert(sizeof(int) == 4, \"int\");",
           "struct s; struct t { unsigned a : 3 ; } __attribute__((packed));",
       })
    EXPECT_EQ(declared(text).substr(0, 12), std::string(text).substr(0, 12)) << declared(text);
  EXPECT_EQ(declared("extern int a, b[3];"), "extern int a, b[3];");
}

TEST(Declarators, TypedefsOfPointersStandBeforeTheirUse) {
  const upc2c::Translation result = upc2c::translate(
      "struct s; extern shared struct s *a; extern shared [] struct s *b; extern shared struct s *c;\n"
      "extern shared [4] struct s *d; extern shared void *e;\n",
      {});
  EXPECT_EQ(count(result.c, "typedef"), 4) << result.c;
  for (const char* text : {"typedef upcr_pshared_ptr_t upc_p1_s;", "typedef upcr_pshared_ptr_t upc_pI_s;",
                           "typedef upcr_shared_ptr_t upc_p4_s;", "typedef upcr_shared_ptr_t upc_pG;"})
    EXPECT_NE(result.c.find(text), std::string::npos) << text;
  EXPECT_LT(result.c.find("typedef upcr_pshared_ptr_t upc_p1_s;"), result.c.find("extern upc_p1_s a;"));
}

TEST(Declarators, TypeNames) {
  const std::string declarations = "shared int *p; shared [2] struct s { int a; } *q; int i; void *v;";
  const Row rows[] = {
      {"i = sizeof(shared int *[3]);", "i = sizeof(upc_p1_int [3]);"},
      {"v = (shared [2] int **)v;", "v = (upc_p2_int *)v;"},
      {"i = sizeof(int (*)(shared int *));", "i = sizeof(int (*)(upc_p1_int));"},
      {"i = sizeof(struct t { shared [] int *p; });", "i = sizeof(struct t { upc_pI_int p; });"},
  };
  for (const Row& row : rows) EXPECT_EQ(lowered(declarations, row.upc), row.c) << row.upc;
}

TEST(Declarators, Blocks) {
  const std::string declarations = "shared int a[10 * THREADS]; void use(void *);";
  const Row rows[] = {
      {"shared int *p = 0, *q;", "upc_p1_int p = upcr_null_pshared, q;"},
      {"extern shared int a[];", "extern upcr_pshared_ptr_t a;"},
      {"register shared int *p; typedef shared int T; T *q;", "upc_p1_int p; ; upc_p1_int q;"},
      {"for (static shared int *p = a; p;) use(0);", "for (; (!upcr_isnull_pshared(tested_p_1));) use(0);"},
      {"struct s { shared int *p; } x; use(&x);", "struct s { upc_p1_int p; } x; use(&x);"},
  };
  for (const Row& row : rows) EXPECT_EQ(lowered(declarations, row.upc), row.c) << row.upc;
}

TEST(Declarators, OldStyleParameters) {
  EXPECT_EQ(declared("int f(p, n, a) shared int *p; int n; shared [2] int a[]; { return n; }"),
            "int f(p, n, a) upc_p1_int p; int n; upc_p2_int a; { return n; }");
}

}  // namespace
