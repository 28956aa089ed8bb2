// SPDX-License-Identifier: BSD-3-Clause
// Messages as users see them: words of UPC, the source line, caret and range, types beside them, notes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/upc2c/support/source.hpp"
#include "tools/upc2c/diag/render.hpp"

namespace upc2c {
namespace {

// A program in a file, so that its lines can be shown.
class RenderedProgram : public ::testing::Test {
 protected:
  std::string rendered(const std::string& text, bool json = false,
                       const std::vector<std::string>& warnings = {}) {
    const std::string path =
        ::testing::TempDir() + "/upc2c-rendered-program-" + std::to_string(getpid()) + ".upc";
    std::ofstream(path) << text;
    const Checked checked("# 1 \"" + path + "\"\n" + text, path, {}, warnings);
    std::string out = json ? render_json(checked.diagnostics, checked.stream)
                           : render_text(checked.diagnostics, checked.stream, {});
    std::filesystem::remove(path);
    for (std::size_t at; (at = out.find(path)) != std::string::npos;) out.replace(at, path.size(), "f.upc");
    return out;
  }
};

TEST_F(RenderedProgram, ConversionToAPrivatePointer) {
  EXPECT_EQ(
      rendered("shared [4] int hist[4 * THREADS];\nint main(void)\n{\n\tint *q = &hist[3];\n}\n"),
      "f.upc:4:11: error: a pointer-to-shared does not convert to a private pointer; cast it if the object has "
      "affinity to this thread [D-CNV-LOCAL]\n"
      "    4 | \tint *q = &hist[3];\n"
      "      | \t         ^~~~~~~~ 'shared [4] int *'\n");
}

TEST_F(RenderedProgram, DifferenceOfBlockSizes) {
  EXPECT_EQ(
      rendered("shared int *p;\nshared [4] int *q;\nlong f(void) { return p - q; }\n"),
      "f.upc:3:25: error: '-' between pointers-to-shared of different block sizes (1 and 4) [D-ARI-BLOCK]\n"
      "    3 | long f(void) { return p - q; }\n"
      "      |                       ~~^~~ 'shared [4] int *'\n"
      "      |                       'shared int *'\n");
}

TEST_F(RenderedProgram, BoundWithoutThreads) {
  EXPECT_EQ(
      rendered("shared [4] int t[100];\n"),
      "f.upc:1:16: error: the bound of 't' must be THREADS or a multiple of it, since the number of threads is "
      "not known at compile time; write 'shared []' for an array on thread 0, or compile with -T N "
      "[D-THR-NONE]\n"
      "    1 | shared [4] int t[100];\n"
      "      |                ^\n");
}

TEST_F(RenderedProgram, BlockSizeOfManyDigits) {
  const std::string message = rendered("shared [(unsigned __int128)1 << 70] char *p;\n");
  EXPECT_NE(message.find("the block size 1180591620717411303424 is larger"), std::string::npos) << message;
}

TEST_F(RenderedProgram, RedeclarationWithANote) {
  EXPECT_EQ(
      rendered("extern shared [4] int a[4 * THREADS];\n\nshared int a[THREADS];\n"),
      "f.upc:3:12: error: 'a' is declared as 'shared int [THREADS]' here and as 'shared [4] int [4*THREADS]' "
      "before [D-REDECL]\n"
      "    3 | shared int a[THREADS];\n"
      "      |            ^\n"
      "f.upc:1:23: note: the declaration before\n"
      "    1 | extern shared [4] int a[4 * THREADS];\n"
      "      |                       ^\n");
}

TEST_F(RenderedProgram, AffinityOfALoop) {
  EXPECT_EQ(
      rendered("double *d;\nvoid f(void) { int i; upc_forall (i = 0; i < 3; i++; d + i) ; }\n"),
      "f.upc:2:54: error: the affinity of upc_forall has type 'double *'; an integer or a pointer-to-shared is "
      "needed [D-FOR-TYPE]\n"
      "    2 | void f(void) { int i; upc_forall (i = 0; i < 3; i++; d + i) ; }\n"
      "      |                                                      ^~~~~\n");
}

TEST_F(RenderedProgram, WarningWithItsGroup) {
  EXPECT_EQ(rendered("void f(void) { upc_notify; upc_notify; }\n"),
            "f.upc:1:28: warning: upc_notify follows upc_notify without upc_wait [-Wupc-barrier-order]\n"
            "    1 | void f(void) { upc_notify; upc_notify; }\n"
            "      |                            ^~~~~~~~~~\n");
  EXPECT_EQ(rendered("void f(void) { upc_notify; upc_notify; }\n", false, {"-Werror=upc-barrier-order"}),
            "f.upc:1:28: error: upc_notify follows upc_notify without upc_wait [D-BAR-ORDER, "
            "-Werror=upc-barrier-order]\n"
            "    1 | void f(void) { upc_notify; upc_notify; }\n"
            "      |                            ^~~~~~~~~~\n");
}

TEST_F(RenderedProgram, ErrorThatCanBeAWarning) {
  EXPECT_EQ(
      rendered("shared [2] int *p; shared int *q;\nint f(void) { return p == q; }\n"),
      "f.upc:2:24: error: '==' between pointers-to-shared of different block sizes (2 and 1) [D-CMP-BLOCK, "
      "-Wupc-block-compare]\n"
      "    2 | int f(void) { return p == q; }\n"
      "      |                      ~~^~~~ 'shared int *'\n"
      "      |                      'shared [2] int *'\n");
}

TEST_F(RenderedProgram, LayoutsOfOneType) {
  EXPECT_EQ(rendered("typedef shared [2] int T;\nshared [] T x;\n"),
            "f.upc:2:1: error: two layouts in one type: [2] and [] [D-LAY-DUP]\n"
            "    2 | shared [] T x;\n"
            "      | ^~~~~~~~~\n");
}

TEST_F(RenderedProgram, CastOfAPrivatePointer) {
  EXPECT_EQ(
      rendered("shared int *f(int *p) { return (shared int *)p; }\n"),
      "f.upc:1:32: error: a private pointer cannot be cast to a pointer-to-shared (bupc_inverse_cast and "
      "bupc_local_to_shared do that) [D-CAST-SHARED]\n"
      "    1 | shared int *f(int *p) { return (shared int *)p; }\n"
      "      |                                ^~~~~~~~~~~~~~~ 'int *'\n");
}

TEST_F(RenderedProgram, MultipleOfThreadsInAnInitialiser) {
  EXPECT_EQ(
      rendered("static int all = 4 * THREADS;\n"),
      "f.upc:1:22: error: the initialiser of 'all' is evaluated before main: this is known at run time only, and "
      "must be a constant here [D-INI-CONST]\n"
      "    1 | static int all = 4 * THREADS;\n"
      "      |                      ^~~~~~~\n");
}

TEST_F(RenderedProgram, WhatIsMissingAtTheEndOfALine) {
  EXPECT_EQ(rendered("shared int a[THREADS]  // a comment\n\nint main(void) {\n  upc_barrier\n}\n"),
            "f.upc:1:22: error: expected ';' at the end of a declaration [D-SYNTAX]\n"
            "    1 | shared int a[THREADS]  // a comment\n"
            "      |                      ^\n"
            "f.upc:4:14: error: expected ';' behind 'upc_barrier' [D-SYNTAX]\n"
            "    4 |   upc_barrier\n"
            "      |              ^\n");
  EXPECT_NE(
      rendered("int x\nint y;\n", true)
          .find(
              R"("caret": {"file": "f.upc", "line": 1, "column": 6}, "start": {"file": "f.upc", "line": 1, )"),
      std::string::npos);
}

TEST_F(RenderedProgram, Pragma) {
  EXPECT_EQ(
      rendered("int x;\n  #pragma upc strct\nint y;\n"),
      "f.upc:2:3: warning: this pragma is ignored: '#pragma upc' takes strict, relaxed, c_code or upc_code "
      "[-Wupc-pragma]\n"
      "    2 |   #pragma upc strct\n"
      "      |   ^~~~~~~~~~~~~~~~~\n");
}

TEST_F(RenderedProgram, Json) {
  const std::string json = rendered("extern shared int a;\nshared [2] int a;\n", true);
  EXPECT_EQ(
      json,
      R"([{"kind": "error", "message": "'a' is declared as 'shared [2] int' here and as 'shared int' before", )"
      R"("id": "D-REDECL", "locations": [{"caret": {"file": "f.upc", "line": 2, "column": 16}, )"
      R"("start": {"file": "f.upc", "line": 2, "column": 16}, )"
      R"("finish": {"file": "f.upc", "line": 2, "column": 16}}], )"
      R"("children": [{"kind": "note", "message": "the declaration before", )"
      R"("locations": [{"caret": {"file": "f.upc", "line": 1, "column": 19}, )"
      R"("start": {"file": "f.upc", "line": 1, "column": 19}, )"
      R"("finish": {"file": "f.upc", "line": 1, "column": 19}}], "children": []}]}])"
      "\n");
}

}  // namespace
}  // namespace upc2c
