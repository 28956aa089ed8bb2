// SPDX-License-Identifier: BSD-3-Clause
// Both heaps' ends in one word: moving one leaves the other alone, even while it moves.
#include "upcr/heap/water_mark.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace upcr {
namespace {

constexpr std::uint64_t kGlobalPage = std::uint64_t{1} << 32;

std::unique_ptr<RuntimeArea> area_with(std::uint32_t local_end, std::uint32_t global_begin) {
  auto area = std::make_unique<RuntimeArea>();
  area->water_marks.store(WaterMarks{local_end, global_begin}.word());
  return area;
}
WaterMarks marks(const RuntimeArea& area) { return WaterMarks::of(area.water_marks.load()); }

TEST(WaterMark, LocalEndStopsAtTheGlobalHeapAndAtItsLimit) {
  const auto area = area_with(100, 110);
  EXPECT_FALSE(raise_local_end(area.get(), 11, 1000));
  EXPECT_FALSE(raise_local_end(area.get(), 6, 105));
  EXPECT_FALSE(raise_local_end(area.get(), 1, 99));
  EXPECT_FALSE(raise_local_end(area.get(), ~std::uint32_t{0}, 1000));
  EXPECT_EQ(marks(*area).local_end, 100u);
  EXPECT_TRUE(raise_local_end(area.get(), 5, 105));
  EXPECT_TRUE(raise_local_end(area.get(), 5, 1000));
  EXPECT_FALSE(raise_local_end(area.get(), 1, 1000));
  EXPECT_EQ(marks(*area).local_end, 110u);
  EXPECT_EQ(marks(*area).global_begin, 110u);
  lower_local_end(area.get(), 3);
  EXPECT_EQ(marks(*area).local_end, 107u);
}

// No change of either half is lost: at the end both have their first values.
TEST(WaterMark, BothEndsMoveAtTheSameTime) {
  constexpr int kRounds = 10'000'000;
  std::atomic<bool> done{false};
  const auto area = area_with(100, 1000);
  std::thread global([&] {
    for (int i = 0; i < kRounds; ++i) {
      area->water_marks.fetch_sub(kGlobalPage);
      area->water_marks.fetch_add(kGlobalPage);
    }
    done.store(true);
  });
  bool raised = true;
  while (!done.load()) {
    raised = raise_local_end(area.get(), 1, 900) && raised;
    lower_local_end(area.get(), 1);
  }
  global.join();
  EXPECT_TRUE(raised);
  EXPECT_EQ(marks(*area).local_end, 100u);
  EXPECT_EQ(marks(*area).global_begin, 1000u);
}

}  // namespace
}  // namespace upcr
