// SPDX-License-Identifier: BSD-3-Clause
// Definitions of functions: main in all forms, inline, the first statement.
#include "tools/upc2c/lower/statement/functions.hpp"

#include <gtest/gtest.h>

#include "tests/upc2c/support/lowered.hpp"
#include "tests/upc2c/support/source.hpp"

namespace upc2c {
namespace {

// The text after the macro that makes main user_main.
std::string after_macro(const std::string& c, const std::string& name) {
  const std::string macro = "#define main " + name + "\n";
  EXPECT_NE(c.find(macro), std::string::npos) << c;
  return c.substr(std::min(c.find(macro), c.size()));
}

void expect_compiled(const std::string& c) {
  std::string messages;
  EXPECT_TRUE(compiles(c, messages, upc_options() + " -std=gnu99")) << messages << c;
}

TEST(Main, IsUserMainAndReturnsZeroAtItsEnd) {
  for (const char* text :
       {"int main(void) { shared_thing = 1; }", "int main() { shared_thing = 1; }",
        "main() { shared_thing = 1; }", "int main(int argc, char **argv) { shared_thing = argc; }",
        "int main(int n, char *v[]) { return 2; }",
        "main(argc, argv) int argc; char **argv; { shared_thing = argc; }", "int main(void) { }"}) {
    const std::string c = translated(std::string("shared int shared_thing;\n") + text);
    const std::string body = after_macro(c, "user_main");
    EXPECT_NE(body.find("return 0; }"), std::string::npos) << c;
    EXPECT_EQ(c.find("int user_main("), std::string::npos) << c;
    expect_compiled(c);
  }
}

TEST(Main, OfOtherTypesIsCalledByUserMain) {
  const std::string c = translated("shared int x;\nvoid main(void) { x = 1; }\n");
  after_macro(c, "upc2c_main");
  EXPECT_NE(c.find("int user_main(int argc, char **argv)"), std::string::npos) << c;
  EXPECT_NE(c.find("main(); return 0;"), std::string::npos) << c;
  expect_compiled(c);
  const std::string three =
      translated("int main(int argc, char **argv, char **envp) { return envp == 0; }\n");
  EXPECT_NE(three.find("return main(argc, argv, environ);"), std::string::npos) << three;
  expect_compiled(three);
}

TEST(Main, MayBeDeclaredBeforeAndCallItself) {
  const std::string c = translated(
      "int main(int, char **);\nint (*pointer)(int, char **) = main;\n"
      "int main(int argc, char **argv) { if (argc > 0) return main(argc - 1, argv); upc_barrier; }\n");
  after_macro(c, "user_main");
  expect_compiled(c);
}

TEST(Main, OthersHaveNoMacro) {
  EXPECT_EQ(translated("int f(void) { upc_barrier; return 0; }\n").find("main"), std::string::npos);
}

TEST(Functions, WithUpcBeginWithTheRuntimesStatement) {
  const std::string c = translated(
      "shared int x;\nint with(void) { return x; }\nint without(int n) { return n + 1; }\n"
      "int labels(void) { __label__ a, b; __label__ c; a: b: c: return x; }\n"
      "int outer(void) { int inner(void) { return x; } return inner(); }\n");
  EXPECT_EQ(count(c.substr(0, c.find("void UPCRI_")), "UPCR_BEGIN_FUNCTION"), 3) << c;
  EXPECT_NE(c.find("int with(void) { UPCR_BEGIN_FUNCTION();"), std::string::npos) << c;
  EXPECT_NE(c.find("int without(int n) { return n + 1; }"), std::string::npos) << c;
  EXPECT_NE(c.find("__label__ c; UPCR_BEGIN_FUNCTION();"), std::string::npos) << c;
  EXPECT_NE(c.find("int outer(void) { UPCR_BEGIN_FUNCTION(); int inner(void) { return"), std::string::npos)
      << c;
}

TEST(Functions, OfOldStyleKeepTheirParameters) {
  const std::string c = translated(
      "double f(p, n, x) shared [2] int *p; int n; double x; { return p[n] * x; }\nint g(a) { return a; }\n"
      "short h(a, b) char b; short *a; { upc_barrier; return a[(int)b]; }\n");
  EXPECT_NE(c.find("double f(p, n, x) "), std::string::npos) << c;
  EXPECT_NE(c.find(" p; int n; double x; {"), std::string::npos) << c;
  EXPECT_NE(c.find("int g(a) { return a; }"), std::string::npos) << c;
  EXPECT_NE(c.find("short h(a, b) char b; short *a; { UPCR_BEGIN_FUNCTION();"), std::string::npos) << c;
  expect_compiled(c);
}

TEST(Functions, PlainInlineOnesHaveAWeakAlias) {
  const std::string c = translated("shared int x;\ninline int f(int i) { return x + i; }\n");
  EXPECT_NE(c.find("static inline int f(int i)"), std::string::npos) << c;
  EXPECT_NE(c.find("__asm__(\"f\") __attribute__((__weak__, __alias__(\"upc2c.inline.f\")))"),
            std::string::npos)
      << c;
  EXPECT_EQ(count(c.substr(0, c.find("void UPCRI_")), "UPCR_BEGIN_FUNCTION"), 1) << c;
  expect_compiled(c);
}

TEST(Functions, InlineOnesWithOtherDeclarationsAreWeakOrTheCCompilers) {
  const std::string weak =
      translated("inline int f(int i);\nint g(void) { return f(1); }\ninline int f(int i) { return i; }\n");
  EXPECT_NE(weak.find("extern __typeof__(f) f __attribute__((__weak__));"), std::string::npos) << weak;
  expect_compiled(weak);
  for (const char* text :
       {"int f(int);\ninline int f(int i) { return i; }\n",
        "inline int f(int i) { return i; }\nextern inline int f(int);\n",
        "static inline int f(int i) { return i; }\n", "extern inline int f(int i) { return i; }\n"}) {
    const std::string c = translated(text);
    EXPECT_NE(c.find("inline int f(int i) { return i; }"), std::string::npos) << c;
    EXPECT_EQ(c.find("weak"), std::string::npos) << c;
  }
}

}  // namespace
}  // namespace upc2c
