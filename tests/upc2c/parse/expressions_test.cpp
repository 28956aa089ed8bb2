// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/expression/expressions.hpp"

#include <gtest/gtest.h>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/ast/dump.hpp"

namespace upc2c {
namespace {

struct Row {
  const char *text, *tree;
};

// The expression as the initialiser of a variable, behind typedefs T and S.
std::string tree_of(const std::string& expression) {
  Parsed parsed("typedef int T; typedef struct s { int a; } S; int v = " + expression + ";");
  if (parsed.diagnostics.errors() != 0) return parsed.messages();
  const auto* last = as<Declaration>(parsed.unit->items().back());
  return dump(as<InitDeclarator>(last->declarators()[0])->initializer(), parsed.stream);
}

TEST(Expressions, HaveTheirTrees) {
  const Row rows[] = {
      {"a + b * c - d", "(- (+ a (* b c)) d)"},
      {"a << 1 + 2 < b", "(< (<< a (+ 1 2)) b)"},
      {"a & b == c | d ^ e && f || g", "(|| (&& (| (& a (== b c)) (^ d e)) f) g)"},
      {"a = b ? c : d ? e : f", "(= a (conditional b c (conditional d e f)))"},
      {"a ?: b", "(conditional a () b)"},
      {"a += b -= c", "(+= a (-= b c))"},
      {"(a, b)", "(, a b)"},
      {"-a[1]++", "(- (_++ (index a 1)))"},
      {"*p->q.r(1, b)[2]", "(* (index (call (.r (->q p)) 1 b) 2))"},
      {"!~+-&*a", "(! (~ (+ (- (& (* a))))))"},
      {"(T)a + b", "(+ (cast (type-name (specifiers 'T') (declarator '')) a) b)"},
      {"(T) - 1", "(cast (type-name (specifiers 'T') (declarator '')) (- 1))"},
      {"(v) - 1", "(- v 1)"},
      {"sizeof (T) + 1", "(+ (sizeof (type-name (specifiers 'T') (declarator ''))) 1)"},
      {"sizeof (T){1}",
       "(sizeof (compound-literal (type-name (specifiers 'T') (declarator '')) (init-list 1)))"},
      {"sizeof a[0]", "(sizeof (index a 0))"},
      {"sizeof (a)[0]", "(sizeof (index a 0))"},
      {"(S){.a = 1}.a",
       "(.a (compound-literal (type-name (specifiers 'S') (declarator '')) (init-list (designated .a 1))))"},
      {"({ T x = 1; x; })",
       "(statement-expr (compound (declaration-stmt (declaration (specifiers 'T') (init (declarator 'x') 1))) (expr-stmt x)))"},
      {"&&label", "&&label"},
      {"upc_localsizeof (shared int) * upc_blocksizeof a",
       "(* (upc_localsizeof (type-name (specifiers 'shared int') (declarator ''))) (upc_blocksizeof a))"},
      {"THREADS * MYTHREAD", "(* THREADS MYTHREAD)"},
      {"\"a\" \"b\"", "\"a\" \"b\""},
      {"__extension__ (__real__ z)", "(extension (real z))"},
      {"_Generic(a, T: 1, default: 2)", "(generic a (type-name (specifiers 'T') (declarator '')) 1 () 2)"},
      {"__builtin_va_arg(ap, T *)", "(va-arg ap (type-name (specifiers 'T') (declarator '*')))"},
      {"__builtin_offsetof(S, a[2].b)",
       "(offsetof (type-name (specifiers 'S') (declarator '')) a (range 2 ()) .b)"},
      {"__builtin_types_compatible_p(T, S)",
       "(types-compatible (type-name (specifiers 'T') (declarator '')) (type-name (specifiers 'S') (declarator '')))"},
      {"__builtin_choose_expr(1, a, b)", "(choose-expr 1 a b)"},
      {"__builtin_convertvector(a, T)",
       "(call __builtin_convertvector a (type-argument (type-name (specifiers 'T') (declarator ''))))"},
      {"{ [1] = 2, [3 ... 4] = 5, .b.c[0] = 6, d: 7, [8] 9, {} }",
       "(init-list (designated (range 1 ()) 2) (designated (range 3 4) 5) (designated .b .c (range 0 ()) 6) (designated d 7) "
       "(designated (range 8 ()) 9) (init-list))"},
      {"(shared [4] T *)p", "(cast (type-name (specifiers 'shared [4] T' 4) (declarator '*')) p)"},
      {"(__attribute__((aligned(4))) T *)p",
       "(cast (type-name (specifiers '__attribute__((aligned(4))) T' (attribute 4)) (declarator '*')) p)"},
  };
  for (const Row& row : rows) EXPECT_EQ(tree_of(row.text), row.tree) << row.text;
}

TEST(Expressions, KnowTypedefNamesByScope) {
  Parsed parsed(R"(
typedef int T;
int f(int T) { return (T) + 1; }
int g(void) { { int T = 1; T * 2; } T *p; T: return sizeof (T); }
int h(T, int (T), T T) { return T (1) + (T)(2); }
enum { E }; typedef int U; void k(void) { enum { U = 3 }; int x = (U) - 1; }
)");
  EXPECT_EQ(parsed.messages(), "");
  const std::string text = dump(parsed.unit, parsed.stream);
  EXPECT_NE(text.find("(return (+ T 1))"), std::string::npos) << text;
  EXPECT_NE(text.find("(expr-stmt (* T 2))"), std::string::npos) << text;
  EXPECT_NE(text.find("(specifiers 'T') (init (declarator '*p')"), std::string::npos) << text;
  EXPECT_NE(text.find("(return (+ (call T 1) (call T 2)))"), std::string::npos) << text;
  EXPECT_NE(text.find("(init (declarator 'x') (- U 1))"), std::string::npos) << text;
}

}  // namespace

}  // namespace upc2c
