// SPDX-License-Identifier: BSD-3-Clause
// The part of an object that each value of an initialiser is for.
#include "tools/upc2c/lower/data/init_leaves.hpp"

#include <gtest/gtest.h>

#include "tests/upc2c/support/source.hpp"

namespace upc2c {
namespace {

const char* const kTypes = R"(
struct pair { int a, b; };
struct nested { char text[4]; struct pair pairs[2]; union { int i; struct pair p; } u; int : 3; int last; };
struct anonymous { int x; struct { int y, z; }; union { int v; double w; }; };
struct pair other;
)";

// "[0].a=1 [0].b=2": the leaves of the initialiser of `object`.
std::string leaves(const std::string& declaration) {
  Checked checked(kTypes + declaration);
  EXPECT_EQ(checked.messages(), "") << declaration;
  const Symbol* symbol = checked.checker.find("object");
  const auto* definition = cast_if<InitDeclarator>(symbol->definition);
  std::string out;
  for (const InitLeaf& leaf : init_leaves(definition->initializer(), symbol->type, checked.types)) {
    if (!out.empty()) out += ' ';
    for (const InitStep& step : leaf.path) {
      if (step.field != nullptr)
        out += "." + std::string(step.field->text);
      else if (step.first == step.last)
        out += "[" + std::to_string(step.first) + "]";
      else
        out += "[" + std::to_string(step.first) + "-" + std::to_string(step.last) + "]";
    }
    out += "=" + std::string(checked.stream.text(leaf.value->tokens));
  }
  return out;
}

TEST(InitLeaves, Scalars) {
  EXPECT_EQ(leaves("int object = 1;"), "=1");
  EXPECT_EQ(leaves("int object = {2};"), "=2");
  EXPECT_EQ(leaves("struct pair object = {};"), "");
}

TEST(InitLeaves, Arrays) {
  EXPECT_EQ(leaves("int object[3] = {1, 2};"), "[0]=1 [1]=2");
  EXPECT_EQ(leaves("int object[] = {[2] = 1, 2};"), "[2]=1 [3]=2");
  EXPECT_EQ(leaves("int object[9] = {[2 ... 4] = 1, 2};"), "[2-4]=1 [5]=2");
  EXPECT_EQ(leaves("int object[2][2] = {1, 2, 3};"), "[0][0]=1 [0][1]=2 [1][0]=3");
  EXPECT_EQ(leaves("int object[2][2] = {{1}, 2, 3};"), "[0][0]=1 [1][0]=2 [1][1]=3");
  EXPECT_EQ(leaves("int object[2][2] = {[0][1] = 1, 2};"), "[0][1]=1 [1][0]=2");
  EXPECT_EQ(leaves("struct pair object[4] = {[0 ... 2].b = 1, 2};"), "[0-2].b=1 [3].a=2");
  EXPECT_EQ(leaves("struct pair object[4] = {[0 ... 2].a = 1, 2};"), "[0-2].a=1 [2].b=2");
}

TEST(InitLeaves, Structures) {
  EXPECT_EQ(leaves("struct nested object = {\"abc\", 1, 2, 3, 4, 5, 6};"),
            ".text=\"abc\" .pairs[0].a=1 .pairs[0].b=2 .pairs[1].a=3 .pairs[1].b=4 .u.i=5 .last=6");
  EXPECT_EQ(leaves("struct nested object = {{'a'}, .u = {.p = {1, 2}}, 3};"),
            ".text[0]='a' .u.p.a=1 .u.p.b=2 .last=3");
  EXPECT_EQ(leaves("struct nested object = {.u.p.b = 1, 2};"), ".u.p.b=1 .last=2");
  EXPECT_EQ(leaves("struct pair object[2] = {{b: 1, a: 2}};"), "[0].b=1 [0].a=2");
  EXPECT_EQ(leaves("struct anonymous object = {1, 2, 3, 4};"), ".x=1 ..y=2 ..z=3 ..v=4");
  EXPECT_EQ(leaves("struct anonymous object = {.w = 1.5, .z = 2};"), "..w=1.5 ..z=2");
}

TEST(InitLeaves, Strings) {
  EXPECT_EQ(leaves("char object[4] = \"abc\";"), "=\"abc\"");
  EXPECT_EQ(leaves("char object[4] = {\"abc\"};"), "={\"abc\"}");
  EXPECT_EQ(leaves("char object[2][4] = {\"a\", {\"b\"}};"), "[0]=\"a\" [1]={\"b\"}");
  EXPECT_EQ(leaves("const char *object[2] = {\"a\", 0};"), "[0]=\"a\" [1]=0");
}

TEST(InitLeaves, ValuesOfStructuresAreForAllOfThem) {
  EXPECT_EQ(leaves("struct pair object[2] = {other, 1};"), "[0]=other [1].a=1");
}

TEST(InitLeaves, DimensionsWithThreadsHaveNoEnd) {
  EXPECT_EQ(leaves("shared int object[2 * THREADS] = {1, 2, 3};"), "[0]=1 [1]=2 [2]=3");
  EXPECT_EQ(leaves("shared int object[THREADS][2] = {1, 2, 3};"), "[0][0]=1 [0][1]=2 [1][0]=3");
}

}  // namespace
}  // namespace upc2c
