// SPDX-License-Identifier: BSD-3-Clause
// Accesses by type and mode, assignments and updates: what is called, and that no temporary is made without
// need.
#include <gtest/gtest.h>

#include "tests/upc2c/support/lowered.hpp"

namespace {

const char* const kDeclarations = R"(
struct small { char c[3]; };
struct large { int n; double v[40]; };
struct fields { unsigned a : 4, b : 12, c : 8, d : 16; int n; };
struct __attribute__((packed)) tight { char c; int n; double d; };
enum color { red };
shared int x;
strict shared int flag;
shared unsigned char byte;
shared _Bool truth;
shared enum color color;
shared float f;
shared [4] double blocked[8*THREADS];
shared long double extended;
char *shared text;
shared int *shared pts;
shared struct small small;
shared struct large large, others[THREADS];
strict shared struct large careful;
shared struct fields fields;
shared struct tight tights[THREADS];
struct large local;
struct small local_small;
int i;
double d;
int g(void);
struct large make(void);
)";

std::string lower(const std::string& statement) { return lowered(kDeclarations, statement); }

TEST(Accesses, IntegersGoThroughARegister) {
  EXPECT_EQ(lower("i = byte;"), "i = ((unsigned char)upcr_get_pshared_val(byte, 0, sizeof(unsigned char)));");
  EXPECT_EQ(lower("truth = d;"),
            "upcr_put_pshared_val(truth, 0, (upcr_register_value_t)(_Bool)d, sizeof(_Bool));");
  EXPECT_EQ(lower("i = color;"), "i = ((enum color)upcr_get_pshared_val(color, 0, sizeof(enum color)));");
  EXPECT_EQ(lower("text = 0;"),
            "upcr_put_pshared_val(text, 0, (upcr_register_value_t)(uintptr_t)(char *)0, sizeof(char *));");
}

TEST(Accesses, FloatAndDoubleHaveFunctions) {
  EXPECT_EQ(lower("d = f;"), "d = upcr_get_pshared_floatval(f, 0);");
  EXPECT_EQ(lower("blocked[0] = i;"), "upcr_put_shared_doubleval(blocked, 0, i);");
}

TEST(Accesses, OthersAreCopied) {
  EXPECT_EQ(lower("d = extended;"), "d = UPC2C_GET(long double, _pshared, extended, 0);");
  EXPECT_EQ(count(lower("pts = &x;"), "UPC2C_PUT"), 1);
  EXPECT_EQ(count(lower("local_small = small;"), "UPC2C_GET"), 1);
}

TEST(Accesses, LargeAggregatesHaveNoTemporary) {
  EXPECT_EQ(lower("local = large;"), "upcr_get_pshared(&local, large, 0, sizeof(struct large));");
  EXPECT_EQ(lower("large = local;"), "upcr_put_pshared(large, 0, &local, sizeof(struct large));");
  EXPECT_EQ(
      lower("large = others[0];"),
      "upcr_memcpy(upcr_pshared_to_shared(large), upcr_pshared_to_shared(others), sizeof(struct large));");
  EXPECT_EQ(lower("careful = local;"), "upcr_put_pshared_strict(careful, 0, &local, sizeof(struct large));");
  EXPECT_EQ(count(lower("careful = large;"), "upcr_memcpy"), 0);
  EXPECT_EQ(count(lower("large = make();"), "UPC2C_PUT"), 1);
  EXPECT_EQ(count(lower("i = (large = local).n;"), "UPC2C_PUT"), 1);
}

TEST(Accesses, ModesChooseTheFunctions) {
  EXPECT_EQ(count(lower("flag = 1;"), "upcr_put_pshared_val_strict"), 1);
  EXPECT_EQ(count(lower("while (flag) ;"), "upcr_get_pshared_val_strict"), 1);
  EXPECT_EQ(count(lower("i = careful.n;"), "upcr_get_pshared_val_strict"), 1);
  EXPECT_EQ(count(lower("{\n#pragma upc strict\n x = 1; } x = 2;"), "upcr_put_pshared_val_strict"), 1);
  EXPECT_EQ(count(lower("{\n#pragma upc strict\n x = 1; } x = 2;"), "upcr_put_pshared_val"), 1);
  const std::string update = lower("flag++;");
  EXPECT_EQ(count(update, "upcr_get_pshared_val_strict"), 1) << update;
  EXPECT_EQ(count(update, "upcr_put_pshared_val_strict"), 1) << update;
}

TEST(Accesses, StatementsHaveNoTemporaries) {
  for (const char* statement : {"x = 1;", "x += 2;", "x++;", "--x;", "x <<= i;", "blocked[1] *= 2.5;"})
    EXPECT_LE(count(lower(statement), "const"), 1) << lower(statement);
  EXPECT_EQ(lower("x = g();").find("({"), std::string::npos);
  EXPECT_EQ(lower("x++;").find("({"), std::string::npos);
  EXPECT_EQ(lower("f /= 2;"), "upcr_put_pshared_floatval(f, 0, upcr_get_pshared_floatval(f, 0) / 2);");
}

TEST(Accesses, AddressesAndOperandsAreEvaluatedOnce) {
  const std::string update = lower("others[g()].v[i++] += g();");
  EXPECT_EQ(count(update, "g"), 2) << update;
  EXPECT_EQ(count(update, "i"), 1) << update;
  EXPECT_EQ(count(update, "upcr_add_pshared1"), 1) << update;
  EXPECT_EQ(count(lower("i = blocked[g()]++;"), "g"), 1);
  EXPECT_EQ(count(lower("fields.b += g();"), "g"), 1);
}

TEST(Accesses, BitFieldsTouchTheirBytes) {
  // a: byte 0; b: bytes 0 and 1; c: byte 2; d: bytes 3 and 4 would cross an int, so 4 and 5.
  EXPECT_NE(lower("i = fields.a;").find("fields, 0, 1);"), std::string::npos) << lower("i = fields.a;");
  EXPECT_NE(lower("i = fields.b;").find("fields, 0, 2);"), std::string::npos) << lower("i = fields.b;");
  EXPECT_NE(lower("i = fields.c;").find("fields, 2, 1);"), std::string::npos) << lower("i = fields.c;");
  EXPECT_NE(lower("i = fields.d;").find("fields, 4, 2);"), std::string::npos) << lower("i = fields.d;");
  const std::string store = lower("fields.c = 3;");
  EXPECT_EQ(count(store, "upcr_get_pshared"), 1) << store;
  EXPECT_EQ(count(store, "upcr_put_pshared"), 1) << store;
}

TEST(Accesses, MembersOfPackedStructuresAreBytes) {
  EXPECT_EQ(count(lower("i = tights[1].n;"), "upc2c_get_bytes"), 1);
  EXPECT_EQ(count(lower("tights[1].d = 1;"), "upc2c_put_bytes"), 1);
  EXPECT_EQ(count(lower("i = tights[1].c;"), "upc2c_get_bytes"), 0);
}

TEST(Accesses, ArgumentsOfLibraryCallsKeepTheirCommas) {
  const std::string text =
      lowered("shared void *p; extern void upc_memput(shared void *, const void *, unsigned long);",
              "upc_memput(p, (int[]){ 1, 2 }, 8);");
  EXPECT_EQ(text, "upc_memput(p, ((int[]){ 1, 2 }), 8);");
}

}  // namespace
