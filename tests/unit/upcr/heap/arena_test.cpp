// SPDX-License-Identifier: BSD-3-Clause
// The heaps' allocator against a model that is too simple to be wrong: a map of intervals.
#include "upcr/heap/arena.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace upcr {
namespace {

constexpr std::uint64_t kPage = 4096;

// An arena for an imaginary segment, in memory like the host's control memory: shared, zero, sparse.
class Sample {
 public:
  Sample(std::size_t segment, std::uint64_t offset, Arena::Grows grows)
      : bytes_(Arena::footprint(segment)), segment_(segment), grows_(grows) {
    void* p =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(p, MAP_FAILED);
    arena_ = static_cast<Arena*>(p);
    arena_->init(segment, offset, grows);
  }
  ~Sample() { munmap(arena_, bytes_); }
  Arena* operator->() { return arena_; }

  // As the heaps allocate: the arena is extended where it must be, as far as the segment reaches. The first
  // page belongs to no arena.
  std::uint64_t allocate(std::uint64_t bytes, BlockUse use = BlockUse::kData) {
    const Allocation quick = arena_->allocate(bytes, use);
    if (quick.offset != 0) return quick.offset;
    const std::uint64_t left =
        grows_ == Arena::Grows::kUp ? segment_ - arena_->end() : arena_->begin() - kPage;
    return arena_->extend_and_allocate(quick.shortage <= left ? quick.shortage : 0, bytes, use);
  }
  // From what the arena has.
  std::uint64_t allocate_inside(std::uint64_t bytes, BlockUse use = BlockUse::kData) {
    return arena_->extend_and_allocate(0, bytes, use);
  }

