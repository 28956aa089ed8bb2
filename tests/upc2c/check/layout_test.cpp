// SPDX-License-Identifier: BSD-3-Clause
// Sizes, alignments and offsets are those of the C compiler: it compiles assertions of what was computed.
#include "tools/upc2c/type/layout.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/upc2c/support/source.hpp"

namespace upc2c {
namespace {

const char* const kRecords =
    "typedef int v4 __attribute__((vector_size(16)));\n"
    "typedef int wide __attribute__((aligned(16)));\n"
    "typedef int narrow __attribute__((aligned(2)));\n"
    "struct empty { };\n"
    "struct plain { char c; short s; int i; long l; char e; };\n"
    "struct floats { char a; float f; char b; double d; char c; long double ld; };\n"
    "struct complexes { char a; float _Complex f; char b; long double _Complex ld; char c; _Float128 q; __int128 n; };\n"
    "struct arrays { char a[3]; short b[5]; struct plain p[2]; char z; };\n"
    "union choice { char c[5]; int i; struct plain p; long double ld; };\n"
    "struct nested { char a; union choice u; struct { char b; struct { short c; int d; }; } s; enum { E1 } e; };\n"
    "struct bits1 { int a : 3; unsigned b : 7; long c : 40; char d : 2; short e : 9; _Bool f : 1; };\n"
    "struct bits2 { char a; int b : 20; int c : 20; char d; int : 0; char e; int : 5; char f; };\n"
    "struct bits3 { long long a : 33, b : 33; unsigned char c : 5, d : 5; int : 3; };\n"
    "struct bits4 { char c : 4; int : 0; } ;\n"
    "union bits5 { int a : 5; long b : 40; char c; };\n"
    "struct bits6 { short s; int a : 17; char c; long b : 1; };\n"
    "struct packed1 { char c; int i; long l; short s; } __attribute__((packed));\n"
    "struct packed2 { char c; int a : 20, b : 20; short s; } __attribute__((packed));\n"
    "struct packed3 { char c; int i __attribute__((packed)); int j; };\n"
    "struct __attribute__((packed, aligned(4))) packed4 { char c; short s; char e; long l; };\n"
    "struct packed5 { char c; struct plain p; int i __attribute__((aligned(8))); } __attribute__((packed));\n"
    "struct aligned1 { char c; int i __attribute__((aligned(32))); char e; };\n"
    "struct aligned2 { char c; } __attribute__((aligned(64)));\n"
    "struct aligned3 { char a; _Alignas(16) char b; wide w; char c; v4 v; char d; struct aligned2 x; };\n"
    "struct aligned4 { char a; narrow n; char b; wide *p; };\n"
    "struct aligned5 { char a; long long b __attribute__((__aligned__(__alignof__(long long)))); };\n"
    "struct flexible { int n; char c; double data[]; };\n"
    "struct zero { char c; int z[0]; char e; };\n"
    "#pragma pack(push, 2)\n"
    "struct pack2 { char c; int i; long l; char e; int b : 20; int d : 20; };\n"
    "#pragma pack(1)\n"
    "struct pack1 { char c; int i; long double l; long b : 33; };\n"
    "#pragma pack(pop)\n"
    "struct unpacked { char c; long l; };\n"
    "#pragma pack(4)\n"
    "struct pack4 { char c; long l; int i __attribute__((aligned(16))); };\n"
    "#pragma pack()\n"
    "struct pointers { char c; void *p; int (*f)(void); char d; int (*a)[3]; };\n"
    "struct vectors { char c; v4 v; char d; v4 w[2]; };\n";

// The structures and unions that the file declares, in its order.
std::vector<const Record*> declared_records(const Checked& checked) {
  std::vector<const Record*> records;
  for (const Node* item : checked.items) {
    const auto* declaration = cast_if<Declaration>(item);
    const auto* spec =
        declaration == nullptr ? nullptr : cast_if<RecordSpec>(declaration->specifiers()->spec);
    if (spec != nullptr) records.push_back(spec->type->record);
  }
  return records;
}

std::string name_of(const Record& record) {
  return (record.is_union ? "union " : "struct ") + std::string(record.tag);
}

TEST(Layout, IsThatOfTheCCompiler) {
  Checked checked(kRecords, "records.c");
  ASSERT_EQ(checked.messages(), "");
  std::string text = kRecords;
  unsigned records = 0;
  for (const Record* declared : declared_records(checked)) {
    const Record& record = *declared;
    const std::string name = name_of(record);
    ASSERT_FALSE(record.unknown_layout) << name;
    text += "_Static_assert(sizeof(" + name + ") == " + std::to_string(record.size) + ", \"size of " + name +
            "\");\n";
    text += "_Static_assert(_Alignof(" + name + ") == " + std::to_string(record.align) + ", \"alignment of " +
            name + "\");\n";
    for (const Field& field : record.fields) {
      if (field.name == 0 || field.is_bit_field()) continue;
      text += "_Static_assert(__builtin_offsetof(" + name + ", " + std::string(field.text) +
              ") == " + std::to_string(field.offset()) + ", \"" + name + "." + std::string(field.text) +
              "\");\n";
    }
    records++;
  }
  EXPECT_GE(records, 30u);
  std::string output;
  EXPECT_TRUE(compiles(text, output)) << output;
}

// C has no offsetof for bit-fields. So a program sets each field of a zeroed object to ones and compares the
// object's bytes with those that the layout predicts.
TEST(Layout, BitFieldsAreWhereTheCCompilerHasThem) {
  Checked checked(kRecords, "records.c");
  std::string text =
      std::string(kRecords) +
      "int memcmp(const void *, const void *, unsigned long); int puts(const char *);\nint main(void) { int bad = 0;\n";
  unsigned fields = 0;
  for (const Record* declared : declared_records(checked)) {
    const Record& record = *declared;
    const std::string name = name_of(record);
    for (const Field& field : record.fields) {
      if (!field.is_bit_field() || field.name == 0) continue;
      std::string bytes(record.size, '\0');
      for (std::uint64_t bit = field.bit_offset;
           bit < field.bit_offset + static_cast<std::uint64_t>(field.bit_width); bit++)
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] | (1 << (bit % 8)));
      text += "{ static " + name + " x; static const unsigned char want[] = {";
      for (const char byte : bytes) text += std::to_string(static_cast<unsigned char>(byte)) + ",";
      text += "}; x." + std::string(field.text) + " = -1; if (memcmp(&x, want, sizeof x)) bad = 1, puts(\"" +
              name + "." + std::string(field.text) + "\"); }\n";
      fields++;
    }
  }
  EXPECT_GE(fields, 20u);
  std::string output;
  EXPECT_TRUE(runs(text + "return bad; }\n", output)) << output;
}

