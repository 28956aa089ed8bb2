// SPDX-License-Identifier: BSD-3-Clause
// Type strings of tables of static shared data, in the form that translators write, against the layouts that
// their declarations have in UPC.
#include "upcr/statics/static_type.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

struct Case {
  const char* type;
  std::size_t element, threads, blocks, block_bytes;
};

TEST(StaticType, SaysTheLayout) {
  const Case cases[] = {
      {"R1_i", 4, 4, 1, 4},              // shared int x
      {"A1H_R1_S_i", 4, 4, 4, 4},        // strict shared int x[THREADS]
      {"A10H_R10_i", 4, 3, 3, 40},       // shared [10] int x[10 * THREADS]
      {"A8_R0_d", 8, 5, 1, 64},          // shared [] double x[8]
      {"A8H_R0_d", 8, 5, 1, 320},        // shared [] double x[8 * THREADS]
      {"A4H_A4_R4_d", 8, 2, 8, 32},      // shared [4] double x[4 * THREADS][4]
      {"A2_A4_R1_i", 4, 16, 8, 4},       // shared int x[2][4]
      {"A2H_R3_i", 4, 4, 3, 12},         // shared [3] int x[2 * THREADS]: the last block is not full
      {"A7_R100_c", 1, 2, 1, 7},         // shared [100] char x[7]
      {"A1H_R1_PR1_v", 8, 2, 2, 8},      // shared int *shared x[THREADS]: the type pointed to is ignored
      {"A3_R1_N6A9_R0_", 16, 1, 3, 16},  // the element's type is ignored
  };
  for (const Case& c : cases) {
    const auto layout = upcr::layout_of_type(c.type, c.element, c.threads);
    ASSERT_TRUE(layout.has_value()) << c.type;
    EXPECT_EQ(layout->blocks, c.blocks) << c.type;
    EXPECT_EQ(layout->block_bytes, c.block_bytes) << c.type;
  }
}

TEST(StaticType, SaysNothingOfWhatItDoesNotKnow) {
  for (const char* type : {static_cast<const char*>(nullptr), "", "i", "A20_i", "A_R1_i", "A0_R1_i",
                           "AH_R1_i", "A4", "A4_", "A4R1_i", "R_i", "R1", "A99999999999999999999_R1_i",
                           "A9223372036854775807H_R1_c", "A9223372036854775807_R0_d"})
    EXPECT_FALSE(upcr::layout_of_type(type, 8, 4).has_value()) << (type != nullptr ? type : "null");
  EXPECT_FALSE(upcr::layout_of_type("A8_R0_d", 0, 4).has_value());
}

}  // namespace
