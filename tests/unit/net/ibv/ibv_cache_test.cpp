// SPDX-License-Identifier: BSD-3-Clause
// The registration cache: which ranges it finds, and which ones never again.
#include "tests/support/ibv_cache_fixture.hpp"

namespace upcr::ibv {
namespace {

TEST_F(CacheTest, RegistersWholePagesOnce) {
  Registration* r = cache->pin(10 * kPage + 100, kPage, Use::kSource, kPrograms);
  ASSERT_NE(r, nullptr);
  EXPECT_EQ(r->cache, 3u);
  EXPECT_EQ(device.regions[r->key].begin, 10 * kPage);
  EXPECT_EQ(device.regions[r->key].bytes, 2 * kPage);
  EXPECT_TRUE(device.regions[r->key].writable);
  Registration* again = cache->pin(11 * kPage, 8, Use::kSink, kPrograms);
  EXPECT_EQ(again, r);
  cache->unpin(r);
  cache->unpin(again);
  EXPECT_EQ(device.attempts, 1u);
  EXPECT_EQ(cache->bytes(), 2 * kPage);
  // The last byte of a page, and the first of the next.
  EXPECT_TRUE(hit(10, 2));
  EXPECT_FALSE(hit(9, 2));
  EXPECT_FALSE(hit(11, 2));
}

TEST_F(CacheTest, FindsEveryRangeThatIsInsideOne) {
  use(10, 4);
  use(12, 4);
  use(20, 1);
  EXPECT_EQ(cache->kept(), 3u);
  for (std::uintptr_t first = 8; first < 23; ++first) {
    for (std::size_t count = 1; count < 6; ++count) {
      const auto inside = [&](std::uintptr_t a, std::size_t n) {
        return a <= first && first + count <= a + n;
      };
      const bool known = inside(10, 4) || inside(12, 4) || inside(20, 1);
      const std::uint32_t before = device.attempts;
      Registration* r = pin(first, count);
      EXPECT_TRUE(device.covers(r, first * kPage, count * kPage));
      EXPECT_EQ(device.attempts == before, known) << first << " " << count;
      cache->unpin(r);
      if (!known) {  // back to the three
        changed(0, 100);
        cache->reclaim_stale();
        EXPECT_EQ(cache->kept(), 0u);
        use(10, 4);
        use(12, 4);
        use(20, 1);
      }
    }
  }
}

TEST_F(CacheTest, ALargerRangeReplacesThoseInside) {
  use(10, 1);
  use(12, 1);
  use(20, 1);
  Registration* in_use = pin(11, 1);
  use(10, 3);
  EXPECT_EQ(cache->kept(), 2u);
  EXPECT_EQ(device.regions.size(), 3u);  // the one in use is kept for its user
  EXPECT_TRUE(device.covers(in_use, 11 * kPage, kPage));
  cache->unpin(in_use);
  EXPECT_EQ(device.regions.size(), 2u);
  EXPECT_TRUE(hit(11, 1));
  EXPECT_EQ(cache->bytes(), 4 * kPage);
}

TEST_F(CacheTest, RangesThatOverlapAreJoined) {
  watch.are_made = true;
  use(10, 4);
  use(13, 4);
  EXPECT_EQ(cache->kept(), 1u);
  EXPECT_TRUE(hit(10, 7));
  use(16, 8);  // 14 pages, no more than twice its own
  EXPECT_EQ(cache->kept(), 1u);
  EXPECT_TRUE(hit(10, 14));
  EXPECT_EQ(cache->bytes(), 14 * kPage);
  EXPECT_EQ(device.regions.size(), 1u);
  // Two neighbours at once.
  use(40, 2);
  use(46, 2);
  use(41, 6);
  EXPECT_TRUE(hit(40, 8));
  EXPECT_EQ(cache->counts().joined, 3u);
  // One that would add more than the new range has stays alone, and so does one that only touches it.
  use(23, 4);
  EXPECT_EQ(cache->counts().joined, 3u);
  use(48, 8);
  EXPECT_FALSE(hit(47, 2));
  EXPECT_EQ(cache->counts().joined, 3u);
}

TEST_F(CacheTest, NothingIsJoinedWhileAChangeMayBeInProgress) {
  use(10, 4);
  use(13, 4);
  EXPECT_EQ(cache->kept(), 2u);
  EXPECT_EQ(cache->counts().joined, 0u);
  for (const std::uintptr_t first : {20, 23})  // but memory that stays
    cache->unpin(cache->pin(first * kPage, 4 * kPage, Use::kSource, kStays));
  EXPECT_EQ(cache->counts().joined, 1u);
  EXPECT_TRUE(hit(20, 7));
}

TEST_F(CacheTest, MemoryThatStaysIsNotJoinedWithSuchThatMayNot) {
  watch.are_made = true;
  cache->unpin(cache->pin(20 * kPage, 4 * kPage, Use::kSource, kStays));
  use(23, 8);
  EXPECT_EQ(cache->counts().joined, 0u);
  use(30, 8);
  EXPECT_EQ(cache->counts().joined, 1u);
}

TEST_F(CacheTest, AJoinedRangeIsMarkedByAChangeOfAnyPart) {
  watch.are_made = true;
  Registration* first = pin(10, 4);
  Registration* both = pin(13, 4);
  EXPECT_TRUE(device.covers(both, 10 * kPage, 7 * kPage));
  EXPECT_TRUE(device.covers(first, 10 * kPage, 4 * kPage)) << "its user goes on";
  changed(10, 1);
  cache->unpin(first);
  cache->unpin(both);
  EXPECT_FALSE(hit(13, 4));
}

TEST_F(CacheTest, AChangeWhileAJoinedRangeIsRegisteredMarksIt) {
  watch.are_made = true;
  use(10, 4);
  device.on_add = [this] { changed(11, 1); };
  use(13, 4);
  device.on_add = nullptr;
  EXPECT_EQ(cache->counts().joined, 1u);
  EXPECT_EQ(cache->counts().once, 1u);
  EXPECT_FALSE(hit(10, 4));
}

TEST_F(CacheTest, WhatCannotBeJoinedIsRegisteredAlone) {
  watch.are_made = true;
  use(10, 4);
  device.read_only_from = 15 * kPage;  // the device refuses the new range and both together for writing
  Registration* alone = pin(13, 4);
  ASSERT_NE(alone, nullptr);
  EXPECT_FALSE(device.regions[alone->key].writable);
  cache->unpin(alone);
  device.read_only_from = UINTPTR_MAX;
  make(6 * kPage, 100);  // no room for both beside what is kept
  use(10, 3);
  use(12, 3);
  EXPECT_EQ(cache->kept(), 2u);
  EXPECT_EQ(cache->counts().joined, 0u);
}

TEST_F(CacheTest, WhatChangedIsNeverFoundAgain) {
  use(10, 4);
  use(20, 4);
  changed(13, 1);
  EXPECT_FALSE(hit(10, 4));
  EXPECT_TRUE(hit(20, 4));
  changed(9, 1);
  changed(14, 6);
  changed(24, 1);
  EXPECT_TRUE(hit(10, 4));  // neighbours only
  EXPECT_TRUE(hit(20, 4));
  EXPECT_EQ(cache->counts().stale, 1u);
}

TEST_F(CacheTest, WhatChangedWhileInUseStaysForItsUser) {
  Registration* old = pin(10, 4);
  changed(0, 100);
  Registration* now = pin(10, 4);
  EXPECT_NE(old->key, now->key);
  EXPECT_TRUE(device.covers(old, 10 * kPage, 4 * kPage));
  cache->unpin(old);
  EXPECT_EQ(device.regions.size(), 1u);
  cache->unpin(now);
  EXPECT_TRUE(hit(10, 4));
}

TEST_F(CacheTest, ReclaimStaleDeregistersWhatChanged) {
  use(10, 4);
  use(20, 4);
  cache->reclaim_stale();
  EXPECT_EQ(device.regions.size(), 2u);
  changed(10, 1);
  cache->reclaim_stale();
  EXPECT_EQ(device.regions.size(), 1u);
  EXPECT_EQ(cache->bytes(), 4 * kPage);
}

// The pages go while they are being watched, or registered: the transfer that asked for them gets them, and
// no other one.
TEST_F(CacheTest, WhatChangesWhileItIsRegisteredIsUsedOnce) {
  watch.on_watch = [this] { changed(12, 1); };
  use(10, 4);
  EXPECT_EQ(device.regions.size(), 0u);
  watch.on_watch = nullptr;
  device.on_add = [this] { changed(12, 1); };
  use(10, 4);
  EXPECT_EQ(device.regions.size(), 0u);
  device.on_add = [this] { changed(14, 1); };
  use(10, 4);
  device.on_add = nullptr;
  EXPECT_TRUE(hit(10, 4));
  EXPECT_EQ(cache->counts().once, 2u);
}

TEST_F(CacheTest, IsNotUsedWhileAChangeIsInProgress) {
  use(10, 4);
  watch.is_settled = false;
  Registration* r = pin(10, 4);
  EXPECT_EQ(device.regions.size(), 2u);
  cache->unpin(r);
  EXPECT_EQ(device.regions.size(), 1u);
  watch.is_settled = true;
  EXPECT_TRUE(hit(10, 4));
}

TEST_F(CacheTest, WhatCannotBeWatchedIsRegisteredEachTime) {
  watch.unwatchable_from = 50 * kPage;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(hit(60, 4));
    EXPECT_EQ(device.regions.size(), 0u);
  }
  Registration* a = pin(60, 4);
  Registration* b = pin(60, 4);
  EXPECT_NE(a->key, b->key);
  cache->unpin(a);
  EXPECT_TRUE(device.covers(b, 60 * kPage, 4 * kPage));
  cache->unpin(b);
}

TEST_F(CacheTest, MemoryThatStaysNeedsNoWatcher) {
  for (int i = 0; i < 2; ++i) cache->unpin(cache->pin(70 * kPage, kPage, Use::kSource, kStays));
  EXPECT_EQ(device.attempts, 1u);
  EXPECT_EQ(watch.watched, 0u);
  RegistrationCache alone(device, 0, nullptr, {1000 * kPage, 10});
  device.attempts = 0;
  for (int i = 0; i < 2; ++i) alone.unpin(alone.pin(70 * kPage, kPage, Use::kSource, kStays));
  EXPECT_EQ(device.attempts, 1u);
  for (int i = 0; i < 2; ++i) alone.unpin(alone.pin(80 * kPage, kPage, Use::kSource, kPrograms));
  EXPECT_EQ(device.attempts, 3u);
}

TEST_F(CacheTest, ReadOnlyMemoryIsASourceOnly) {
  device.read_only_from = 40 * kPage;
  Registration* r = pin(40, 2);
  ASSERT_NE(r, nullptr);
  EXPECT_FALSE(device.regions[r->key].writable);
  cache->unpin(r);
  EXPECT_TRUE(hit(40, 2));
  EXPECT_EQ(pin(40, 2, Use::kSink), nullptr);
  device.read_only_from = UINTPTR_MAX;  // mprotect
  EXPECT_FALSE(hit(41, 1, Use::kSink));
  EXPECT_TRUE(hit(41, 1, Use::kSource));
  EXPECT_EQ(device.regions.size(), 1u) << "the read-only entry is of no use any more";
  device.nothing_from = 80 * kPage;
  EXPECT_EQ(pin(80, 2), nullptr);
}

}  // namespace
}  // namespace upcr::ibv
