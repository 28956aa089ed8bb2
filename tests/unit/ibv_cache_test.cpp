// SPDX-License-Identifier: BSD-3-Clause
// The registration cache over a device and a watcher that are made up.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "conduits/ibv/registration_cache.hpp"

namespace upcr::ibv {
namespace {

constexpr std::uintptr_t kPage = 4096;
constexpr auto kPrograms = RegistrationCache::Memory::kPrograms;
constexpr auto kStays = RegistrationCache::Memory::kStays;

// Has room for `room` bytes; the key tells what was registered and when.
class FakeDevice final : public Registrar {
 public:
  struct Region {
    std::uintptr_t begin;
    std::size_t bytes;
    bool writable;
  };
  Answer add(std::uintptr_t begin, std::size_t bytes, bool writable, std::uint32_t* key,
             void** handle) override {
    const std::lock_guard guard(mutex);
    ++asked;
    if (on_add) on_add();
    if (begin >= read_only_from && writable) return Answer::kNotAllowed;
    if (begin >= nothing_from) return Answer::kNotAllowed;
    if (bytes_now + bytes > room) return Answer::kNoRoom;
    bytes_now += bytes;
    regions[++last] = {begin, bytes, writable};
    *key = last;
    *handle = reinterpret_cast<void*>(static_cast<std::uintptr_t>(last));
    return Answer::kOk;
  }
  void remove(void* handle) override {
    const std::lock_guard guard(mutex);
    const auto region = regions.find(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle)));
    ASSERT_NE(region, regions.end());
    bytes_now -= region->second.bytes;
    regions.erase(region);
  }
  bool covers(const Registration* r, std::uintptr_t at, std::size_t bytes) {
    const std::lock_guard guard(mutex);
    const auto region = regions.find(r->key);
    return region != regions.end() && region->second.begin <= at &&
           at + bytes <= region->second.begin + region->second.bytes;
  }

  std::mutex mutex;
  std::map<std::uint32_t, Region> regions;
  std::uint32_t last = 0, asked = 0;
  std::size_t bytes_now = 0, room = SIZE_MAX / 2;
  std::uintptr_t read_only_from = UINTPTR_MAX, nothing_from = UINTPTR_MAX;
  std::function<void()> on_add;
};

class FakeWatch final : public ChangeWatch {
 public:
  bool settled() noexcept override { return is_settled; }
  bool watch(std::uintptr_t begin, std::uintptr_t end) noexcept override {
    ++watched;
    if (on_watch) on_watch();
    return begin < unwatchable_from && begin < end;
  }
  bool is_settled = true;
  std::atomic<unsigned> watched{0};
  std::uintptr_t unwatchable_from = UINTPTR_MAX;
  std::function<void()> on_watch;
};

class CacheTest : public testing::Test {
 protected:
  // Pages `first` to `first + count - 1`.
  Registration* pin(std::uintptr_t first, std::size_t count, Use use = Use::kSource) {
    return cache->pin(first * kPage, count * kPage, use, kPrograms);
  }
  void use(std::uintptr_t first, std::size_t count, Use how = Use::kSource) {
    cache->unpin(pin(first, count, how));
  }
  // Would it be found? Leaves it the newest if so.
  bool hit(std::uintptr_t first, std::size_t count, Use how = Use::kSource) {
    const std::uint32_t before = device.asked;
    use(first, count, how);
    return device.asked == before;
  }
  void changed(std::uintptr_t first, std::size_t count) {
    cache->changed(first * kPage, (first + count) * kPage);
  }
  void make(std::size_t bytes, std::uint32_t entries) {
    cache = std::make_unique<RegistrationCache>(device, 3, &watch, RegistrationCache::Limits{bytes, entries});
  }
  void SetUp() override { make(1000 * kPage, 100); }
  void TearDown() override {
    cache.reset();
    EXPECT_TRUE(device.regions.empty()) << "registered for ever";
  }

  FakeDevice device;
  FakeWatch watch;
  std::unique_ptr<RegistrationCache> cache;
};

