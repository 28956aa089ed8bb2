// SPDX-License-Identifier: BSD-3-Clause
// The registration cache when memory or entries run out.
#include "tests/support/ibv_cache_fixture.hpp"

namespace upcr::ibv {
namespace {

TEST_F(CacheTest, TheOldestIsEvictedWhenBytesRunOut) {
  make(10 * kPage, 100);
  use(10, 4);
  use(20, 4);
  use(10, 4);  // 20 is the oldest now
  use(30, 4);
  EXPECT_TRUE(hit(10, 4));
  EXPECT_TRUE(hit(30, 4));
  EXPECT_EQ(cache->bytes(), 8 * kPage);
  EXPECT_FALSE(hit(20, 4));
  EXPECT_FALSE(hit(40, 11)) << "larger than all";
  EXPECT_FALSE(hit(40, 11));
  EXPECT_EQ(cache->kept(), 2u);
  EXPECT_FALSE(hit(50, 10));
  EXPECT_TRUE(hit(50, 10));
  EXPECT_EQ(cache->kept(), 1u);
}

TEST_F(CacheTest, WhatIsInUseIsNotEvicted) {
  make(10 * kPage, 3);
  Registration* a = pin(10, 4);
  Registration* b = pin(20, 4);
  Registration* c = pin(30, 4);  // does not fit beside them: for once
  EXPECT_EQ(pin(40, 1), nullptr) << "all entries in use";
  EXPECT_EQ(pin(10, 4), a);
  cache->unpin(a);
  EXPECT_TRUE(device.covers(a, 10 * kPage, 4 * kPage));
  cache->unpin(c);
  EXPECT_EQ(device.regions.size(), 2u);
  cache->unpin(a);
  cache->unpin(b);
  EXPECT_EQ(device.regions.size(), 2u);
}

TEST_F(CacheTest, TheOldestIsEvictedWhenEntriesRunOut) {
  make(1000 * kPage, 3);
  for (const std::uintptr_t first : {10, 20, 30, 40}) use(first, 1);
  EXPECT_EQ(cache->kept(), 3u);
  EXPECT_TRUE(hit(40, 1));
  EXPECT_TRUE(hit(20, 1));
  EXPECT_FALSE(hit(10, 1));
  EXPECT_FALSE(hit(30, 1));
}

TEST_F(CacheTest, EvictsWhenTheKernelRefuses) {
  device.room = 10 * kPage;
  use(10, 4);
  use(20, 4);
  Registration* r = pin(30, 6);
  ASSERT_NE(r, nullptr);
  EXPECT_EQ(cache->kept(), 2u);
  EXPECT_EQ(pin(40, 5), nullptr) << "what is left is in use";
  EXPECT_EQ(cache->kept(), 1u);
  cache->unpin(r);
  EXPECT_FALSE(hit(40, 5));
  EXPECT_TRUE(hit(40, 5));
  EXPECT_EQ(pin(50, 11), nullptr);
}

TEST_F(CacheTest, WhatWasRefusedDoesNotEvictOthersAgain) {
  device.room = 10 * kPage;
  use(10, 4);
  EXPECT_EQ(pin(50, 11), nullptr);
  EXPECT_EQ(cache->kept(), 0u) << "its changes could not be detected";
  use(10, 4);
  use(20, 4);
  const std::uint32_t asked = device.attempts;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(pin(50, 11), nullptr);
  EXPECT_EQ(pin(50, 12), nullptr);
  EXPECT_EQ(device.attempts, asked);
  EXPECT_EQ(cache->kept(), 2u);
  use(30, 10);
  EXPECT_TRUE(hit(30, 10)) << "less than what was refused";
  device.room = 20 * kPage;
  Registration* r = nullptr;
  for (int i = 0; i < 3000 && r == nullptr; ++i) r = pin(50, 11);
  ASSERT_NE(r, nullptr) << "there is more room meanwhile";
  cache->unpin(r);
  use(70, 11);
  EXPECT_TRUE(hit(70, 11));
}

TEST_F(CacheTest, ARefusalDuringOtherTransfersProvesNothing) {
  device.room = 10 * kPage;
  Registration* r = pin(10, 4);
  EXPECT_EQ(pin(20, 8), nullptr);
  cache->unpin(r);
  use(20, 8);
  EXPECT_TRUE(hit(20, 8));
}

TEST_F(CacheTest, RegistersNoMoreThanItMay) {
  cache = std::make_unique<RegistrationCache>(device, 0, &watch,
                                              RegistrationCache::Limits{1000 * kPage, 100, 10 * kPage});
  use(10, 4);
  use(20, 4);
  use(30, 4);
  EXPECT_EQ(device.bytes_now, 8 * kPage);
  Registration* a = pin(40, 6);
  Registration* b = pin(50, 4);
  EXPECT_EQ(pin(60, 1), nullptr) << "for once is no way around it";
  EXPECT_EQ(device.bytes_now, 10 * kPage);
  cache->unpin(a);
  use(60, 1);
  cache->unpin(b);
  const std::uint32_t asked = device.attempts;
  EXPECT_EQ(pin(70, 11), nullptr);
  EXPECT_EQ(device.attempts, asked);
  EXPECT_EQ(device.bytes_now, 5 * kPage) << "evicts no other entry";
}

TEST_F(CacheTest, GivesBackAllThatIsNotInUse) {
  EXPECT_FALSE(cache->release_unused());
  use(10, 4);
  use(20, 4);
  Registration* r = pin(30, 4);
  EXPECT_TRUE(cache->release_unused());
  EXPECT_EQ(device.bytes_now, 4 * kPage);
  EXPECT_TRUE(cache->in_use());
  EXPECT_FALSE(cache->release_unused());
  EXPECT_TRUE(device.covers(r, 30 * kPage, 4 * kPage));
  cache->unpin(r);
  EXPECT_TRUE(cache->release_unused());
  EXPECT_FALSE(cache->in_use());
  EXPECT_FALSE(hit(30, 4));
}

TEST_F(CacheTest, NothingIsKeptWhereNothingMay) {
  make(0, 10);
  EXPECT_FALSE(hit(10, 1));
  EXPECT_FALSE(hit(10, 1));
  EXPECT_EQ(device.regions.size(), 0u);
  EXPECT_EQ(watch.watched, 0u);
}

}  // namespace
}  // namespace upcr::ibv
