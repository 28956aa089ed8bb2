// SPDX-License-Identifier: BSD-3-Clause
// CRC-32C against published values, its two implementations against each other and against long division bit
// by bit.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

// As conduits/core/base/system/crc32c.hpp has to have them.
namespace upcr {
std::uint32_t crc32c(std::uint32_t crc, const void* data, std::size_t bytes) noexcept;
std::uint32_t crc32c_by_table(std::uint32_t crc, const void* data, std::size_t bytes) noexcept;
std::uint32_t crc32c_by_instruction(std::uint32_t crc, const void* data, std::size_t bytes) noexcept;
bool has_crc32c_instruction() noexcept;

namespace {

using Implementation = std::uint32_t (*)(std::uint32_t, const void*, std::size_t) noexcept;

std::vector<Implementation> implementations() {
  std::vector<Implementation> all{crc32c, crc32c_by_table};
  if (has_crc32c_instruction()) all.push_back(crc32c_by_instruction);
  return all;
}

// Division of polynomials as in a textbook: 0x1EDC6F41, highest power first, over bytes whose lowest bit is
// the first one.
std::uint32_t by_division(const unsigned char* data, std::size_t bytes) {
  std::uint32_t rest = 0xffffffff;
  for (std::size_t i = 0; i < bytes; ++i)
    for (int bit = 0; bit < 8; ++bit) {
      const bool carry = ((rest >> 31) ^ ((data[i] >> bit) & 1)) != 0;
      rest = (rest << 1) ^ (carry ? 0x1EDC6F41u : 0u);
    }
  std::uint32_t reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed |= ((rest >> bit) & 1) << (31 - bit);
  return ~reversed;
}

TEST(Crc32c, PublishedValues) {
  unsigned char zeros[32] = {}, ones[32], up[32], down[32];
  std::memset(ones, 0xff, sizeof ones);
  for (int i = 0; i < 32; ++i) up[i] = static_cast<unsigned char>(i);
  for (int i = 0; i < 32; ++i) down[i] = static_cast<unsigned char>(31 - i);
  for (const Implementation implementation : implementations()) {
    EXPECT_EQ(implementation(0, "123456789", 9), 0xE3069283u);  // the catalogues' check value
    EXPECT_EQ(implementation(0, nullptr, 0), 0u);
    EXPECT_EQ(implementation(0, zeros, 32),
              0x8A9136AAu);  // RFC 3720, B.4; there the first byte is the lowest one
    EXPECT_EQ(implementation(0, ones, 32), 0x62A8AB43u);
    EXPECT_EQ(implementation(0, up, 32), 0x46DD794Eu);
    EXPECT_EQ(implementation(0, down, 32), 0x113FDB5Cu);
  }
}

TEST(Crc32c, ImplementationsAgreeAtEveryLengthAndAlignment) {
  std::mt19937 random(4);
  std::vector<unsigned char> data(600);
  for (unsigned char& c : data) c = static_cast<unsigned char>(random());
  for (std::size_t start = 0; start < 9; ++start)
    for (std::size_t n = 0; n + start <= data.size(); n += n < 40 ? 1 : 37) {
      const std::uint32_t expected = by_division(&data[start], n);
      for (const Implementation implementation : implementations()) {
        ASSERT_EQ(implementation(0, &data[start], n), expected) << start << " " << n;
        const std::size_t half = n / 3;
        ASSERT_EQ(implementation(implementation(0, &data[start], half), &data[start + half], n - half),
                  expected)
            << start << " " << n;
      }
    }
}

TEST(Crc32c, EveryFlipOfOneBitChangesIt) {
  unsigned char data[97];
  for (std::size_t i = 0; i < sizeof data; ++i) data[i] = static_cast<unsigned char>(i * 7);
  for (const Implementation implementation : implementations()) {
    const std::uint32_t whole = implementation(0, data, sizeof data);
    for (std::size_t bit = 0; bit < 8 * sizeof data; ++bit) {
      data[bit / 8] ^= static_cast<unsigned char>(1u << bit % 8);
      ASSERT_NE(implementation(0, data, sizeof data), whole) << bit;
      data[bit / 8] ^= static_cast<unsigned char>(1u << bit % 8);
    }
  }
}

}  // namespace
}  // namespace upcr
