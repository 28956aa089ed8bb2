// SPDX-License-Identifier: BSD-3-Clause
// Types, categories, modes and values of expressions.
#include "tools/upc2c/check/expression/expressions.hpp"

#include <gtest/gtest.h>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/type/print.hpp"

namespace upc2c {
namespace {

const char* const kNames = R"(
typedef unsigned long size_t;
struct in { int i; float a[4]; unsigned f : 3; shared [] struct in *next; };
struct out { struct in m; char *name; };
char c; short s; int i; unsigned u; long l; unsigned long ul; long long ll; float f; double d; long double ld; _Bool b;
int a[10], m[2][3], *p; void *v; struct out st, *ps; enum e { A } en; _Complex double z;
shared int si; shared [4] int sa[8 * THREADS]; shared int sm[3][THREADS]; shared [4] int *p4; shared int *p1; shared [] int *pI;
shared void *g; shared struct out so; shared [5] struct out sos[5 * THREADS]; strict shared int ss; shared int *shared sp;
shared [4] int (*pa)[10]; int fn(int, char *); int (*pf)(void); shared [4] int *fp(void); const shared int *cp;
)";

const Expr* last_expression(const Checked& checked) {
  const auto* function = as<Function>(checked.items.back());
  return as<ExprStmt>(function->body()->items().back())->value();
}

std::string type_of(const std::string& expression) {
  Checked checked(kNames + ("void test(void) { " + expression + "; }"));
  if (!checked.diagnostics.all().empty()) return checked.messages();
  return to_upc(last_expression(checked)->type);
}

// clang's attribute, with which its <tgmath.h> is written.
TEST(ExpressionTypes, OfOverloadedFunctionsAreThoseOfTheArguments) {
  const struct {
    const char *text, *type;
  } rows[] = {
      {"over(si)", "double"},    {"over(f)", "float"},           {"over(*p1 * 2.0)", "double"},
      {"over(sa[1])", "double"}, {"over(z)", "_Complex double"}, {"over(over(f) + si * 1.f)", "float"},
  };
  for (const auto& row : rows) {
    std::string declarations;
    for (const char* type : {"double over(int)", "float over(float)", "double over(double)",
                             "_Complex double over(_Complex double)"})
      declarations += std::string("__attribute__((overloadable)) ") + type + "; ";
    Checked checked(kNames + declarations + "void test(void) { " + row.text + "; }");
    EXPECT_EQ(checked.messages(), "") << row.text;
    EXPECT_EQ(to_upc(last_expression(checked)->type), row.type) << row.text;
  }
  EXPECT_EQ(Checked("int over(int); float over(float); shared char c; shared float s;"
                    "void test(void) { s = over(c); s += over(2L) + 1; }")
                .messages(),
            "");
}

TEST(ExpressionTypes, AreThoseOfCAndUpc) {
  const struct {
    const char *text, *type;
  } rows[] = {
      {"c + s", "int"},
      {"u + l", "long"},
      {"ul + ll", "unsigned long long"},
      {"i + u", "unsigned int"},
      {"f + i", "float"},
      {"f * d", "double"},
      {"ld - f", "long double"},
      {"z + f", "_Complex double"},
      {"b + b", "int"},
      {"en + 1", "unsigned int"},
      {"c << l", "int"},
      {"i < d", "int"},
      {"-c", "int"},
      {"!d", "int"},
      {"~ul", "unsigned long"},
      {"i ? f : d", "double"},
      {"p + 1", "int *"},
      {"1 + a", "int *"},
      {"p - a", "long"},
      {"&a", "int (*)[10]"},
      {"*m", "int [3]"},
      {"m[1][2]", "int"},
      {"&m[1]", "int (*)[3]"},
      {"st.m.a[2]", "float"},
      {"ps->name[1]", "char"},
      {"&ps->m.i", "int *"},
      {"st.m.f", "unsigned int"},
      {"st.m.f + 1", "int"},
      {"fn(1, 0)", "int"},
      {"pf()", "int"},
      {"(*pf)()", "int"},
      {"&fn", "int (*)(int, char *)"},
      {"sizeof i", "unsigned long"},
      {"(char)i", "char"},
      {"(i, d)", "double"},
      {"i = d", "int"},
      {"p++", "int *"},
      {"i ? p : 0", "int *"},
      {"1u", "unsigned int"},
      {"0x80000000", "unsigned int"},
      {"2147483648", "long"},
      {"1.5f", "float"},
      {"0x1p3", "double"},
      {"1e3L", "long double"},
      {"'a'", "int"},
      {"L'a'", "int"},
      {"\"ab\"", "char [3]"},
      {"\"\xc0\xa0\xff\"", "char [4]"},
      {"\"\\u00c0\\377\"", "char [4]"},
      {"L\"\xc3\x80\" \"\xc0\"", "int [3]"},
      {"L\"ab\" \"c\"", "int [4]"},
      {"2.0i", "_Complex double"},
      {"0x1fF", "int"},
      {"0x1.8p0f", "float"},
      {"1.0f128", "_Float128"},
      {"({ int q = 1; q + 1L; })", "long"},
      {"(struct in){1}.a", "float [4]"},
      {"_Generic(l, int: 'c', long: f, default: p)", "float"},
      {"__builtin_expect(i, 0)", "long"},
      {"__builtin_strlen(\"a\")", "unsigned long"},
      {"__builtin_choose_expr(0, p, d)", "double"},
      {"__sync_fetch_and_add(&l, 1)", "long"},
      {"__builtin_offsetof(struct out, m.a[2])", "unsigned long"},
      {"THREADS", "int"},
      {"MYTHREAD * 2L", "long"},
      {"si", "shared int"},
      {"sa[3]", "shared [4] int"},
      {"sa", "shared [4] int [8*THREADS]"},
      {"sa + 1", "shared [4] int *"},
      {"&sa[3]", "shared [4] int *"},
      {"&sa", "shared [4] int (*)[8*THREADS]"},
      {"*sm", "shared int [THREADS]"},
      {"&sm[1][2]", "shared int *"},
      {"*p4", "shared [4] int"},
      {"p4[2] + 1", "int"},
      {"p4 - sa", "long"},
      {"p4++", "shared [4] int *"},
      {"p4 += 3", "shared [4] int *"},
      {"&so", "shared struct out *"},
      {"so.m.i", "shared [] int"},
      {"&so.m.i", "shared [] int *"},
      {"so.m.a", "shared [] float [4]"},
      {"so.m.a + 1", "shared [] float *"},
      {"&sos[2].m", "shared [] struct in *"},
      {"sos[1].m.next", "shared [] struct in *shared []"},
      {"sos[1].m.next->i", "shared [] int"},
      {"so.name", "char *shared []"},
      {"*so.name", "char"},
      {"sp", "shared int *shared"},
      {"*sp", "shared int"},
      {"sp + 1", "shared int *"},
      {"pa[1]", "shared [4] int [10]"},
      {"(*pa)[3]", "shared [4] int"},
      {"fp()", "shared [4] int *"},
      {"*fp()", "shared [4] int"},
      {"ss", "strict shared int"},
      {"ss + 1", "int"},
      {"i ? p4 : 0", "shared [4] int *"},
      {"i ? p4 : g", "shared void *"},
      {"i ? (void *)0 : p1", "shared int *"},
      {"p4 == sa", "int"},
      {"p4 == g", "int"},
      {"p4 != 0", "int"},
      {"!p4 && p1", "int"},
      {"(int *)p4", "int *"},
      {"(shared [] int *)p4", "shared [] int *"},
      {"g = p4", "shared void *"},
      {"p4 = g", "shared [4] int *"},
      {"cp = p1", "shared const int *"},
      {"si = 3", "int"},
      {"si++", "int"},
      {"upc_blocksizeof(sa)", "unsigned long"},
      {"*(i ? &si : p1)", "shared int"},
      {"(si)", "shared int"},
      {"so", "shared struct out"},
      {"st = so", "struct out"},
  };
  for (const auto& row : rows) EXPECT_EQ(type_of(row.text), row.type) << row.text;
}

TEST(ExpressionTypes, SharedAccessesHaveUsesAndModes) {
  Checked checked(
      std::string(kNames) +
      "void test(void) {\n#pragma upc strict\n si = sa[1] + (ss); so.m.i++; sizeof(si); &si; { \n#pragma upc relaxed\n si; } p4 = &sa[2]; }");
  EXPECT_EQ(checked.messages(), "");
  std::string accesses;
  const auto walk = [&](const auto& self, const Node* node) -> void {
    if (node == nullptr) return;
    const auto* expr = cast_if<Expr>(node);
    if (expr != nullptr && expr->is_shared_access()) {
      accesses += std::string(checked.stream.text(expr->tokens)) +
                  (expr->use == Use::kRead       ? " read"
                   : expr->use == Use::kAssigned ? " assigned"
                                                 : " updated") +
                  (expr->mode == AccessMode::kStrict ? " strict\n" : " relaxed\n");
    }
    for (const Node* child : node->children()) self(self, child);
  };
  walk(walk, checked.items.back());
  EXPECT_EQ(
      accesses,
      "si assigned strict\nsa[1] read strict\nss read strict\nso.m.i updated strict\nsi read relaxed\n");
  EXPECT_TRUE(checked.items.back()->has_upc);
}

TEST(ExpressionTypes, WhatIsPrivateHasNoUpc) {
  Checked checked(
      "int g; int f(int n) { static int s; return n + g + s; } shared int x; int h(void) { return x; }");
  EXPECT_FALSE(checked.items[1]->has_upc);
  EXPECT_TRUE(checked.items[1]->has_static);
  EXPECT_TRUE(checked.items[3]->has_upc);
}

TEST(ExpressionTypes, ConstantsAreFolded) {
  const struct {
    const char* text;
    long long value;
  } rows[] = {{"1 + 2 * 3", 7},
              {"-7 / 2", -3},
              {"7 % -4", 3},
              {"1 << 31", -2147483648LL},
              {"1u << 31", 2147483648LL},
              {"~0u", 4294967295LL},
              {"-1 > 0u", 1},
              {"(unsigned char)-1", 255},
              {"(char)200", -56},
              {"'\\377'", -1},
              {"'ab'", 24930},
              {"'\\x41'", 65},
              {"L'\\u00e9'", 233},
              {"sizeof(struct out)", 40},
              {"(long)1.9", 1},
              {"0x7fffffff + 1", -2147483648LL},
              {"1 ? 2 : 3", 2},
              {"0 && i", 0},
              {"1 || i", 1},
              {"!5", 0},
              {"A", 0},
              {"__builtin_offsetof(struct out, m.a[2])", 12},
              {"-1 >> 1", -1},
              {"__builtin_types_compatible_p(int, long)", 0},
              {"(3, 4) ? 1 : 2", -999}};
  for (const auto& row : rows) {
    Checked checked(kNames + ("void test(void) { " + std::string(row.text) + "; }"));
    EXPECT_EQ(checked.messages(), "");
    const Expr* expr = last_expression(checked);
    if (row.value == -999) {
      EXPECT_EQ(expr->value, nullptr);
      continue;
    }
    ASSERT_NE(expr->value, nullptr) << row.text;
    EXPECT_EQ(static_cast<long long>(expr->value->integer), row.value) << row.text;
  }
}

}  // namespace

}  // namespace upc2c
