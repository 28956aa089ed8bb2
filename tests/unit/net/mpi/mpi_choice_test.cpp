// SPDX-License-Identifier: BSD-3-Clause
// conduits/net/mpi/rma/choice: from measured times to the path of each size.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "conduits/net/mpi/rma/choice.hpp"

namespace upcr::mpi {
namespace {

constexpr auto kPut = Access::kPut;
constexpr auto kGet = Access::kGet;

TEST(MpiChoice, IsMessagesAtFirst) {
  const Choice c;
  for (const std::size_t n : {0ul, 1ul, 8ul, 1ul << 20, 1ul << 33, SIZE_MAX}) {
    EXPECT_FALSE(c.through_window(kPut, n));
    EXPECT_FALSE(c.through_window(kGet, n));
  }
  EXPECT_FALSE(c.any(kPut));
  EXPECT_EQ(c.describe(), "puts and gets by messages");
}

TEST(MpiChoice, WindowForEverythingOrForOneOfTheTwo) {
  const Choice all = Choice::window(true, true), gets = Choice::window(false, true);
  for (const std::size_t n : {0ul, 1ul, 8ul, 1ul << 20, 1ul << 33, 1ul << 50, SIZE_MAX}) {
    EXPECT_TRUE(all.through_window(kPut, n));
    EXPECT_TRUE(all.through_window(kGet, n));
    EXPECT_FALSE(gets.through_window(kPut, n));
    EXPECT_TRUE(gets.through_window(kGet, n));
  }
  EXPECT_EQ(all.describe(), "puts and gets through the window");
  EXPECT_EQ(gets.describe(), "puts by messages, gets through the window");
}

TEST(MpiChoice, OneCrossover) {
  Choice c;
  const std::vector<Measured> sizes{
      {64, 400, 2000}, {4096, 1000, 2100}, {65536, 9000, 6000}, {1 << 20, 200e3, 90e3}};
  c.learn(kGet, sizes, Favoured::kMessages);
  for (const Measured& m : sizes) EXPECT_EQ(c.through_window(kGet, m.bytes), m.bytes >= 65536) << m.bytes;
  EXPECT_FALSE(c.any(kPut));
  // The border is half way, in bits, between 4 KiB and 64 KiB.
  EXPECT_FALSE(c.through_window(kGet, 16383));
  EXPECT_TRUE(c.through_window(kGet, 16384));
  EXPECT_TRUE(c.through_window(kGet, std::size_t{1} << 40));
  EXPECT_EQ(c.describe(), "puts by messages, gets by messages below 16384 bytes and through the window");
}

TEST(MpiChoice, WindowForSmallOnly) {
  Choice c;
  c.learn(kPut, std::vector<Measured>{{64, 3000, 400}, {65536, 9000, 30000}}, Favoured::kMessages);
  EXPECT_TRUE(c.through_window(kPut, 0));
  EXPECT_TRUE(c.through_window(kPut, 64));
  EXPECT_FALSE(c.through_window(kPut, 65536));
  EXPECT_FALSE(c.through_window(kPut, SIZE_MAX));
}

TEST(MpiChoice, ADifferenceOfLessThanAFifthDecidesNothing) {
  Choice c;
  c.learn(kPut, std::vector<Measured>{{64, 1000, 801}, {4096, 1000, 1000}}, Favoured::kMessages);
  EXPECT_FALSE(c.any(kPut));
  c.learn(kPut, std::vector<Measured>{{64, 1000, 799}}, Favoured::kMessages);
  EXPECT_TRUE(c.through_window(kPut, 64));
}

TEST(MpiChoice, WhereThreadsShareCpusTheMessagesHaveToWin) {
  Choice c;
  c.learn(kPut, std::vector<Measured>{{64, 1000, 1110}, {4096, 1000, 1090}}, Favoured::kWindow);
  EXPECT_FALSE(c.through_window(kPut, 64));
  EXPECT_TRUE(c.through_window(kPut, 4096));
}

TEST(MpiChoice, TheWindowDoesNotWinSizesThatItDoesNotSupport) {
  Choice c;
  c.learn(kPut, std::vector<Measured>{{64, 1000, 0}, {4096, 0, 5000}}, Favoured::kMessages);
  EXPECT_FALSE(c.through_window(kPut, 64));
  EXPECT_TRUE(c.through_window(kPut, 4096));
  c.learn(kPut, {}, Favoured::kMessages);
  EXPECT_FALSE(c.any(kPut));
}

TEST(MpiChoice, TheWindowHasToWinTwice) {
  const std::vector<Measured> first{{64, 1000, 500}, {512, 1000, 500}, {4096, 1000, 500}, {32768, 1000, 500}},
      second{{64, 1000, 700}, {512, 1000, 900}, {4096, 600, 500}, {32768, 1000, 0}};
  const std::vector<Measured> both = confirmed(first, second, Favoured::kMessages);
  ASSERT_EQ(both.size(), 4u);
  const bool wins[] = {true, false, false, false};
  for (unsigned i = 0; i < 4; ++i) {
    Choice c;
    c.learn(kPut, std::span(&both[i], 1), Favoured::kMessages);
    EXPECT_EQ(c.any(kPut), wins[i]) << i;
  }
  EXPECT_EQ(confirmed(first, {}, Favoured::kMessages).size(), 0u);
}

TEST(MpiChoice, WhereThreadsShareCpusTheMessagesHaveToWinTwice) {
  // The last one: on a machine that was half as fast the second time.
  const std::vector<Measured> first{
      {64, 1000, 1200}, {512, 1000, 1200}, {4096, 1000, 1000}, {32768, 1000, 1200}, {65536, 1000, 1500}},
      second{{64, 1000, 1200}, {512, 1000, 1050}, {4096, 500, 1000}, {32768, 1100, 0}, {65536, 2000, 3000}};
  const std::vector<Measured> both = confirmed(first, second, Favoured::kWindow);
  ASSERT_EQ(both.size(), 5u);
  const bool wins[] = {false, true, true, false, false};
  for (unsigned i = 0; i < 5; ++i) {
    Choice c;
    c.learn(kPut, std::span(&both[i], 1), Favoured::kWindow);
    EXPECT_EQ(c.any(kPut), wins[i]) << i;
  }
}

// Neither path's times of one moment are compared with the other's of another.
TEST(MpiChoice, AFasterMachineMakesNoWinner) {
  const std::vector<Measured> slow{{64, 4000, 3600}}, fast{{64, 1000, 900}};
  for (const Favoured favoured : {Favoured::kMessages, Favoured::kWindow}) {
    Choice c;
    c.learn(kPut, confirmed(slow, fast, favoured), favoured);
    EXPECT_EQ(c.any(kPut), favoured == Favoured::kWindow);
    c.learn(kPut, confirmed(fast, slow, favoured), favoured);
    EXPECT_EQ(c.any(kPut), favoured == Favoured::kWindow);
  }
}

TEST(MpiChoice, SizesThatAreNotMeasuredTwiceFollowTheNextSmallerOne) {
  for (const Favoured favoured : {Favoured::kMessages, Favoured::kWindow}) {
    const bool window = favoured == Favoured::kWindow;
    // Every measurement is a clear loss of the favoured path.
    const double won = window ? 5000 : 50;
    const std::vector<Measured> first{{64, 1000, 1000}, {512, 1000, won}, {4096, 1000, won}},
        second{{64, 1000, 1000}};
    const std::vector<Measured> both = confirmed(first, second, favoured);
    ASSERT_EQ(both.size(), 1u);
    EXPECT_EQ(both[0].bytes, 64u);
    Choice c;
    c.learn(kPut, both, favoured);
    c.learn(kGet, confirmed(first, {}, favoured), favoured);
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{512}, std::size_t{4096}, std::size_t{1} << 40}) {
      EXPECT_EQ(c.through_window(kPut, bytes), window) << bytes;
      EXPECT_EQ(c.through_window(kGet, bytes), window) << bytes;
    }
  }
}

