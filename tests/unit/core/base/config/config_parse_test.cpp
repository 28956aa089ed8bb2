// SPDX-License-Identifier: BSD-3-Clause
// The forms that values of environment variables may have.
#include "conduits/core/base/config/config_parse.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "conduits/core/base/config/edit_distance.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kKi = 1024, kMi = kKi * kKi, kGi = kMi * kKi, kTi = kGi * kKi;

TEST(ParseSize, EveryForm) {
  const struct {
    const char* text;
    std::uint64_t bytes;
  } cases[] = {
      {"0", 0},
      {"1", 1},
      {"4096", 4096},
      {"00064M", 64 * kMi},
      {"3K", 3 * kKi},
      {"3KB", 3 * kKi},
      {"64M", 64 * kMi},
      {"12B", 12},
      {"4096b", 4096},
      {"64MB", 64 * kMi},
      {"1G", kGi},
      {"1GB", kGi},
      {"2T", 2 * kTi},
      {"2TB", 2 * kTi},
      {"5k", 5 * kKi},
      {"5kb", 5 * kKi},
      {"5m", 5 * kMi},
      {"5mB", 5 * kMi},
      {"5g", 5 * kGi},
      {"5t", 5 * kTi},
      {"5Tb", 5 * kTi},
      {"0G", 0},
      {"18446744073709551615", std::numeric_limits<std::uint64_t>::max()},
      {"16777215T", 16777215 * kTi},
      {"17179869183G", 17179869183 * kGi},
  };
  for (const auto& c : cases) {
    std::uint64_t bytes = 12345;
    EXPECT_TRUE(parse_size(c.text, &bytes)) << c.text;
    EXPECT_EQ(bytes, c.bytes) << c.text;
  }
}

TEST(ParseSize, InvalidText) {
  for (const char* text :
       {"",     " ",  "M",   "MB",  "12Q",  "12KiB", "12BK", "12MM",  "12KM",   "12 M", " 12M",
        "12M ", "-1", "-1M", "+1M", "1.5G", "1e6",   "0x10", "12MBs", "twelve", "1G1"}) {
    std::uint64_t bytes = 12345;
    EXPECT_FALSE(parse_size(text, &bytes)) << '"' << text << '"';
    EXPECT_EQ(bytes, 12345u) << '"' << text << '"';
  }
}

TEST(ParseMegabytes, NumbersWithoutAUnit) {
  const struct {
    const char* text;
    std::uint64_t bytes;
  } cases[] = {{"64", 64 * kMi},
               {"0", 0},
               {"1048575", 1048575 * kMi},
               {"64MB", 64 * kMi},
               {"1048576B", 1048576},
               {"2G", 2 * kGi},
               {"8k", 8 * kKi},
               {"67108864B", 64 * kMi}};
  for (const auto& c : cases) {
    std::uint64_t bytes = 12345;
    EXPECT_TRUE(parse_megabytes(c.text, &bytes)) << c.text;
    EXPECT_EQ(bytes, c.bytes) << c.text;
  }
  for (const char* text : {"", "MB", "12Q", "1048576", "67108864", "99999999999999999999", "-1", "64 "}) {
    std::uint64_t bytes = 12345;
    EXPECT_FALSE(parse_megabytes(text, &bytes)) << '"' << text << '"';
    EXPECT_EQ(bytes, 12345u) << '"' << text << '"';
  }
}

TEST(ParseSize, NumbersThatDoNotFit) {
  for (const char* text : {"18446744073709551616", "99999999999999999999999", "16777216T", "17179869184G",
                           "17592186044416M", "18014398509481984K", "18446744073709551615K"}) {
    std::uint64_t bytes = 12345;
    EXPECT_FALSE(parse_size(text, &bytes)) << text;
  }
}

TEST(ParseBool, EveryForm) {
  bool value = false;
  for (const char* text : {"yes", "YES", "Yes", "y", "Y", "true", "True", "on", "ON", "1"}) {
    value = false;
    EXPECT_TRUE(parse_bool(text, &value)) << text;
    EXPECT_TRUE(value) << text;
  }
  for (const char* text : {"no", "NO", "n", "N", "false", "False", "off", "OFF", "0"}) {
    value = true;
    EXPECT_TRUE(parse_bool(text, &value)) << text;
    EXPECT_FALSE(value) << text;
  }
  for (const char* text : {"", "ye", "yess", "2", "01", "-1", " yes", "yes ", "t", "f"})
    EXPECT_FALSE(parse_bool(text, &value)) << '"' << text << '"';
}

