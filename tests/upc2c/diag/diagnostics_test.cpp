// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/diag/diagnostics.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tools/upc2c/diag/original.hpp"
#include "tools/upc2c/diag/render.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {
namespace {

TEST(Diagnostics, GroupsAreSilencedAndPromoted) {
  Diagnostics d;
  EXPECT_EQ(d.severity(Diag::kHeapSize), Severity::kIgnored);
  EXPECT_TRUE(d.set_option("-Wupc-heap-size"));
  EXPECT_EQ(d.severity(Diag::kHeapSize), Severity::kWarning);
  EXPECT_TRUE(d.set_option("-Werror=upc-heap-size"));
  EXPECT_EQ(d.severity(Diag::kHeapSize), Severity::kError);
  EXPECT_TRUE(d.set_option("-Wno-error=upc-incompatible-pointers"));
  EXPECT_EQ(d.severity(Diag::kCnvLayout), Severity::kWarning);
  EXPECT_TRUE(d.set_option("-Wno-upc-incompatible-pointers"));
  EXPECT_EQ(d.severity(Diag::kCnvLayout), Severity::kIgnored);
  EXPECT_FALSE(d.set_option("-Wno-such-group"));
  EXPECT_EQ(d.severity(Diag::kBarOrder), Severity::kWarning);
  d.all_warnings_are_errors();
  EXPECT_EQ(d.severity(Diag::kBarOrder), Severity::kError);
}

TEST(Diagnostics, OneMessageOfAKindAtOneToken) {
  Diagnostics d;
  d.report(Diag::kSyntax, 3, "first %", {"x"});
  d.report(Diag::kSyntax, 3, "again");
  d.report(Diag::kCall, 3, "other");
  ASSERT_EQ(d.all().size(), 2u);
  EXPECT_EQ(d.all()[0].text, "first x");
  EXPECT_EQ(d.errors(), 2u);
}

class Rendered : public ::testing::Test {
 protected:
  // Writes the file as the user has it; the stream is what the preprocessor made of it.
  Rendered() : path_(::testing::TempDir() + "/upc2c-rendered-" + std::to_string(getpid()) + ".upc") {}
  ~Rendered() override { std::filesystem::remove(path_); }
  void write(const std::string& text) { std::ofstream(path_) << text; }
  std::string marker() const { return "# 1 \"" + path_ + "\"\n"; }
  std::string without_path(std::string text) const {
    for (std::size_t at; (at = text.find(path_)) != std::string::npos;) text.replace(at, path_.size(), "F");
    return text;
  }
  std::string path_;
};

TEST_F(Rendered, CaretsStandInTheOriginalLine) {
  write("int  *q =  & hist[3];  /* why */\n");
  const TokenStream stream(marker() + "int *q = & hist[3];\n", "t");
  Diagnostics d;
  d.report(Diag::kCnvLocal, Mark(4, {4, 9}), "no")
      .label(Mark(TokenRange{4, 9}), "'shared int *'")
      .note(Mark(2), "here");
  EXPECT_EQ(without_path(render_text(d, stream, {})),
            "F:1:12: error: no [D-CNV-LOCAL]\n"
            "    1 | int  *q =  & hist[3];  /* why */\n"
            "      |            ^~~~~~~~~ 'shared int *'\n"
            "F:1:7: note: here\n"
            "    1 | int  *q =  & hist[3];  /* why */\n"
            "      |       ^\n");
}

TEST_F(Rendered, ATokenOfAMacroIsAtTheMacrosName) {
  write("x = SIZE(3) + y;\n");
  const TokenStream stream(marker() + "x = (4 * 3) + y;\n", "t");
  Diagnostics d;
  d.report(Diag::kOperand, 4, "bad");
  EXPECT_EQ(without_path(render_text(d, stream, {})),
            "F:1:5: error: bad [D-OPERAND]\n"
            "    1 | x = SIZE(3) + y;\n"
            "      |     ^~~~\n"
            "F:1:5: note: expanded from macro 'SIZE'\n");
}

// The one that holds at the use: not one that #if leaves out, nor a later one, of which the preprocessor
// (-dD) says nothing or says it later.
TEST_F(Rendered, TheNoteOfAMacroIsAtItsDefinition) {
  write(
      "#if BIG\n#\tdefine SIZE(n)  (4 * (n))\n#else\n#define SIZE(n) (n)\n#endif\nx = SIZE(3) + y;\n"
      "#undef SIZE\n#define SIZE 5\n");
  const TokenStream stream(
      marker() + "\n#define SIZE(n) (4 * (n))\n\n\n\nx = (4 * (3)) + y;\n#undef SIZE\n#define SIZE 5\n", "t");
  Diagnostics d;
  d.report(Diag::kOperand, 4, "bad");
  EXPECT_EQ(without_path(render_text(d, stream, {})),
            "F:6:5: error: bad [D-OPERAND]\n"
            "    6 | x = SIZE(3) + y;\n"
            "      |     ^~~~\n"
            "F:2:10: note: expanded from macro 'SIZE'\n"
            "    2 | #\tdefine SIZE(n)  (4 * (n))\n"
            "      |  \t       ^~~~\n");
}

// What a macro of a header expands to has a line marker before and behind it.
TEST_F(Rendered, LinesThatThePreprocessorHasBrokenAreWhole) {
  write("int f(void) { SUM(a, ONE); return 0; }\n");
  const std::string more = "# 1 \"" + path_ + "\" 3 4\n";
  const TokenStream stream(marker() + "int f(void) {\n" + more + "             add\n" + marker() +
                               "             (a,\n" + more + "             1\n" + marker() +
                               "             ); return 0; }\n",
                           "t");
  Diagnostics d;
  d.report(Diag::kCall, Mark(TokenRange{6, 12}), "few");
  d.report(Diag::kOperand, 10, "one");
  EXPECT_EQ(without_path(render_text(d, stream, {})),
            "F:1:15: error: few [D-CALL]\n"
            "    1 | int f(void) { SUM(a, ONE); return 0; }\n"
            "      |               ^~~~~~~~~~~\n"
            "F:1:15: note: expanded from macro 'SUM'\n"
            "F:1:22: error: one [D-OPERAND]\n"
            "    1 | int f(void) { SUM(a, ONE); return 0; }\n"
            "      |                      ^~~\n"
            "F:1:22: note: expanded from macro 'ONE'\n");
}

TEST_F(Rendered, TooManyErrorsEnd) {
  write("a a a a\n");
  const TokenStream stream(marker() + "a a a a\n", "t");
  Diagnostics d;
  for (TokenIndex i = 0; i < 4; i++) d.report(Diag::kSyntax, i, "e");
  const std::string text = render_text(d, stream, {false, 2});
  EXPECT_NE(text.find("too many errors"), std::string::npos);
  EXPECT_EQ(text.find(":1:5:"), std::string::npos);
}

TEST_F(Rendered, JsonHasCaretsAndNotes) {
  write("a \"b\";\n");
  const TokenStream stream(marker() + "a \"b\";\n", "t");
  Diagnostics d;
  d.report(Diag::kCmpBlock, 1, "say \"x\"").note(Mark(0), "n");
  const std::string json = without_path(render_json(d, stream));
  EXPECT_NE(
      json.find(
          R"("kind": "error", "message": "say \"x\"", "id": "D-CMP-BLOCK", "option": "-Wupc-block-compare")"),
      std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("caret": {"file": "F", "line": 1, "column": 3})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("finish": {"file": "F", "line": 1, "column": 5})"), std::string::npos) << json;
}

}  // namespace

}  // namespace upc2c