TEST_F(CacheTest, RegistersWholePagesOnce) {
  Registration* r = cache->pin(10 * kPage + 100, kPage, Use::kSource, kPrograms);
  ASSERT_NE(r, nullptr);
  EXPECT_EQ(r->device, 3u);
  EXPECT_EQ(device.regions[r->key].begin, 10 * kPage);
  EXPECT_EQ(device.regions[r->key].bytes, 2 * kPage);
  EXPECT_TRUE(device.regions[r->key].writable);
  Registration* again = cache->pin(11 * kPage, 8, Use::kSink, kPrograms);
  EXPECT_EQ(again, r);
  cache->unpin(r);
  cache->unpin(again);
  EXPECT_EQ(device.asked, 1u);
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
      const std::uint32_t before = device.asked;
      Registration* r = pin(first, count);
      EXPECT_TRUE(device.covers(r, first * kPage, count * kPage));
      EXPECT_EQ(device.asked == before, known) << first << " " << count;
      cache->unpin(r);
      if (!known) {  // back to the three
        changed(0, 100);
        cache->tidy();
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

TEST_F(CacheTest, TidyGivesBackWhatChanged) {
  use(10, 4);
  use(20, 4);
  cache->tidy();
  EXPECT_EQ(device.regions.size(), 2u);
  changed(10, 1);
  cache->tidy();
  EXPECT_EQ(device.regions.size(), 1u);
  EXPECT_EQ(cache->bytes(), 4 * kPage);
}

// The pages go while they are being watched, or registered: the transfer gets what it asked for, nobody else.
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

TEST_F(CacheTest, IsNotUsedWhileAChangeIsUnderWay) {
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
  EXPECT_EQ(device.asked, 1u);
  EXPECT_EQ(watch.watched, 0u);
  RegistrationCache alone(device, 0, nullptr, {1000 * kPage, 10});
  device.asked = 0;
  for (int i = 0; i < 2; ++i) alone.unpin(alone.pin(70 * kPage, kPage, Use::kSource, kStays));
  EXPECT_EQ(device.asked, 1u);
  for (int i = 0; i < 2; ++i) alone.unpin(alone.pin(80 * kPage, kPage, Use::kSource, kPrograms));
  EXPECT_EQ(device.asked, 3u);
}

TEST_F(CacheTest, ReadOnlyMemoryIsASourceAndNoSink) {
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

TEST_F(CacheTest, TheOldestGoesWhenBytesRunOut) {
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

TEST_F(CacheTest, WhatIsInUseDoesNotGo) {
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

TEST_F(CacheTest, TheOldestGoesWhenEntriesRunOut) {
  make(1000 * kPage, 3);
  for (const std::uintptr_t first : {10, 20, 30, 40}) use(first, 1);
  EXPECT_EQ(cache->kept(), 3u);
  EXPECT_TRUE(hit(40, 1));
  EXPECT_TRUE(hit(20, 1));
  EXPECT_FALSE(hit(10, 1));
  EXPECT_FALSE(hit(30, 1));
}

TEST_F(CacheTest, GivesBackWhenTheKernelHasNoRoom) {
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

TEST_F(CacheTest, WhatWasRefusedDoesNotDriveOutTheOthersAgain) {
  device.room = 10 * kPage;
  use(10, 4);
  EXPECT_EQ(pin(50, 11), nullptr);
  EXPECT_EQ(cache->kept(), 0u) << "nobody could know";
  use(10, 4);
  use(20, 4);
  const std::uint32_t asked = device.asked;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(pin(50, 11), nullptr);
  EXPECT_EQ(pin(50, 12), nullptr);
  EXPECT_EQ(device.asked, asked);
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

TEST_F(CacheTest, ARefusalBesideTransfersUnderWayProvesNothing) {
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
  const std::uint32_t asked = device.asked;
  EXPECT_EQ(pin(70, 11), nullptr);
  EXPECT_EQ(device.asked, asked);
  EXPECT_EQ(device.bytes_now, 5 * kPage) << "drives out nobody";
}

TEST_F(CacheTest, GivesBackAllThatIsNotInUse) {
  EXPECT_FALSE(cache->give_back_all());
  use(10, 4);
  use(20, 4);
  Registration* r = pin(30, 4);
  EXPECT_TRUE(cache->give_back_all());
  EXPECT_EQ(device.bytes_now, 4 * kPage);
  EXPECT_TRUE(cache->in_use());
  EXPECT_FALSE(cache->give_back_all());
  EXPECT_TRUE(device.covers(r, 30 * kPage, 4 * kPage));
  cache->unpin(r);
  EXPECT_TRUE(cache->give_back_all());
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

// Against a model: per page, the moment of its last change. What is found was registered after that.
TEST_F(CacheTest, RandomUse) {
  constexpr std::uintptr_t kPages = 64;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const auto up_to = [&](std::size_t n) { return random() % n; };
    make((20 + up_to(60)) * kPage, 4 + static_cast<std::uint32_t>(up_to(20)));
    std::uint32_t changes[kPages] = {};  // the key that was the last one when the page changed
    struct Pin {
      Registration* r;
      std::uintptr_t first;
      std::size_t count;
      std::uint32_t key;
    };
    std::vector<Pin> pins;
    for (unsigned step = 0; step < 3000; ++step) {
      const std::uintptr_t first = up_to(kPages);
      const std::size_t count = 1 + up_to(std::min<std::size_t>(12, kPages - first));
      switch (up_to(4)) {
        case 0:
          for (std::size_t i = 0; i < count; ++i) changes[first + i] = device.last;
          changed(first, count);
          break;
        case 1:
          if (!pins.empty()) {
            const std::size_t nth = up_to(pins.size());
            cache->unpin(pins[nth].r);
            pins.erase(pins.begin() + static_cast<std::ptrdiff_t>(nth));
          }
          break;
        default:
          if (Registration* r = pin(first, count, up_to(2) == 0 ? Use::kSink : Use::kSource)) {
            for (std::size_t i = 0; i < count; ++i) ASSERT_GT(r->key, changes[first + i]) << "stale";
            pins.push_back({r, first, count, r->key});
          } else {
            ASSERT_FALSE(pins.empty());
          }
          break;
      }
      for (const Pin& p : pins) {
        ASSERT_EQ(p.r->key, p.key) << "given to somebody else while in use";
        ASSERT_TRUE(device.covers(p.r, p.first * kPage, p.count * kPage));
      }
      std::size_t bytes = 0;
      for (const auto& region : device.regions) bytes += region.second.bytes;
      ASSERT_LE(cache->bytes(), bytes);
    }
    for (const Pin& p : pins) cache->unpin(p.r);
    changed(0, kPages);
    cache->tidy();
    EXPECT_EQ(cache->bytes(), 0u);
    EXPECT_TRUE(device.regions.empty()) << device.regions.size();
  }
}

// Users on several threads while a watcher marks; for the thread sanitizer, and nothing may be left over.
TEST_F(CacheTest, ManyThreads) {
  cache = std::make_unique<RegistrationCache>(device, 0, &watch, RegistrationCache::Limits{100 * kPage, 40});
  std::atomic<bool> stop{false};
  std::thread watcher([&] {
    std::mt19937 random(1);
    while (!stop.load()) {
      changed(random() % 200, 1 + random() % 8);
      std::this_thread::yield();
    }
  });
  std::vector<std::thread> users;
  for (unsigned t = 0; t < 4; ++t) {
    users.emplace_back([&, t] {
      std::mt19937 random(100 + t);
      for (unsigned i = 0; i < 5000; ++i) {
        const std::uintptr_t first = random() % 190;
        const std::size_t count = 1 + random() % 8;
        Registration* r = pin(first, count);
        if (r == nullptr) continue;
        if (!device.covers(r, first * kPage, count * kPage)) ADD_FAILURE() << "not registered";
        if (i % 4 == 0) cache->tidy();
        cache->unpin(r);
      }
    });
  }
  for (std::thread& user : users) user.join();
  stop = true;
  watcher.join();
  changed(0, 1000);
  cache->tidy();
  EXPECT_TRUE(device.regions.empty());
}

}  // namespace
}  // namespace upcr::ibv