TEST(ParseInt, WholeNumbersOnly) {
  std::int64_t value = 0;
  EXPECT_TRUE(parse_int("0", &value) && value == 0);
  EXPECT_TRUE(parse_int("-12", &value) && value == -12);
  EXPECT_TRUE(parse_int("+12", &value) && value == 12);
  EXPECT_TRUE(parse_int("9223372036854775807", &value) && value == std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(parse_int("-9223372036854775808", &value) && value == std::numeric_limits<std::int64_t>::min());
  for (const char* text : {"", "+", "-", "+-1", "-+1", "1.0", "1k", " 1", "1 ", "0x1", "9223372036854775808"})
    EXPECT_FALSE(parse_int(text, &value)) << '"' << text << '"';
}

TEST(ParseRange, EitherSideMayBeMissing) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const struct {
    const char* range;
    std::int64_t min, max;
  } cases[] = {
      {nullptr, kMin, kMax}, {"1..256", 1, 256}, {"-3..-1", -3, -1}, {"1..", 1, kMax}, {"..9", kMin, 9}};
  for (const auto& c : cases) {
    std::int64_t min = 0, max = 0;
    parse_range(c.range, &min, &max);
    EXPECT_EQ(min, c.min);
    EXPECT_EQ(max, c.max);
  }
}

TEST(Choice, FoundInAnyCaseAndSpeltAsDeclared) {
  EXPECT_EQ(find_choice("auto|yes|no", "auto"), "auto");
  EXPECT_EQ(find_choice("auto|yes|no", "YES"), "yes");
  EXPECT_EQ(find_choice("auto|yes|no", "no"), "no");
  for (const char* text : {"", "n", "nope", "aut", "auto|yes", "|"})
    EXPECT_TRUE(find_choice("auto|yes|no", text).empty()) << text;
}

TEST(ValidValue, DescribesTheExpectedValues) {
  const struct {
    ConfigType type;
    const char* choices;
    const char* wrong;
    const char* expected;
  } cases[] = {
      {ConfigType::kSize, nullptr, "12Q", "a number with K, M, G, KB, MB or GB"},
      {ConfigType::kBool, nullptr, "maybe", "yes or no"},
      {ConfigType::kInt, nullptr, "1.5", "a whole number"},
      {ConfigType::kInt, "1..256", "0", "a whole number from 1 to 256"},
      {ConfigType::kInt, "1..256", "257", "a whole number from 1 to 256"},
      {ConfigType::kInt, "1..", "0", "a whole number, 1 or more"},
      {ConfigType::kInt, "..9", "10", "a whole number, 9 or less"},
      {ConfigType::kChoice, "auto|yes|no", "x", "auto, yes or no"},
      {ConfigType::kChoice, "on|off", "x", "on or off"},
      {ConfigType::kChoice, "only", "x", "only"},
  };
  for (const auto& c : cases) {
    const ConfigVar var{"UPCR_TEST_ANY", c.type, nullptr, "test", c.choices};
    std::string expected;
    EXPECT_FALSE(valid_value(var, c.wrong, &expected)) << c.wrong;
    EXPECT_EQ(expected, c.expected);
  }
  std::string expected;
  EXPECT_TRUE(valid_value({"UPCR_TEST_ANY", ConfigType::kString, nullptr, "test"}, "any thing", &expected));
  EXPECT_TRUE(valid_value({"UPCR_TEST_ANY", ConfigType::kInt, nullptr, "test", "1..256"}, "256", &expected));
}

TEST(FormatSize, RoundsToTwoDecimals) {
  const struct {
    std::uint64_t bytes;
    const char* text;
  } cases[] = {{0, "0 bytes"},
               {1, "1 byte"},
               {4096, "4096 bytes"},
               {65535, "65535 bytes"},
               {64 * kKi, "64 KiB"},
               {100 * kKi + 512, "100.5 KiB"},
               {64 * kMi, "64 MiB"},
               {kGi + kGi / 2, "1.5 GiB"},
               {kGi + kGi / 4, "1.25 GiB"},
               {3 * kTi, "3 TiB"},
               {2 * kTi * kKi, "2 PiB"},
               {std::numeric_limits<std::uint64_t>::max(), "16 EiB"}};
  for (const auto& c : cases) {
    char buf[32];
    EXPECT_STREQ(format_size(c.bytes, buf, sizeof buf), c.text);
  }
  char small[5] = "####";
  EXPECT_STREQ(format_size(64 * kMi, small, sizeof small), "64 M");
}

TEST(EditDistance, CountsLettersAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
  EXPECT_EQ(edit_distance("abc", "abd"), 1u);
  EXPECT_EQ(edit_distance("abc", "abcd"), 1u);
  EXPECT_EQ(edit_distance("abc", "acb"), 1u);
  EXPECT_EQ(edit_distance("UPCR_FREZE", "UPCR_FREEZE"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

}  // namespace
}  // namespace upcr
