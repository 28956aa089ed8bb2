// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/statements.hpp"

#include <gtest/gtest.h>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/ast/dump.hpp"

namespace upc2c {
namespace {

// The statements of a function's body.
std::string tree_of(const std::string& statements) {
  Parsed parsed("typedef int T; void f(void) {" + statements + "}");
  if (!parsed.diagnostics.all().empty()) return parsed.messages();
  return dump(as<Function>(parsed.unit->items().back())->body(), parsed.stream);
}

TEST(Statements, HaveTheirTrees) {
  const struct {
    const char *text, *tree;
  } rows[] = {
      {"if (a) b; else if (c) d; else e;",
       "(compound (if a (expr-stmt b) (if c (expr-stmt d) (expr-stmt e))))"},
      {"if (a) if (b) c; else d;", "(compound (if a (if b (expr-stmt c) (expr-stmt d)) ()))"},
      {"while (a) ; do b; while (c);", "(compound (while a (empty)) (do (expr-stmt b) c))"},
      {"for (;;) break;", "(compound (for () () () (break)))"},
      {"for (T i = 0, j; i < 3; i++) continue;",
       "(compound (for (declaration (specifiers 'T') (init (declarator 'i') 0) (init (declarator 'j') ())) (< i 3) (_++ i) (continue)))"},
      {"upc_forall (i = 0; i < 3; i++; &a[i]) b;",
       "(compound (forall (= i 0) (< i 3) (_++ i) (& (index a i)) (expr-stmt b)))"},
      {"upc_forall (int i = 0; ; ; ) ;",
       "(compound (forall (declaration (specifiers 'int') (init (declarator 'i') 0)) () () () (empty)))"},
      {"upc_forall (; ; ; continue) upc_forall (;;; 3) ;",
       "(compound (forall () () () () (forall () () () 3 (empty))))"},
      {"upc_barrier; upc_barrier 3; upc_notify (x); upc_wait x + 1; upc_fence;",
       "(compound (barrier ()) (barrier 3) (notify x) (wait (+ x 1)) (fence))"},
      {"switch (a) { case 1: case 2 ... 4: b; default: ; }",
       "(compound (switch a (compound (case 1 () (case 2 4 (expr-stmt b))) (default (empty)))))"},
      {"x: y: ; goto x; goto *p; z:",
       "(compound (label x (label y (empty))) (goto x) (computed-goto p) (label z ()))"},
      {"T: ; T x; T * y;",
       "(compound (label T (empty)) (declaration-stmt (declaration (specifiers 'T') (init (declarator 'x') ()))) "
       "(declaration-stmt (declaration (specifiers 'T') (init (declarator '* y') ()))))"},
      {"__label__ a, b; return; return a, b;", "(compound (local-labels) (return ()) (return (, a b)))"},
      {"asm volatile (\"nop\"); __asm__ goto (\"x\" : [o] \"=r\" (a), \"+m\" (*b) : \"i\" (3) : \"cc\", \"memory\" : l);",
       "(compound (asm) (asm a (* b) 3))"},
      {"int g(int x) { return x; } g(1);",
       "(compound (declaration-stmt (function (specifiers 'int') (declarator 'g(int x)' (parameter (specifiers 'int') (declarator 'x'))) "
       "(compound (return x)))) (expr-stmt (call g 1)))"},
      {"__attribute__((unused)) T x; switch (a) { case 1: __attribute__((fallthrough)); case 2: int y; }",
       "(compound (declaration-stmt (declaration (specifiers 'T') (init (declarator 'x') ()))) (switch a (compound (case 1 () (empty)) "
       "(case 2 () (declaration-stmt (declaration (specifiers 'int') (init (declarator 'y') ())))))))"},
      {"_Static_assert(1, \"x\" \"y\"); __extension__ T z;",
       "(compound (declaration-stmt (static-assert 1)) (declaration-stmt (declaration (specifiers '__extension__ T') (init (declarator 'z') ()))))"},
  };
  for (const auto& row : rows) EXPECT_EQ(tree_of(row.text), row.tree) << row.text;
}

TEST(Statements, PragmasStandAtTheHeadOfABlock) {
  Parsed parsed(
      "#pragma upc strict\nint a;\nvoid f(void) {\n#pragma upc relaxed\n a = 1; {\n#pragma upc strict\n}\n}\n#pragma upc relaxed\n");
  EXPECT_EQ(parsed.messages(), "");
  ASSERT_EQ(parsed.unit->items().size(), 4u);
  EXPECT_EQ(as<ModePragma>(parsed.unit->items()[0])->mode, AccessMode::kStrict);
  const Compound* body = as<Function>(parsed.unit->items()[2])->body();
  EXPECT_EQ(body->mode, AccessMode::kRelaxed);
  EXPECT_EQ(as<Compound>(body->items()[1])->mode, AccessMode::kStrict);
  EXPECT_EQ(as<ModePragma>(parsed.unit->items()[3])->mode, AccessMode::kRelaxed);
}

TEST(Statements, PragmasElsewhereAreReported) {
  EXPECT_EQ(Parsed("void f(void) {\n;\n#pragma upc strict\n}").messages().substr(0, 24),
            "D-PRG-PLACE test.upc:4:1");
  EXPECT_EQ(Parsed("void f(void) {\n;\n#pragma upc strict\n;}").messages().substr(0, 24),
            "D-PRG-PLACE test.upc:4:1");
  EXPECT_EQ(Parsed("int\n#pragma upc relaxed\nx;").messages().substr(0, 24), "D-PRG-PLACE test.upc:3:1");
  EXPECT_EQ(Parsed("#pragma upc quick\nint x;").messages().substr(0, 23), "D-PRG-WORD test.upc:2:1");
  EXPECT_EQ(Parsed("#pragma omp x\n#pragma pupc on\nint x;").messages(), "");
}

}  // namespace

}  // namespace upc2c
