// SPDX-License-Identifier: BSD-3-Clause
// The registration cache beside a model, and used by several threads at once.
#include <random>
#include <thread>

#include "tests/support/ibv_cache_fixture.hpp"

namespace upcr::ibv {
namespace {

// Against a model: per page, the moment of its last change. A registration that is found was made after that.
TEST_F(CacheTest, RandomUse) {
  constexpr std::uintptr_t kPages = 64;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    watch.are_made = seed % 2 != 0;
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
        ASSERT_EQ(p.r->key, p.key) << "given to another transfer while in use";
        ASSERT_TRUE(device.covers(p.r, p.first * kPage, p.count * kPage));
      }
      std::size_t bytes = 0;
      for (const auto& region : device.regions) bytes += region.second.bytes;
      ASSERT_LE(cache->bytes(), bytes);
    }
    for (const Pin& p : pins) cache->unpin(p.r);
    changed(0, kPages);
    cache->reclaim_stale();
    EXPECT_EQ(cache->bytes(), 0u);
    EXPECT_TRUE(device.regions.empty()) << device.regions.size();
  }
}

// Users on several threads while a watcher marks; for the thread sanitizer, and nothing may be left over.
TEST_F(CacheTest, ManyThreads) {
  watch.are_made = true;
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
        if (i % 4 == 0) cache->reclaim_stale();
        cache->unpin(r);
      }
    });
  }
  for (std::thread& user : users) user.join();
  stop = true;
  watcher.join();
  changed(0, 1000);
  cache->reclaim_stale();
  EXPECT_TRUE(device.regions.empty());
}

}  // namespace
}  // namespace upcr::ibv
