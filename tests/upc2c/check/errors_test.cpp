// SPDX-License-Identifier: BSD-3-Clause
// Syntax errors: one message for one mistake, at its place; and no text makes the parser fail or hang.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/diag/render.hpp"

namespace upc2c {
namespace {

TEST(SyntaxErrors, AreReportedOnceAtTheirPlace) {
  const struct {
    const char *text, *message;
  } rows[] = {
      {"int x = ;\nint y;", "D-SYNTAX test.upc:1:9 expected an expression before ';'\n"},
      {"int f(void) { return 1 }\nint y;",
       "D-SYNTAX test.upc:1:24 expected ';' behind 'return' before '}'\n"},
      {"int a;\nvoid f(void) {\n  a b;\n  c = 1;\n}\n",
       "D-SYNTAX test.upc:3:5 expected ';' behind an expression before 'b'\n"},
      {"void f(void) {\n  a b;\n  a *c, d;\n}\n", "D-UNDECLARED test.upc:2:3 type 'a' is not declared\n"},
      {"void f(void) {\n  if (a b) c;\n  d;\n}\nint x;",
       "D-SYNTAX test.upc:2:9 expected ')' behind a condition before 'b'\n"},
      {"struct s { int a b; int c; };\nint x;",
       "D-SYNTAX test.upc:1:18 expected ';' behind a member before 'b'\n"},
      {"int a[3;\nint b;", "D-SYNTAX test.upc:1:8 expected ']' at the end of an array's bound before ';'\n"},
      {"}\nint x;", "D-SYNTAX test.upc:1:1 expected a declaration before '}'\n"},
      {"void f(void) { for (;;", "D-SYNTAX test.upc:1:23 expected an expression at the end of the file\n"},
      {"int x = upc_barrier;",
       "D-BAR-EXPR test.upc:1:9 'upc_barrier' is a statement; expected an expression\n"},
      {"void f(void) { upc_fence 1; }",
       "D-SYNTAX test.upc:1:26 expected ';' behind 'upc_fence' before '1'\n"},
      {"void f(void) { upc_forall (;;) ; }",
       "D-SYNTAX test.upc:1:30 expected ';' and an affinity, which may be empty, behind the third expression of "
       "'upc_forall' before ')'\n"},
      {"int @;", "D-SYNTAX test.upc:1:5 expected a name before '@'\n"},
      {"int int x;", "D-SYNTAX test.upc:1:5 two types in one declaration\n"},
  };
  for (const auto& row : rows) EXPECT_EQ(Parsed(row.text).messages(), row.message) << row.text;
}

TEST(SyntaxErrors, WordsOfUpcAsNamesHaveAHint) {
  for (const char* text :
       {"int strict = 1;", "struct s { int shared; };", "int f(struct s *p) { return p->strict; }"}) {
    const std::string message = Parsed(text).messages();
    EXPECT_EQ(message.substr(0, 5), "D-KEY") << text << ": " << message;
    EXPECT_NE(message.find("c_code"), std::string::npos);
  }
}

TEST(SyntaxErrors, SeveralMistakesAreSeveralMessages) {
  Parsed parsed("int a = ;\nvoid f(void) {\n  b c;\n  d e;\n}\nint g = );\n");
  EXPECT_EQ(parsed.diagnostics.errors(), 4u) << parsed.messages();
}

TEST(SyntaxErrors, DeepNestingIsAnError) {
  for (const char* unit : {"(", "{", "[", "-", "*", "!", "(int)", "a=", "a?", "if(a)", "f(", "{{", "sizeof ",
                           "a:", "int (*", "struct {"}) {
    std::string text = "void f(void) { int x = ";
    for (int i = 0; i < 100000; i++) text += unit;
    Parsed parsed(text);
    EXPECT_GE(parsed.diagnostics.errors(), 1u) << unit;
    EXPECT_LE(parsed.diagnostics.errors(), 5u) << unit;
  }
  std::string chain = "void f(int x) {";
  for (int i = 0; i < 20000; i++) chain += "if (x == " + std::to_string(i) + ") x++; else ";
  Parsed parsed(chain + ";}");
  EXPECT_EQ(parsed.messages(), "");
}

// Cuts the text behind every 7th token of its own; each prefix must end with errors or be whole declarations.
void cut_everywhere(const std::string& file, const std::string& text) {
  const TokenStream whole(text, file);
  unsigned count = 0, cuts = 0, wrong = 0;
  for (TokenIndex i = 0; i + 1 < whole.tokens().size(); i++) {
    const Token& token = whole.token(i);
    if (token.origin != Origin::kUser || ++count % 7 != 0) continue;
    const auto start = std::chrono::steady_clock::now();
    Checked parsed(text.substr(0, token.offset + token.length), file);
    cuts++;
    wrong += parsed.diagnostics.errors() != 0;
    (void)render_text(parsed.diagnostics, parsed.stream, {});
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << file << " token " << i;
  }
  EXPECT_GE(cuts, 5u) << file;
  EXPECT_GE(wrong * 10, cuts * 7) << file;
}

TEST(SyntaxErrors, EveryPrefixOfAnExampleEndsWithErrors) {
  for (const std::string& file : example_programs()) cut_everywhere(file, preprocessed(file, upc_options()));
}

TEST(SyntaxErrors, EveryPrefixOfAProgramEndsWithErrors) {
  unsigned programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(UPC2C_PROGRAMS)) {
    cut_everywhere(entry.path(), read_file(entry.path()));
    programs++;
  }
  EXPECT_GE(programs, 2u);
}

// One token replaced by another one of the same text.
TEST(SyntaxErrors, MutantsDoNotCrash) {
  for (const auto& entry : std::filesystem::directory_iterator(UPC2C_PROGRAMS)) {
    const std::string text = read_file(entry.path());
    const TokenStream whole(text, "p");
    const std::size_t n = whole.tokens().size() - 1;
    for (std::size_t i = 0; i < n; i++) {
      const Token& old = whole.token(static_cast<TokenIndex>(i));
      const auto other = static_cast<TokenIndex>((i * 7919 + 13) % n);
      Checked parsed(text.substr(0, old.offset) + " " + std::string(whole.text(other)) + " " +
                     text.substr(old.offset + old.length));
      (void)parsed.messages();
    }
  }
}

}  // namespace

}  // namespace upc2c
