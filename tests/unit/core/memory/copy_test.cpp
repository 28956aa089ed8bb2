// SPDX-License-Identifier: BSD-3-Clause
// Copies of every kind of size: words, bytes around the border of the word sizes, and past the caches, with
// both ends at every offset in a line.
#include "conduits/core/memory/copy.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "conduits/core/memory/caches.hpp"

namespace upcr {
namespace {

constexpr std::size_t kMargin = 256;
constexpr char kUntouched = 0x55;

std::vector<char> noise(std::size_t bytes) {
  std::vector<char> v(bytes);
  std::mt19937_64 random(bytes);
  for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
    const std::uint64_t word = random();
    std::memcpy(&v[i], &word, std::min(sizeof word, bytes - i));
  }
  return v;
}

// Copies n bytes from `from` bytes into the one buffer to `to` bytes into the other; everything else stays.
void copy_and_check(const std::vector<char>& source, std::vector<char>& sink, std::size_t from,
                    std::size_t to, std::size_t n) {
  std::fill(sink.begin(), sink.begin() + static_cast<std::ptrdiff_t>(to), kUntouched);
  std::memset(sink.data() + to + n, kUntouched, kMargin);
  atomic_copy(sink.data() + to, source.data() + from, n);
  ASSERT_EQ(std::memcmp(sink.data() + to, source.data() + from, n), 0)
      << n << " bytes, " << from << " to " << to;
  for (std::size_t i = 0; i < to; ++i) ASSERT_EQ(sink[i], kUntouched) << n << " bytes to " << to;
  for (std::size_t i = 0; i < kMargin; ++i)
    ASSERT_EQ(sink[to + n + i], kUntouched) << i << " behind " << n << " bytes";
}

TEST(Copy, SmallOnesAtEveryPlace) {
  const std::vector<char> source = noise(2 * kMargin);
  std::vector<char> sink(3 * kMargin);
  for (std::size_t n = 0; n <= 40; ++n)
    for (std::size_t from = 0; from < 9; ++from)
      for (std::size_t to = 0; to < 9; ++to) copy_and_check(source, sink, from, to, n);
}

TEST(Copy, PastTheCaches) {
  constexpr std::size_t kPage = 4096;
  const std::size_t stream = stream_bytes();
  if (stream > (std::size_t{256} << 20)) GTEST_SKIP() << "it would take " << 2 * stream << " bytes";
  const std::vector<char> source = noise(stream + 6 * kPage);
  std::vector<char> sink(source.size() + kMargin + kPage);
  for (const std::size_t more :
       {std::size_t{0}, std::size_t{1}, std::size_t{63}, 4 * kPage - 1, 4 * kPage + 65})
    for (const std::size_t offset : {0, 1, 8, 63})
      copy_and_check(source, sink, 3 * offset % 64, offset, stream + more);
  copy_and_check(source, sink, 5, 5, stream - 1);
}

// A machine as the kernel describes it, in files of the test's own.
class Machine {
 public:
  Machine() {
    char name[] = "/tmp/copy_test_XXXXXX";
    root_ = mkdtemp(name);
  }
  ~Machine() { std::filesystem::remove_all(root_); }
  void cache(int index, const char* type, const char* level, const char* size) {
    for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); ++cpu) {
      const std::string at = root_ + "/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
      std::filesystem::create_directories(at);
      std::ofstream(at + "/type") << type << '\n';
      std::ofstream(at + "/level") << level << '\n';
      std::ofstream(at + "/size") << size << '\n';
    }
  }
  std::size_t last() const { return last_level_cache(root_.c_str()); }

 private:
  std::string root_;
};

constexpr std::size_t kMiB = std::size_t{1} << 20;

TEST(Copy, TheLastLevelCacheIsTheKernels) {
  Machine m;
  m.cache(0, "Data", "1", "48K");
  m.cache(1, "Instruction", "1", "32K");
  m.cache(2, "Unified", "2", "2048K");
  EXPECT_EQ(m.last(), 2 * kMiB);
  m.cache(3, "Unified", "3", "107520K");
  EXPECT_EQ(m.last(), 105 * kMiB);
  m.cache(4, "Instruction", "9", "1G");
  EXPECT_EQ(m.last(), 105 * kMiB);
  // No description at all: the C library's, if that knows one.
  const long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (l3 > 0) {
    EXPECT_GE(last_level_cache("/nowhere"), static_cast<std::size_t>(l3));
  }
}

TEST(Copy, StreamingBeginsWhereBothEndsLeaveTheCache) {
  EXPECT_EQ(stream_bytes_beside(105 * kMiB), 105 * kMiB / 2);
  EXPECT_EQ(stream_bytes_beside(32 * kMiB), 16 * kMiB);
  EXPECT_EQ(stream_bytes_beside(4 * kMiB), 8 * kMiB);  // inlined code copies what is smaller
  EXPECT_EQ(stream_bytes_beside(0), 8 * kMiB);
  EXPECT_EQ(stream_bytes_beside(std::size_t{1} << 60), 1024 * kMiB);
}

// One process a value: it is read once.
TEST(CopyDeathTest, TheVariableDecides) {
  const auto with = [](const char* value) {
    setenv("UPCR_STREAM_SIZE", value, 1);
    std::exit(stream_bytes() == 100 * kMiB ? 3 : stream_bytes() == 8 * kMiB ? 4 : 5);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(with("100MB"), testing::ExitedWithCode(3), "");
  EXPECT_EXIT(with("1K"), testing::ExitedWithCode(4), "");
}

TEST(Copy, ToItself) {
  const std::vector<char> source = noise(kMinStream + 100);
  std::vector<char> both = source;
  atomic_copy(both.data(), both.data(), both.size());
  EXPECT_EQ(std::memcmp(both.data(), source.data(), both.size()), 0);
}

}  // namespace

}  // namespace upcr
