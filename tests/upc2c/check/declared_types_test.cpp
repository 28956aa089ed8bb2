// SPDX-License-Identifier: BSD-3-Clause
// The types that declarations declare, as text.
#include "tools/upc2c/check/declaration/declared_types.hpp"

#include <gtest/gtest.h>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/type/print.hpp"

namespace upc2c {
namespace {

struct Row {
  const char *text, *type;
};

// The type of x.
std::string type_of(const std::string& text, bool in_c = false) {
  Checked checked(
      "typedef struct s S; typedef int T; typedef shared [7] int sevens; typedef int five[5]; typedef shared [3] int *p3;" +
      text);
  const Symbol* x = checked.checker.find("x");
  if (x == nullptr || !checked.diagnostics.all().empty()) return checked.messages();
  return in_c ? to_c(x->type) : to_upc(x->type);
}

TEST(DeclaredTypes, OfC) {
  const Row rows[] = {
      {"int x;", "int"},
      {"unsigned x;", "unsigned int"},
      {"long unsigned int long x;", "unsigned long long"},
      {"short int x;", "short"},
      {"signed char x;", "signed char"},
      {"const char *const x;", "const char *const"},
      {"int *x[3];", "int *[3]"},
      {"int (*x)[3];", "int (*)[3]"},
      {"int x[2][3];", "int [2][3]"},
      {"int (*x(int))[3];", "int (*(int))[3]"},
      {"int (*(*x[3])(int, char *(*)(void)))[5];", "int (*(*[3])(int, char *(*)(void)))[5]"},
      {"void (*x(int, void (*)(int)))(int);", "void (*(int, void (*)(int)))(int)"},
      {"int x(int a[3], int f(void), const T b, ...);", "int (int *, int (*)(void), const int, ...)"},
      {"int x();", "int ()"},
      {"S *x;", "struct s *"},
      {"enum e { A, B } x;", "enum e"},
      {"typedef struct { int a; } anonymous; anonymous x;", "anonymous"},
      {"double _Complex x;", "_Complex double"},
      {"_Float64x x;", "_Float64x"},
      {"unsigned __int128 x;", "unsigned __int128"},
      {"__builtin_va_list x;", "struct __va_list_tag [1]"},
      {"int y; typeof(y) *x;", "int *"},
      {"int y[4]; typeof(&y) x;", "int (*)[4]"},
      {"typeof(1 + 2L) x;", "long"},
      {"__auto_type x = 1.5f;", "float"},
      {"char x[] = \"abc\";", "char [4]"},
      {"int x[] = { 1, 2, [7] = 3, 4 };", "int [9]"},
      {"struct p { int a, b[2]; } x[] = { 1, 2, 3, 4, { 5 }, 6 };", "struct p [3]"},
      {"struct p { struct { int a; }; char s[4]; } x[] = { 1, \"ab\", { .a = 3, \"c\" }, [1].s[2] = 1, 5 };",
       "struct p [2]"},
      {"enum { N = 3 }; int x[N * 2 + sizeof(int)];", "int [10]"},
      {"int x[1 ? 'a' == 97 ? 4 : 5 : 6];", "int [4]"},
      {"typedef int v __attribute__((vector_size(16))); v x;",
       "int __attribute__((vector_size(4 * sizeof(int))))"},
      {"unsigned int x __attribute__((mode(DI)));", "unsigned long"},
      {"_Atomic(int) *x;", "_Atomic int *"},
      {"extern int x[]; int x[3];", "int [3]"},
      {"int x(a, b) int a; char *b; { return a; }", "int ()"},
      {"int x[(char)300];", "int [44]"},
      {"int x[0x80000000 > 0 ? -1 > 0u ? 2 : 3 : 4];", "int [2]"},
  };
  for (const Row& row : rows) EXPECT_EQ(type_of(row.text), row.type) << row.text;
}

TEST(DeclaredTypes, OfUpc) {
  const Row rows[] = {
      {"shared int x;", "shared int"},
      {"int shared x;", "shared int"},
      {"shared [4] int x[8 * THREADS];", "shared [4] int [8*THREADS]"},
      {"shared int x[THREADS];", "shared int [THREADS]"},
      {"shared int x[2][THREADS * 3][4];", "shared int [2][3*THREADS][4]"},
      {"shared [] int x[10];", "shared [] int [10]"},
      {"shared [0] int x[10];", "shared [] int [10]"},
      {"shared [*] int x[10 * THREADS];", "shared [10] int [10*THREADS]"},
      {"shared [*] int x[3][THREADS];", "shared [3] int [3][THREADS]"},
      {"strict shared int x;", "strict shared int"},
      {"shared int *x;", "shared int *"},
      {"shared int *shared x;", "shared int *shared"},
      {"int *shared [3] x[THREADS];", "int *shared [3] [THREADS]"},
      {"shared [4] int (*x)[10];", "shared [4] int (*)[10]"},
      {"shared [2 * 3] const float *x(shared void *, shared [4] int a[], shared int b[][10]);",
       "shared [6] const float *(shared void *, shared [4] int *, shared int (*)[10])"},
      {"sevens x[7 * THREADS];", "shared [7] int [7*THREADS]"},
      {"shared sevens *x;", "shared [7] int *"},
      {"shared [3] five x[THREADS];", "shared [3] int [THREADS][5]"},
      {"p3 x, *y;", "shared [3] int *"},
      {"shared struct r { int a; shared [] struct r *next; } *x;", "shared struct r *"},
      {"shared int y; typeof(y) *x;", "shared int *"},
      {"shared [4] int y[4 * THREADS]; typeof(&y[2]) x;", "shared [4] int *"},
      {"shared [4] int y[4 * THREADS]; __auto_type x = y;", "shared [4] int *"},
      {"extern shared [5] int x[]; shared [5] int x[THREADS];", "shared [5] int [THREADS]"},
      {"shared int x[(THREADS)];", "shared int [THREADS]"},
  };
  for (const Row& row : rows) EXPECT_EQ(type_of(row.text), row.type) << row.text;
  CheckOptions three;
  three.threads = 3;
  Checked fixed("shared [*] int x[10]; shared [2] int y[7]; int z[THREADS + 1]; shared int w[] = {1, 2};",
                "t", three);
  EXPECT_EQ(fixed.messages(), "");
  EXPECT_EQ(to_upc(fixed.checker.find("x")->type), "shared [4] int [10]");
  EXPECT_EQ(to_upc(fixed.checker.find("z")->type), "int [4]");
  EXPECT_EQ(to_upc(fixed.checker.find("w")->type), "shared int [2]");
}

TEST(DeclaredTypes, InC) {
  const Row rows[] = {
      {"shared [4] double *x;", "upc_p4_double"},
      {"shared [] S **x;", "upc_pI_s *"},
      {"shared void *const x;", "const upc_pG"},
      {"shared int *(*x)(shared int *, int (*)[3]);", "upc_p1_int (*)(upc_p1_int, int (*)[3])"},
      {"int (*x[2])(char);", "int (*[2])(char)"},
  };
  for (const Row& row : rows) EXPECT_EQ(type_of(row.text, true), row.type) << row.text;
}

}  // namespace

}  // namespace upc2c