TEST(MpiChoice, TheWindowIsFavouredWhereItNeedsNoneOfTheCpusThatThreadsShare) {
  EXPECT_EQ(favoured_path(true, true), Favoured::kWindow);
  EXPECT_EQ(favoured_path(true, false), Favoured::kMessages);
  EXPECT_EQ(favoured_path(false, true), Favoured::kMessages);
  EXPECT_EQ(favoured_path(false, false), Favoured::kMessages);
}

TEST(MpiChoice, TheLeastTimeDecidesOrTheMedianWhereThreadsShareCpus) {
  EXPECT_EQ(deciding_time({900, 300, 100, 800, 700}, false), 100);
  EXPECT_EQ(deciding_time({900, 300, 100, 800, 700}, true), 700);
  EXPECT_EQ(deciding_time({300, 100, 200}, true), 200);
  EXPECT_EQ(deciding_time({400, 100, 300, 200}, true), 300);  // the upper one of the two in the middle
  EXPECT_EQ(deciding_time({}, false), 0);
  EXPECT_EQ(deciding_time({}, true), 0);
}

// Every measured size takes the path that was faster for it, whatever the table.
TEST(MpiChoice, MeasuredSizesFollowTheirOwnTimes) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Measured> sizes;
    for (unsigned bit = random() % 6; bit < 36; bit += 2 + random() % 8)
      sizes.push_back({(std::size_t{1} << bit) + random() % (std::size_t{1} << bit),
                       1.0 + double(random() % 100), 1.0 + double(random() % 100)});
    for (const auto& [favoured, part] :
         {std::pair(Favoured::kMessages, 0.8), std::pair(Favoured::kWindow, 1.1)}) {
      Choice c;
      c.learn(kPut, sizes, favoured);
      for (const Measured& m : sizes)
        ASSERT_EQ(c.through_window(kPut, m.bytes), m.window_ns < part * m.messages_ns)
            << m.bytes << " of " << sizes.size() << " in round " << round;
    }
  }
}

}  // namespace
}  // namespace upcr::mpi