 private:
  std::size_t bytes_;
  std::size_t segment_;
  Arena::Grows grows_;
  Arena* arena_ = nullptr;
};

std::uint64_t rounded(std::uint64_t bytes) { return std::max<std::uint64_t>(64, (bytes + 63) / 64 * 64); }

class ArenaBothDirections : public testing::TestWithParam<Arena::Grows> {
 public:
  static constexpr std::size_t kSegment = 4 << 20;
  std::uint64_t start() const { return GetParam() == Arena::Grows::kUp ? kPage : kSegment; }
  Sample sample{kSegment, start(), GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Directions, ArenaBothDirections,
                         testing::Values(Arena::Grows::kUp, Arena::Grows::kDown),
                         [](const auto& info) { return info.param == Arena::Grows::kUp ? "Up" : "Down"; });

TEST_P(ArenaBothDirections, StartsEmptyAndGrows) {
  EXPECT_EQ(sample->allocate(1, BlockUse::kData).offset, 0u);
  EXPECT_EQ(sample->begin(), start());
  EXPECT_EQ(sample->end(), start());
  EXPECT_EQ(sample->allocate(kPage + 1, BlockUse::kData).shortage, 2 * kPage);
  sample->extend(2 * kPage);
  EXPECT_EQ(sample->end() - sample->begin(), 2 * kPage);
  EXPECT_EQ(GetParam() == Arena::Grows::kUp ? sample->begin() : sample->end(), start());
  const std::uint64_t a = sample->allocate(kPage + 1, BlockUse::kData).offset;
  ASSERT_NE(a, 0u);
  EXPECT_GE(a, sample->begin());
  EXPECT_LE(a + kPage + 64, sample->end());
  EXPECT_TRUE(sample->consistent());
}

TEST_P(ArenaBothDirections, AllocatesTowardsItsFixedEnd) {
  const std::uint64_t a = sample.allocate(100), b = sample.allocate(100);
  if (GetParam() == Arena::Grows::kUp) {
    EXPECT_EQ(a, kPage);
    EXPECT_EQ(b, a + 128);
  } else {
    EXPECT_EQ(a, kSegment - 128);
    EXPECT_EQ(b, a - 128);
  }
}

TEST_P(ArenaBothDirections, MergesWithBothNeighbours) {
  sample->extend(8 * kPage);
  std::vector<std::uint64_t> blocks;
  while (std::uint64_t b = sample->allocate(kPage, BlockUse::kData).offset) blocks.push_back(b);
  ASSERT_EQ(blocks.size(), 8u);
  EXPECT_EQ(sample->info().free, 0u);
  EXPECT_EQ(sample->info().largest, 0u);
  std::sort(blocks.begin(), blocks.end());
  sample->release(blocks[1], BlockUse::kData);
  sample->release(blocks[3], BlockUse::kData);
  EXPECT_EQ(sample->info().largest, kPage);
  sample->release(blocks[2], BlockUse::kData);  // between two free ones
  EXPECT_EQ(sample->info().largest, 3 * kPage);
  sample->release(blocks[5], BlockUse::kData);
  sample->release(blocks[4], BlockUse::kData);
  EXPECT_EQ(sample->info().largest, 5 * kPage);
  EXPECT_EQ(sample->info().free, 5 * kPage);
  EXPECT_EQ(sample->info().objects, 3u);
  for (int i : {0, 7, 6}) sample->release(blocks[i], BlockUse::kData);
  EXPECT_EQ(sample->info().largest, 8 * kPage);
  EXPECT_EQ(sample->info().used, 0u);
  EXPECT_TRUE(sample->consistent());
}

TEST_P(ArenaBothDirections, DescribesABadPointer) {
  sample->extend(4 * kPage);
  const std::uint64_t a = sample->allocate(1000, BlockUse::kData).offset;
  const std::uint64_t lock = sample->allocate(64, BlockUse::kLock).offset;
  const ArenaBlock inside = sample->release(a + 64, BlockUse::kData);
  EXPECT_EQ(inside.offset, a);
  EXPECT_EQ(inside.bytes, 1024u);
  EXPECT_EQ(inside.use, BlockUse::kData);
  EXPECT_EQ(sample->release(a + 8, BlockUse::kData).offset, a);
  EXPECT_EQ(sample->release(lock, BlockUse::kData).use, BlockUse::kLock);
  EXPECT_EQ(sample->release(a, BlockUse::kLock).use, BlockUse::kData);
  EXPECT_EQ(sample->release(sample->end(), BlockUse::kData).use, BlockUse::kNone);
  EXPECT_EQ(sample->release(sample->begin() - 64, BlockUse::kData).use, BlockUse::kNone);
  EXPECT_EQ(sample->info().objects, 2u) << "none of these may have freed anything";

  const ArenaBlock freed = sample->release(a, BlockUse::kData);
  EXPECT_EQ(freed.offset, a);
  EXPECT_EQ(freed.use, BlockUse::kData);
  EXPECT_EQ(sample->release(a, BlockUse::kData).use, BlockUse::kFree) << "double free";
  EXPECT_EQ(sample->release(lock, BlockUse::kLock).use, BlockUse::kLock);
  EXPECT_EQ(sample->release(lock, BlockUse::kLock).use, BlockUse::kFree) << "double free, merged meanwhile";
  EXPECT_EQ(sample->info().largest, 4 * kPage);
  EXPECT_TRUE(sample->consistent());
}

TEST_P(ArenaBothDirections, ExhaustionNumbersAreExact) {
  std::vector<std::uint64_t> blocks;
  while (std::uint64_t b = sample.allocate(10000)) blocks.push_back(b);
  const ArenaInfo full = sample->info();
  const std::uint64_t room = GetParam() == Arena::Grows::kUp ? kSegment - full.end : full.begin - kPage;
  EXPECT_EQ(blocks.size(), (kSegment - kPage) / rounded(10000));
  EXPECT_EQ(full.used + full.free + room, kSegment - kPage);
  EXPECT_EQ(full.used, blocks.size() * rounded(10000));
  // A block of exactly the largest free size fits, one byte more does not.
  for (std::size_t i = 0; i + 1 < blocks.size(); i += 2) sample->release(blocks[i], BlockUse::kData);
  const std::uint64_t largest = sample->info().largest;
  EXPECT_EQ(sample.allocate_inside(largest + 1), 0u);
  EXPECT_NE(sample.allocate_inside(largest), 0u);
  EXPECT_TRUE(sample->consistent());
}

// A block as large as `largest` can be allocated, however it falls into the size classes.
TEST_P(ArenaBothDirections, LargestBlockCanBeAllocated) {
  for (std::uint64_t granules : {1, 31, 32, 33, 63, 64, 65, 95, 1000, 1023, 1025, 4097, 10007}) {
    Sample one(kSegment, start(), GetParam());
    one->extend(rounded(granules * 64 + kPage) / kPage * kPage);
    const std::uint64_t all = one->end() - one->begin();
    if (all > granules * 64) {
      ASSERT_NE(one->allocate(all - granules * 64, BlockUse::kData).offset, 0u);
    }
    EXPECT_EQ(one->info().largest, granules * 64);
    EXPECT_EQ(one->allocate(granules * 64 + 1, BlockUse::kData).offset, 0u);
    EXPECT_NE(one->allocate(granules * 64, BlockUse::kData).offset, 0u) << granules;
  }
}

TEST_P(ArenaBothDirections, ImpossibleSizes) {
  sample->extend(kPage);
  for (std::uint64_t bytes : {~std::uint64_t{0}, std::uint64_t{1} << 40, std::uint64_t{kSegment}}) {
    EXPECT_EQ(sample->allocate(bytes, BlockUse::kData).offset, 0u);
    EXPECT_GT(sample->allocate(bytes, BlockUse::kData).shortage, kSegment - 2 * kPage);
  }
  EXPECT_EQ(rounded(0), 64u);
  EXPECT_NE(sample->allocate(0, BlockUse::kData).offset, 0u);  // callers return null themselves
}

TEST_P(ArenaBothDirections, TrimReleasesTheEdgeOnly) {
  sample->extend(16 * kPage);
  EXPECT_EQ(sample->trim(), 16 * kPage);
  EXPECT_EQ(sample->begin(), sample->end());
  EXPECT_EQ(sample->trim(), 0u);
  sample->extend(16 * kPage);
  const std::uint64_t a = sample->allocate(100, BlockUse::kData).offset;
  const std::uint64_t b = sample->allocate(3 * kPage, BlockUse::kData).offset;
  const std::uint64_t c = sample->allocate(100, BlockUse::kData).offset;
  EXPECT_EQ(sample->trim(), 12 * kPage);
  EXPECT_TRUE(sample->consistent());
  EXPECT_EQ(sample->end() - sample->begin(), 4 * kPage);
  sample->release(b, BlockUse::kData);
  EXPECT_EQ(sample->trim(), 0u) << "c is allocated in between";
  sample->release(c, BlockUse::kData);
  EXPECT_EQ(sample->trim(), 3 * kPage) << "a keeps its page";
  EXPECT_TRUE(sample->consistent());
  sample->release(a, BlockUse::kData);
  EXPECT_EQ(sample->trim(), kPage);
  EXPECT_EQ(sample->begin(), start());
  EXPECT_EQ(sample->end(), start());
  EXPECT_NE(sample.allocate(5 * kPage), 0u) << "grows again after that";
  EXPECT_TRUE(sample->consistent());
}

TEST_P(ArenaBothDirections, RandomAgainstAModel) {
  std::mt19937_64 random(GetParam() == Arena::Grows::kUp ? 1 : 2);
  std::map<std::uint64_t, std::uint64_t> model;  // offset -> bytes
  std::uint64_t used = 0;
  for (int step = 0; step < 60000; ++step) {
    const unsigned what = random() % 100;
    if (what < 52) {
      // Sizes of all orders of magnitude.
      const std::uint64_t bytes = 1 + random() % (std::uint64_t{1} << (random() % 19));
      const std::uint64_t offset = sample.allocate(bytes);
      if (offset == 0) {
        ASSERT_LT(sample->info().largest, rounded(bytes));
        continue;
      }
      ASSERT_EQ(offset % 64, 0u);
      ASSERT_GE(offset, sample->begin());
      ASSERT_LE(offset + rounded(bytes), sample->end());
      auto after = model.lower_bound(offset);
      ASSERT_TRUE(after == model.end() || offset + rounded(bytes) <= after->first);
      ASSERT_TRUE(after == model.begin() || std::prev(after)->first + std::prev(after)->second <= offset);
      model.emplace(offset, rounded(bytes));
      used += rounded(bytes);
    } else if (what < 99 && !model.empty()) {
      auto chosen = model.lower_bound(random() % kSegment);
      if (chosen == model.end()) chosen = model.begin();
      const ArenaBlock freed = sample->release(chosen->first, BlockUse::kData);
      ASSERT_EQ(freed.offset, chosen->first);
      ASSERT_EQ(freed.bytes, chosen->second);
      used -= chosen->second;
      model.erase(chosen);
    } else {
      sample->trim();
    }
    if (step % 1000 == 0) {
      ASSERT_TRUE(sample->consistent()) << "step " << step;
    }
    ASSERT_EQ(sample->info().used, used);
    ASSERT_EQ(sample->info().objects, model.size());
  }
  for (const auto& [offset, bytes] : model) sample->release(offset, BlockUse::kData);
  EXPECT_TRUE(sample->consistent());
  EXPECT_EQ(sample->info().largest, sample->end() - sample->begin()) << "one free block at the end";
}

// Very large segments count in larger granules; the headers stay sparse.
TEST(Arena, HugeSegment) {
  const std::size_t segment = std::size_t{256} << 30;
  Sample sample(segment, segment, Arena::Grows::kDown);
  const std::uint64_t a = sample.allocate(segment / 2), b = sample.allocate(10);
  ASSERT_NE(a, 0u);
  ASSERT_NE(b, 0u);
  EXPECT_EQ(a, segment - segment / 2);
  EXPECT_LT(b, a);
  EXPECT_EQ(sample.allocate(segment / 2), 0u);
  EXPECT_EQ(sample->release(a, BlockUse::kData).bytes, segment / 2);
}

// Several processes on one arena: each writes its number into the blocks that it gets (in a shadow of the
// segment) and finds it there when it frees them.
TEST(Arena, ManyProcesses) {
  constexpr std::size_t kSegment = 1 << 20, kProcesses = 4, kRounds = 20000;
  Sample sample(kSegment, kPage, Arena::Grows::kUp);
  auto* shadow = static_cast<unsigned char*>(
      mmap(nullptr, kSegment, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(shadow, MAP_FAILED);
  std::vector<pid_t> children;
  for (std::size_t p = 0; p < kProcesses; ++p) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      std::mt19937_64 random(p);
      std::vector<std::pair<std::uint64_t, std::size_t>> mine;
      int wrong = 0;
      for (std::size_t round = 0; round < kRounds; ++round) {
        const std::size_t bytes = 1 + random() % 3000;
        sample->lock().lock();
        const std::uint64_t offset = sample.allocate(bytes);
        sample->lock().unlock();
        if (offset != 0) {
          std::memset(shadow + offset, static_cast<int>(p + 1), bytes);
          mine.emplace_back(offset, bytes);
        }
        if (offset == 0 || mine.size() > 60) {
          std::swap(mine[random() % mine.size()], mine.back());
          const auto [start, size] = mine.back();
          mine.pop_back();
          for (std::size_t i = 0; i < size; ++i) wrong |= shadow[start + i] != p + 1;
          sample->lock().lock();
          wrong |= sample->release(start, BlockUse::kData).offset != start ? 2 : 0;
          sample->lock().unlock();
        }
      }
      for (const auto& [start, size] : mine) {
        sample->lock().lock();
        sample->release(start, BlockUse::kData);
        sample->lock().unlock();
      }
      _exit(wrong);
    }
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = -1;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_TRUE(sample->consistent());
  EXPECT_EQ(sample->info().used, 0u);
  EXPECT_EQ(sample->info().largest, sample->end() - sample->begin());
  munmap(shadow, kSegment);
}

}  // namespace
}  // namespace upcr
