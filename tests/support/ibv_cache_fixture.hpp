// SPDX-License-Identifier: BSD-3-Clause
// A simulated device and unmap watch, for the tests of the registration cache.
#pragma once
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include "conduits/net/ibv/memory/registration_cache.hpp"

namespace upcr::ibv {

inline constexpr std::uintptr_t kPage = 4096;
inline constexpr auto kPrograms = RegistrationCache::Memory::kPrograms;
inline constexpr auto kStays = RegistrationCache::Memory::kStays;

// Registers `room` bytes at most; the key identifies the memory and the time of its registration.
class FakeDevice final : public Registrar {
 public:
  struct Region {
    std::uintptr_t begin;
    std::size_t bytes;
    bool writable;
  };
  Result add(std::uintptr_t begin, std::size_t bytes, bool writable, std::uint32_t* key,
             void** handle) override {
    const std::lock_guard guard(mutex);
    ++attempts;
    if (on_add) on_add();
    if (begin + bytes > read_only_from && writable) return Result::kNotAllowed;
    if (begin + bytes > nothing_from) return Result::kNotAllowed;
    if (bytes_now + bytes > room) return Result::kNoRoom;
    bytes_now += bytes;
    regions[++last] = {begin, bytes, writable};
    *key = last;
    *handle = reinterpret_cast<void*>(static_cast<std::uintptr_t>(last));
    return Result::kOk;
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
  std::uint32_t last = 0, attempts = 0;
  std::size_t bytes_now = 0, room = SIZE_MAX / 2;
  std::uintptr_t read_only_from = UINTPTR_MAX, nothing_from = UINTPTR_MAX;
  std::function<void()> on_add;
};

class FakeWatch final : public ChangeWatch {
 public:
  bool events_drained() noexcept override { return is_settled; }
  bool watch(std::uintptr_t begin, std::uintptr_t end) noexcept override {
    ++watched;
    if (on_watch) on_watch();
    return begin < unwatchable_from && begin < end;
  }
  bool changes_are_made() noexcept override { return are_made; }
  bool is_settled = true, are_made = false;
  std::atomic<unsigned> watched{0};
  std::uintptr_t unwatchable_from = UINTPTR_MAX;
  std::function<void()> on_watch;
};

class CacheTest : public testing::Test {
 public:
  // Pages `first` to `first + count - 1`.
  Registration* pin(std::uintptr_t first, std::size_t count, Use use = Use::kSource) {
    return cache->pin(first * kPage, count * kPage, use, kPrograms);
  }
  void use(std::uintptr_t first, std::size_t count, Use how = Use::kSource) {
    cache->unpin(pin(first, count, how));
  }
  // Whether the cache has it; if so it is the newest afterwards.
  bool hit(std::uintptr_t first, std::size_t count, Use how = Use::kSource) {
    const std::uint32_t before = device.attempts;
    use(first, count, how);
    return device.attempts == before;
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

}  // namespace upcr::ibv
