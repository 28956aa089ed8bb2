// SPDX-License-Identifier: BSD-3-Clause
// Unshared objects with static storage, with pthreads and without.
#include "tools/upc2c/lower/data/thread_data.hpp"

#include <gtest/gtest.h>

#include "tests/upc2c/support/lowered.hpp"
#include "tests/upc2c/support/source.hpp"

namespace upc2c {
namespace {

std::string translated(const std::string& text, bool pthreads) {
  TranslateOptions options;
  options.lower.file = "test.upc";
  options.lower.pthreads = pthreads;
  const Translation result = translate(text, options);
  EXPECT_EQ(result.errors, 0u) << result.messages;
  std::string messages;
  EXPECT_TRUE(compiles(result.c, messages, upc_options() + " -std=gnu99")) << messages << result.c;
  return result.c;
}

std::string used(const std::string& declarations, const std::string& statement) {
  TranslateOptions options;
  options.lower.pthreads = true;
  return lowered(declarations, statement, options);
}

std::string use(const std::string& name) {
  return "(*(__typeof__(" + name + ") *)UPCR_TLD_ADDR(" + name + "))";
}

// upcc must know the objects of every file, or pthreads would share them.
TEST(ThreadData, DefinitionsAreMarkedWithPthreadsAndWithout) {
  for (const bool pthreads : {false, true}) {
    const std::string c = translated(
        "int a, *b, c[3] = {1, 2};\nstatic struct { int m; } d;\nint (*e)(int);\nextern int other;\nextern int given = 3;\n"
        "int f(void) { static int g = 1; return g; }\n",
        pthreads);
    for (const char* name : {"a", "b", "c", "d", "e", "given"})
      EXPECT_EQ(count(c, "UPCR_TLD_DEFINED(" + std::string(name) + ")"), 1) << name << c;
    EXPECT_EQ(count(c, "UPCR_TLD_DEFINED(other)"), 0) << c;
    EXPECT_EQ(count(c, "UPCR_TLD_DEFINED"), 7) << c;
    EXPECT_EQ(count(c, "UPCR_TLD_ADDR"), pthreads ? 1 : 0) << c;
  }
}

TEST(ThreadData, IsUsedByItsAddressWithPthreads) {
  EXPECT_EQ(
      used("int x, a[4]; extern int e; struct s { int m; } v, *p;", "x = a[2] + e + v.m + p->m;"),
      use("x") + " = " + use("a") + "[2] + " + use("e") + " + " + use("v") + ".m + " + use("p") + "->m;");
  EXPECT_EQ(lowered("int x;", "x = 1;"), "x = 1;");
}

TEST(ThreadData, NamesOfOtherThingsStay) {
  EXPECT_EQ(used("int x; struct s { int x; };", "{ int x = 1; struct s v = {.x = x}; v.x++; goto x; x: ; }"),
            "{ int x = 1; struct s v = {.x = x}; v.x++; goto x; x: ; }");
  EXPECT_EQ(used("__thread int x; int f(void); enum { k };", "x = f() + k;"), "x = f() + k;");
}

TEST(ThreadData, OfCIsNotPerThread) {
  EXPECT_EQ(used("\n#pragma upc c_code\nextern int c; int d;\n#pragma upc upc_code\nint u;", "c = d + u;"),
            "c = d + " + use("u") + ";");
  EXPECT_EQ(used("extern int optind; extern char **environ;", "optind = environ != 0;"),
            "optind = environ != 0;");
}

TEST(ThreadData, ConstantsOfAFileAreTheSameForAllThreads) {
  EXPECT_EQ(used("static const int t[2] = {1, 2}; static const char *const s = \"s\"; int *p; static int *q;",
                 "*p = t[1] + s[0] + *q;"),
            "*" + use("p") + " = t[1] + s[0] + *" + use("q") + ";");
  // Other files may declare it without an initial value, and cannot know whether it has an address.
  EXPECT_EQ(used("const int external = 1;", "return external;"), "return " + use("external") + ";");
  EXPECT_EQ(used("int x; static int *const p = &x;", "*p = 1;"), "*" + use("p") + " = 1;");
}

TEST(ThreadData, AddressesAreAssignedOnEachThread) {
  const std::string text = "int x; int *p = &x; static struct { int n; int *q[2]; } s = {3, {0, &x}};\n";
  const std::string c = translated(text, true);
  EXPECT_EQ(c.find("p UPCR_TLD_DEFINED(p) = &x"), std::string::npos) << c;
  const std::size_t init = c.find("void UPCRI_INIT_");
  ASSERT_NE(init, std::string::npos) << c;
  EXPECT_NE(c.find("&" + use("x"), init), std::string::npos) << c;
  EXPECT_NE(translated(text, false).find("int *p UPCR_TLD_DEFINED(p) = &x;"), std::string::npos);
}

TEST(ThreadData, CompoundLiteralsOutsideOfFunctionsAreObjects) {
  const std::string text =
      "int *a = (int[]){1, 2}; struct s { int n; } *b = &(struct s){3};\n"
      "const int *c = (const int[]){4}; unsigned long d = sizeof((int[]){5}); struct s e = (struct s){6};\n"
      "int f(void) { int *g = (int[]){7}; return *g; }\n";
  const std::string c = translated(text, true);
  const std::size_t init = c.find("void UPCRI_INIT_");
  ASSERT_NE(init, std::string::npos) << c;
  for (const char* value : {" = {1, 2};", " = {3};"}) EXPECT_LT(c.find(value), init) << c;
  for (const char* stays :
       {"= (const int[]){4};", "= sizeof((int[]){5});", "= (struct s){6};", "= (int[]){7};"})
    EXPECT_NE(c.find(stays), std::string::npos) << stays << c;
  EXPECT_EQ(translated(text, false).find("void UPCRI_INIT_"), std::string::npos);
}

TEST(ThreadData, OfUnevaluatedOperandsIsConstant) {
  translated(
      "int a[4]; int b[sizeof a / sizeof a[0]];\n_Static_assert(sizeof b == sizeof(int) * 4, \"\");\n"
      "int f(int n) { switch (n) { case sizeof a: return 1; } __typeof__(a) copy = {0}; return copy[0]; }\n",
      true);
}

}  // namespace
}  // namespace upc2c
