// SPDX-License-Identifier: BSD-3-Clause
// System headers are included again, with the macros that the program had; what is a macro of theirs and
// stands in the program all the same is not expanded again.
#include "tools/upc2c/lower/includes.hpp"

#include <gtest/gtest.h>

#include "tests/upc2c/support/lowered.hpp"
#include "tests/upc2c/support/source.hpp"

namespace upc2c {
namespace {

// What stands before the runtime's header, without the first three lines.
std::string prologue(const std::string& c) {
  std::size_t begin = 0;
  for (int line = 0; line < 3; line++) begin = c.find('\n', begin) + 1;
  return c.substr(begin, c.find("#include <upcr/upc2c.h>") - begin);
}

const std::string kEnter = "# 1 \"/usr/include/x.h\" 1 3\n", kLeave = "# 9 \"a.upc\" 2\n";

TEST(Includes, AreReplayedWithTheMacrosOfTheProgram) {
  const std::string c = translated(
      "# 1 \"a.upc\"\n#define A 1\n#define B(x) x + 1\n#include <x.h>\n" + kEnter +
      "#define OF_X 1\n#include <y.h>\n# 1 \"/usr/include/y.h\" 1 3\nint y;\n# 2 \"/usr/include/x.h\" 2 3\nint x;\n" +
      kLeave +
      "#undef A\n#define LIMIT 5\nint user;\n#include <z.h> /* clang -E -dI */\n# 1 \"/usr/include/z.h\" 1 3\nint z;\n" +
      kLeave + "#define AFTER 1\nint more;\n");
  EXPECT_EQ(
      prologue(c),
      "#define A 1\n#define B(x) x + 1\n#include <x.h>\n#undef A\n#define LIMIT 5\n#include <z.h>\n#undef B\n#undef LIMIT\n");
  EXPECT_EQ(c.find("int x;"), std::string::npos);
  EXPECT_EQ(c.find("int y;"), std::string::npos);
  EXPECT_NE(c.find("int user UPCR"), std::string::npos);
  EXPECT_NE(c.find("int more UPCR"), std::string::npos);
}

TEST(Includes, AreFoundByTheirPathWhereTheTextDoesNotSay) {
  const std::string c = translated("# 1 \"a.upc\"\n#include_next <x.h>\n" + kEnter + "int x;\n" + kLeave +
                                   "# 1 \"/usr/include/forced.h\" 1 3\nint f;\n" + kLeave +
                                   "#include \"q.h\"\n" + kEnter + "int q;\n" + kLeave);
  EXPECT_EQ(prologue(c),
            "#include \"/usr/include/x.h\"\n#include \"/usr/include/forced.h\"\n#include <q.h>\n");
}

TEST(Includes, OfTheUpcLibraryAreNotEmittedButTheirSystemHeadersAre) {
  const std::string c = translated(
      "# 1 \"a.upc\"\n#include <upc.h>\n# 1 \"/p/upcr_preinclude/upc.h\" 1 3\n#define upc_name 1\nint of_library;\n#include <x.h>\n" +
      kEnter + "int x;\n# 3 \"/p/upcr_preinclude/upc.h\" 2 3\nint more_of_library;\n" + kLeave +
      "int user;\n");
  EXPECT_EQ(prologue(c), "#include <x.h>\n");
  EXPECT_EQ(c.find("of_library"), std::string::npos);
}

TEST(Includes, OfTheProgramAreEmittedInPlace) {
  const std::string c = translated(
      "# 1 \"a.upc\"\n#include \"u.h\"\n# 1 \"u.h\" 1\ntypedef int u;\n# 2 \"a.upc\" 2\ntypedef int user;\n");
  EXPECT_EQ(prologue(c), "");
  EXPECT_NE(c.find("#line 1 \"u.h\"\ntypedef int u; \n#line 2 \"a.upc\"\ntypedef int user;"),
            std::string::npos)
      << c;
}

TEST(Includes, WithinFunctionsStayThere) {
  const std::string c = translated("# 1 \"a.upc\"\nint f(void) {\n#include <x.h>\n" + kEnter +
                                   "int x;\nint y;\n# 3 \"a.upc\" 2\n" + "return x;\n}\n");
  EXPECT_EQ(prologue(c), "");
  EXPECT_NE(c.find("{\n#include <x.h>\nreturn x;\n}"), std::string::npos) << c;
}

TEST(Includes, NamesThatAreNoMacrosTheFirstTimeAreNoneTheSecondTime) {
  const std::string c = translated(
      "# 1 \"a.upc\"\n#include <x.h>\n" + kEnter +
      "#define index strchr\n#define unused 1\n#define same same\n#define call(x) x\nint (call)(int);\n" +
      kLeave +
      "#undef index\nint index, same;\nint (*pointer)(int) = call;\nstruct s { int unused_too; };\n");
  EXPECT_NE(c.find("#undef call\n#undef index\n"), std::string::npos) << c;
  EXPECT_EQ(c.find("#undef same"), std::string::npos);
  EXPECT_EQ(c.find("#undef unused"), std::string::npos);
}

// <complex.h> makes I a macro, and unix is one of the compiler's in gnu99.
TEST(Includes, ProgramsMayUndefineMacros) {
  const std::string c =
      translated(preprocessed("", upc_options() + " -std=gnu99",
                              "#include <upc.h>\n#include <complex.h>\n#undef I\n#undef unix\n"
                              "shared int unix;\nint f(void) { int I = 3; return I + unix; }\n"));
  std::string messages;
  EXPECT_TRUE(compiles(c, messages, upc_options() + " -std=gnu99")) << messages << c;
}

// As the headers of gnulib do: the header that follows names f in an attribute.
TEST(Includes, DoNotSeeReplacementsThatTheProgramHasDeclared) {
  const std::string c = translated(
      "# 1 \"a.upc\"\n#define g rpl_g\n#include <x.h>\n" + kEnter + "int rpl_g(int);\n" + kLeave +
      "#define f rpl_f\nextern int rpl_f(int);\n#include <z.h>\n# 1 \"/usr/include/z.h\" 1 3\nint z;\n" +
      kLeave);
  EXPECT_EQ(prologue(c), "#define g rpl_g\n#include <x.h>\n#include <z.h>\n#undef g\n");
}

TEST(Includes, LeaveMacrosOfTheStandardDefined) {
  const std::string c = translated("# 1 \"a.upc\"\n#define __STDC_WANT_LIB_EXT2__ 1\n#include <x.h>\n" +
                                   kEnter + "int x;\n" + kLeave);
  EXPECT_EQ(prologue(c), "#define __STDC_WANT_LIB_EXT2__ 1\n#include <x.h>\n");
}

TEST(Pragmas, OfTheCCompilerStayAndOthersGo) {
  const std::string c = translated(
      "# 1 \"a.upc\"\n#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)\n#pragma upc strict\n"
      "int f(int n) {\n#pragma upc relaxed\n int i;\n#pragma omp parallel for\n for (i = 0; i < n; i++) n++;\n return n;\n}\n"
      "#pragma pupc on\n# 1 \"/usr/include/x.h\" 1 3\n#pragma system\nint x;\n# 20 \"a.upc\" 2\n#pragma GCC last\n");
  EXPECT_NE(c.find("#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)\n"),
            std::string::npos)
      << c;
  EXPECT_NE(c.find("\n#pragma omp parallel for\nfor (i = 0;"), std::string::npos) << c;
  EXPECT_NE(c.find("\n#pragma pupc on\n"), std::string::npos) << c;
  EXPECT_NE(c.find("\n#pragma GCC last\n"), std::string::npos) << c;
  EXPECT_EQ(c.find("#pragma upc"), std::string::npos);
  EXPECT_EQ(c.find("#pragma system"), std::string::npos);
}

TEST(Pragmas, StandOnceAndInTheirLines) {
  const std::string c = translated(
      "# 1 \"a.upc\"\nshared int x;\nint f(void) {\n  x = 1;\n#pragma GCC one\n  for (;;) x = 2;\n}\n#pragma GCC two\nint y;\n");
  const TokenStream output(c, "prologue");
  ASSERT_EQ(output.pragmas().size(), 2u) << c;
  EXPECT_EQ(output.lines().place(output.pragmas()[0].offset).line, 4u) << c;
  EXPECT_EQ(output.lines().place(output.pragmas()[1].offset).line, 7u) << c;
}

}  // namespace
}  // namespace upc2c
