// SPDX-License-Identifier: BSD-3-Clause
// JsonWriter: where commas come (RFC 8259, 2), what of a string is escaped (7), UTF-8 (RFC 3629, 4).
#include "upcr/observe/report/json_writer.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdint>
#include <limits>
#include <string>

namespace upcr::observe {
namespace {

template <typename T>
std::string written(const T& value) {
  JsonWriter json;
  json.value(value);
  return json.text();
}

TEST(JsonWriter, CommasAreBetweenElements) {
  JsonWriter json;
  json.open('{');
  json.member("a", 1);
  json.name("b");
  json.open('[');
  json.value(true);
  json.open('{');
  json.close('}');
  json.open('[');
  json.close(']');
  json.value("c");
  json.close(']');
  json.count("nothing", 0);
  json.count("d", 2);
  json.close('}');
  EXPECT_EQ(json.text(), R"({"a":1,"b":[true,{},[],"c"],"d":2})");
}

TEST(JsonWriter, ElementsOnLinesOfTheirOwn) {
  JsonWriter json;
  json.open('[');
  json.line_end_after_comma();  // nothing is there yet
  json.value(1);
  json.line_end_after_comma();
  json.value(2);
  json.line_end();
  json.close(']');
  EXPECT_EQ(json.text(), "[1,\n2\n]");
}

TEST(JsonWriter, Numbers) {
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written(0.0), "0.000");
  EXPECT_EQ(written(1234567.0625), "1234567.062");  // half: to the even digit
  EXPECT_EQ(written(0.0009765625), "0.001");
  const std::string largest = written(std::numeric_limits<double>::max());
  EXPECT_EQ(largest.size(), 309u + 4);
  EXPECT_EQ(largest.substr(0, 6), "179769");
}

// A program whose locale has a comma in numbers gets JSON all the same.
TEST(JsonWriter, NumbersInAnotherLocale) {
  bool found = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"})
    found = found || std::setlocale(LC_NUMERIC, name) != nullptr;
  if (!found) GTEST_SKIP() << "no locale with a decimal comma is installed";
  const std::string text = written(1.5);
  std::setlocale(LC_NUMERIC, "C");
  EXPECT_EQ(text, "1.500");
}

TEST(JsonWriter, StringsAreEscaped) {
  EXPECT_EQ(written(R"(a"b\c/)"), R"("a\"b\\c/")");
  EXPECT_EQ(written(std::string("\x00\x1f\n\x7f", 4)), "\"\\u0000\\u001f\\u000a\x7f\"");
  JsonWriter json;
  json.open('{');
  json.member("\"", "");
  json.close('}');
  EXPECT_EQ(json.text(), R"({"\"":""})");
}

TEST(JsonWriter, WhatIsUtf8Stays) {
  for (const char* text : {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(written(text), std::string("\"") + text + '"');
}

TEST(JsonWriter, WhatIsNoUtf8IsReplacedByteByByte) {
  const std::string no = "\\ufffd";
  for (const char* text : {"\x80", "\xbf", "\xc2", "\xf5", "\xff"}) EXPECT_EQ(written(text), '"' + no + '"');
  EXPECT_EQ(written("\xc0\x80"), '"' + no + no + '"');  // longer than needed
  EXPECT_EQ(written("\xe0\x9f\xbf"), '"' + no + no + no + '"');
  EXPECT_EQ(written("\xed\xa0\x80"), '"' + no + no + no + '"');           // half of a surrogate pair
  EXPECT_EQ(written("\xf4\x90\x80\x80"), '"' + no + no + no + no + '"');  // beyond U+10FFFF
  EXPECT_EQ(written("\xe2\x82"
                    "a"),
            '"' + no + no + "a\"");  // cut off
}

}  // namespace
}  // namespace upcr::observe
