// SPDX-License-Identifier: BSD-3-Clause
// Addresses of shared lvalues: at most one new pointer for an access, and the rest in its offset.
#include <gtest/gtest.h>

#include "tests/upc2c/support/lowered.hpp"

namespace {

const char* const kDeclarations = R"(
struct inner { short s[8]; int n; };
struct outer { int first; struct inner in[3]; double v[4]; struct outer *mine; shared [] struct outer *next; };
shared int one;
shared [4] double blocked[100*THREADS];
shared [4] double grid[10][5*THREADS][8];
shared int cyclic[10*THREADS][3];
shared [] int flat[20][10];
shared struct outer object, objects[THREADS];
shared [] struct outer *head;
shared [4] double *p;
shared int *q;
shared [] char *bytes;
shared [4] double (*row)[8];
int i, j, k;
unsigned u;
double d;
int *local;
)";

std::string lower(const std::string& statement) { return lowered(kDeclarations, statement); }

// Pointers that the text computes.
int pointers(const std::string& text) {
  return count(text, "upcr_add_shared") + count(text, "upcr_add_pshared1") + count(text, "upcr_add_psharedI");
}

TEST(Addresses, ObjectsAndDereferencesNeedNoPointer) {
  EXPECT_EQ(lower("i = one;"), "i = ((int)upcr_get_pshared_val(one, 0, sizeof(int)));");
  EXPECT_EQ(lower("d = *p;"), "d = upcr_get_shared_doubleval(p, 0);");
  EXPECT_EQ(lower("*bytes = 1;"),
            "upcr_put_pshared_val(bytes, 0, (upcr_register_value_t)(char)1, sizeof(char));");
}

TEST(Addresses, SubscriptsOfAllDimensionsAreOneIndex) {
  const std::string text = lower("d = grid[i][j][k];");
  EXPECT_EQ(count(text, "upcr_add_shared"), 1) << text;
  EXPECT_EQ(pointers(text), 1) << text;
  EXPECT_EQ(count(text, "upcr_threads"), 1) << text;
  EXPECT_NE(text.find("(ptrdiff_t)i * 40 * (ptrdiff_t)upcr_threads() + (ptrdiff_t)j * 8 + (ptrdiff_t)k"),
            std::string::npos)
      << text;
  EXPECT_EQ(lower("i = cyclic[2][1];"),
            "i = ((int)upcr_get_pshared_val(upcr_add_pshared1(cyclic, sizeof(int), 7), 0, sizeof(int)));");
}

TEST(Addresses, PointersPlusIntegersAreSubscripts) {
  EXPECT_EQ(lower("d = *(p + i - 3);"),
            "d = upcr_get_shared_doubleval(upcr_add_shared(p, sizeof(double), (ptrdiff_t)i - 3, 4), 0);");
  EXPECT_EQ(lower("d = i[p];"), lower("d = p[i];"));
  EXPECT_EQ(
      lower("d = *(&blocked[i] + j);"),
      "d = upcr_get_shared_doubleval(upcr_add_shared(blocked, sizeof(double), (ptrdiff_t)i + (ptrdiff_t)j, 4), 0);");
  EXPECT_EQ(lower("i = q[-u];"),
            "i = ((int)upcr_get_pshared_val(upcr_add_pshared1(q, sizeof(int), (-u)), 0, sizeof(int)));");
}

TEST(Addresses, PointersToArraysCountTheirElements) {
  EXPECT_EQ(
      lower("d = row[i][k];"),
      "d = upcr_get_shared_doubleval(upcr_add_shared(row, sizeof(double), (ptrdiff_t)i * 8 + (ptrdiff_t)k, 4), 0);");
  EXPECT_EQ(lower("row = row + 2;"), "row = upcr_add_shared(row, sizeof(double), 16, 4);");
}

TEST(Addresses, IndefiniteSubscriptsAreOffsets) {
  EXPECT_EQ(pointers(lower("i = flat[i][j];")), 0);
  EXPECT_EQ(lower("i = bytes[j];"),
            "i = ((char)upcr_get_pshared_val(bytes, (ptrdiff_t)j * sizeof(char), sizeof(char)));");
}

TEST(Addresses, MembersAndWhatIsInThemAreOffsets) {
  EXPECT_EQ(pointers(lower("i = object.in[2].s[i];")), 0);
  EXPECT_EQ(pointers(lower("i = head->in[j].s[i];")), 0);
  const std::string text = lower("objects[i].in[j].n = 1;");
  EXPECT_EQ(count(text, "upcr_add_pshared1"), 1) << text;
  EXPECT_EQ(pointers(text), 1) << text;
  EXPECT_EQ(count(lower("head->next->next->first = 1;"), "UPC2C_GET"), 2);
  // A private member's pointee is private.
  EXPECT_EQ(pointers(lower("i = head->mine->in[1].n;")), 0);
}

TEST(Addresses, AddressesOfMembersAreComputedOnce) {
  EXPECT_EQ(lower("q = &cyclic[0][0];"), "q = cyclic;");
  EXPECT_EQ(lower("p = &blocked[7];"), "p = upcr_add_shared(blocked, sizeof(double), 7, 4);");
  EXPECT_EQ(lower("bytes = (shared [] char *)&head->v[i];").find("({"), std::string::npos);
  EXPECT_EQ(pointers(lower("bytes = (shared [] char *)&head->v[i];")), 1);
  EXPECT_EQ(pointers(lower("bytes = (shared [] char *)&objects[i].v[j];")), 2);
  EXPECT_EQ(lower("p = &*p;"), "p = p;");
}

TEST(Addresses, NoTemporaries) {
  for (const char* statement : {"d = blocked[i];", "blocked[i] = d;", "d = head->v[i];", "i = *q++ ? 1 : 2;",
                                "local = object.mine ? 0 : local;"})
    EXPECT_LE(count(lower(statement), "const"), 1) << lower(statement);
  EXPECT_EQ(lower("blocked[i] = blocked[j];").find("({"), std::string::npos);
}

}  // namespace
