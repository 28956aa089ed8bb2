// SPDX-License-Identifier: BSD-3-Clause
// The functions that start-up code calls: what shared objects are allocated by, and what their initial values
// and those of private pointers are assigned by.
#include <gtest/gtest.h>

#include "tests/upc2c/support/lowered.hpp"

namespace {

std::string translated(const std::string& text, const upc2c::TranslateOptions& options = {}) {
  upc2c::TranslateOptions with_file = options;
  with_file.lower.file = "/test.upc";
  const upc2c::Translation result = upc2c::translate(text, with_file);
  return result.errors != 0 ? "error: " + result.messages : result.c;
}

upc2c::TranslateOptions threads(std::int64_t n) {
  upc2c::TranslateOptions options;
  options.check.threads = options.lower.threads = n;
  return options;
}

// The numbers of an object in the table: blockbytes, numblocks, times THREADS, element size.
std::string entry(const std::string& text, const upc2c::TranslateOptions& options = {}) {
  std::string c = translated(text, options);
  const std::size_t begin = c.find("{&x, ");
  if (begin == std::string::npos) return c;
  return c.substr(begin + 5, c.find(", \"x\"", begin) - begin - 5);
}

// The body of UPCRI_INIT_...
std::string initialised(const std::string& text, const upc2c::TranslateOptions& options = {}) {
  const std::string c = translated(text, options);
  const std::size_t function = c.find("void UPCRI_INIT_");
  if (function == std::string::npos) return "";
  const std::size_t begin = c.find("UPCR_BEGIN_FUNCTION();", function) + 23;
  return c.substr(begin, c.find("\n}\n", begin) - begin);
}

TEST(StaticData, TablesOfTheDynamicEnvironment) {
  EXPECT_EQ(entry("shared int x;"), "sizeof(int), 1, 0, sizeof(int)");
  EXPECT_EQ(entry("shared [7] int x;"), "sizeof(int), 1, 0, sizeof(int)");
  EXPECT_EQ(entry("shared int x[THREADS];"), "sizeof(int), 1, 1, sizeof(int)");
  EXPECT_EQ(entry("shared int x[5 * THREADS];"), "sizeof(int), 5, 1, sizeof(int)");
  EXPECT_EQ(entry("shared [3] double x[7 * THREADS];"), "3 * sizeof(double), 3, 1, sizeof(double)");
  EXPECT_EQ(entry("shared [100] char x[7 * THREADS];"), "100 * sizeof(char), 1, 1, sizeof(char)");
  EXPECT_EQ(entry("shared [*] int x[7 * THREADS];"), "7 * sizeof(int), 1, 1, sizeof(int)");
  EXPECT_EQ(entry("shared [] int x[7][3];"), "21 * sizeof(int), 1, 0, sizeof(int)");
  EXPECT_EQ(entry("shared [4] int x[3][2 * THREADS][5];"), "4 * sizeof(int), 8, 1, sizeof(int)");
  EXPECT_EQ(entry("struct s { int a; }; shared struct s x[THREADS];"),
            "sizeof(struct s), 1, 1, sizeof(struct s)");
  EXPECT_EQ(entry("shared [2] int *shared x[THREADS];"), "sizeof(upc_p2_int), 1, 1, sizeof(upc_p2_int)");
}

TEST(StaticData, TablesOfTheStaticEnvironment) {
  EXPECT_EQ(entry("shared int x[10];", threads(3)), "sizeof(int), 10, 0, sizeof(int)");
  EXPECT_EQ(entry("shared [4] int x[10];", threads(3)), "4 * sizeof(int), 3, 0, sizeof(int)");
  EXPECT_EQ(entry("shared [*] int x[10];", threads(3)), "4 * sizeof(int), 3, 0, sizeof(int)");
  EXPECT_EQ(entry("shared [100] int x[10];", threads(3)), "10 * sizeof(int), 1, 0, sizeof(int)");
  EXPECT_EQ(entry("shared [2] int x[2 * THREADS][THREADS + 1];", threads(3)),
            "2 * sizeof(int), 12, 0, sizeof(int)");
  EXPECT_EQ(entry("shared [] int x[THREADS];", threads(3)), "3 * sizeof(int), 1, 0, sizeof(int)");
}

TEST(StaticData, OneEntryForAllDeclarationsOfAnObject) {
  const std::string c =
      translated("extern shared int x; shared int x; shared int x = 1; extern shared int x;");
  EXPECT_EQ(count(c, "{&x"), 1) << c;
  EXPECT_EQ(count(translated("extern shared int x;"), "upcr_startup_pshalloc"), 0);
  EXPECT_NE(c.find("\"x\", \"shared int\"}"), std::string::npos) << c;
}

TEST(StaticData, ZerosNeedNoStatement) {
  for (const char* text :
       {"shared int x = 0;", "shared int x = {0};", "shared int x[THREADS] = {0};",
        "shared int x[THREADS] = {};", "shared double x = 0.0;", "shared int *shared x = 0;",
        "struct s { int a; shared int *p; }; shared struct s x = {0, 0};", "shared int x = 'a' - 97;",
        "shared int *p = 0;", "int x = 5;"})
    EXPECT_EQ(initialised(text), "") << text;
  EXPECT_NE(initialised("shared double x = -0.0;"), "");
}

TEST(StaticData, ArraysGiveTheElementsThatTheInitialiserNames) {
  const auto has = [](const std::string& text, const std::string& value, const std::string& dimensions) {
    const std::string c = initialised(text);
    EXPECT_NE(c.find(value), std::string::npos) << c;
    EXPECT_NE(c.find("[] = {" + dimensions + "};"), std::string::npos) << c;
  };
  has("shared int x[4 * THREADS] = {1, 2};", "[2] = {1, 2};", "{2, 4, 1}");
  has("shared [] int x[5][100] = {[3] = {1, [7] = 2}};", "[4][8] = {[3] = {1, [7] = 2}};",
      "{4, 5, 0}, {8, 100, 0}");
  has("shared [] int x[2][3] = {1, 2, 3, 4};", "[2][3] = {1, 2, 3, 4};", "{2, 2, 0}, {3, 3, 0}");
  has("shared int x[3][THREADS] = {{1}, {2}};", "[2][1] = {{1}, {2}};", "{2, 3, 0}, {1, 1, 1}");
  has("shared [] char x[10] = \"abc\";", "[4] = \"abc\";", "{4, 10, 0}");
  has("shared [] char x[3] = \"abc\";", "[3] = \"abc\";", "{3, 3, 0}");
  has("shared [] struct { int a, b; } x[9] = {1, 2, 3};", "[2] = {1, 2, 3};", "{2, 9, 0}");
}

TEST(StaticData, FlexibleArrayMembersHaveNoElements) {
  const std::string type = "struct s { int n; shared [] struct s *p; int a[]; };";
  EXPECT_EQ(translated(type + "shared struct s x = {1};").find("error"), std::string::npos);
  EXPECT_EQ(translated(type + "static struct s y = {1, 0, {2, 3}};").find("error"), std::string::npos);
  EXPECT_NE(translated(type + "shared struct s x = {1, 0, {2, 3}};").find("D-INI-COUNT"), std::string::npos);
}

TEST(StaticData, OnlyThread0WritesScalars) {
  const std::string c = initialised("shared int x = 5; shared [3] short y = 6; shared int *shared z = &x;");
  EXPECT_EQ(count(c, "if (upcr_mythread() == 0) {"), 3);
  EXPECT_EQ(count(c, "upcr_put_pshared"), 2) << c;
  EXPECT_EQ(count(c, "upcr_put_shared"), 1) << c;
  EXPECT_NE(c.find("static const int "), std::string::npos) << c;
}

TEST(StaticData, PrivatePointersAreAssignedInTheOrderOfTheText) {
  EXPECT_EQ(
      initialised(
          "shared int x; shared int *p = &x; struct s { int n; shared int *q[3]; } s = {1, {[1] = &x}};"),
      "p = x;\ns.q[1] = x;");
  EXPECT_EQ(initialised("int x, *p = &x; static int y = 1;"), "");
  upc2c::TranslateOptions pthreads;
  pthreads.lower.pthreads = true;
  EXPECT_EQ(count(initialised("int x, *p = &x; static int y = 1;", pthreads), "UPCR_TLD_ADDR"), 2);
}

TEST(StaticData, StaticsOfFunctions) {
  const std::string c = translated(
      "void f(void) { static shared int x = 1; static int y; x = y; }\n"
      "void g(void) { static shared int x[THREADS]; x[0] = 1; }\n");
  EXPECT_EQ(count(c, "{&x"), 0) << c;
  EXPECT_NE(c.find("static upcr_pshared_ptr_t f_x_"), std::string::npos) << c;
  EXPECT_NE(c.find("static upcr_pshared_ptr_t g_x_"), std::string::npos) << c;
  EXPECT_LT(c.find("static upcr_pshared_ptr_t f_x_"), c.find("void f(void)"));
  EXPECT_GT(c.find("static int y"), c.find("void f(void)")) << "it stays where it is";
}

TEST(StaticData, InitialValuesOfMovedStaticsDoNotNeedNamesOfTheFunction) {
  const std::string c = translated(
      "shared int a[9 * THREADS];\n"
      "void f(void) { enum { N = 3 }; typedef short T; static shared int *p = &a[(T)1 + N]; (void)p; }\n");
  const std::string init = c.substr(c.find("void UPCRI_INIT_"));
  EXPECT_EQ(count(init, "N") + count(init, "T"), 0) << init;
}

TEST(StaticData, SizesThatWereTakenForGrantedAreAsserted) {
  const std::string c = translated(
      "struct s { int a; double d[2]; }; shared [sizeof(struct s)] char x[2 * sizeof(struct s) * THREADS];");
  EXPECT_EQ(count(c, "_Static_assert"), 1) << c;
  EXPECT_NE(c.find("_Static_assert(sizeof(struct s) == 24,"), std::string::npos) << c;
}

}  // namespace