TEST(Layout, OfSharedArrays) {
  Checked checked(
      "struct e { char c; double d; };\n"
      "_Static_assert(upc_localsizeof(shared [4] int[10 * THREADS]) == 48, \"\");\n"
      "_Static_assert(upc_localsizeof(shared int[10 * THREADS]) == 40, \"\");\n"
      "_Static_assert(upc_localsizeof(shared [] struct e[5]) == 80, \"\");\n"
      "_Static_assert(upc_elemsizeof(shared [3] struct e[THREADS][2]) == 16, \"\");\n"
      "_Static_assert(upc_blocksizeof(shared [*] int[10 * THREADS]) == 10, \"\");\n"
      "_Static_assert(upc_blocksizeof(shared int) == 1 && upc_blocksizeof(shared [] int[3]) == 0, \"\");\n"
      "_Static_assert(sizeof(shared int *) == 8, \"\");\n");
  EXPECT_EQ(checked.messages(), "");
  unsigned count = 0;
  for (const Node* item : checked.items) {
    const auto* assertion = cast_if<StaticAssert>(item);
    if (assertion == nullptr) continue;
    ASSERT_NE(assertion->condition()->value, nullptr) << count;
    EXPECT_TRUE(assertion->condition()->value->integer == 1) << count;
    count++;
  }
  EXPECT_EQ(count, 7u);
}

}  // namespace

}  // namespace upc2c
