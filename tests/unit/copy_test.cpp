// SPDX-License-Identifier: BSD-3-Clause
// Copies of every kind of size: words, bytes around the border of the word sizes, and past the caches, with
// both ends at every place in a line.
#include "conduits/core/copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

using namespace upcr;

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
void copy_and_look(const std::vector<char>& source, std::vector<char>& sink, std::size_t from, std::size_t to,
                   std::size_t n) {
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
      for (std::size_t to = 0; to < 9; ++to) copy_and_look(source, sink, from, to, n);
}

TEST(Copy, PastTheCaches) {
  constexpr std::size_t kPage = 4096;
  const std::vector<char> source = noise(kStreamBytes + 6 * kPage);
  std::vector<char> sink(source.size() + kMargin + kPage);
  for (const std::size_t more :
       {std::size_t{0}, std::size_t{1}, std::size_t{63}, 4 * kPage - 1, 4 * kPage + 65})
    for (const std::size_t place : {0, 1, 8, 63})
      copy_and_look(source, sink, 3 * place % 64, place, kStreamBytes + more);
  copy_and_look(source, sink, 5, 5, kStreamBytes - 1);
}

TEST(Copy, ToItself) {
  const std::vector<char> source = noise(kStreamBytes + 100);
  std::vector<char> both = source;
  atomic_copy(both.data(), both.data(), both.size());
  EXPECT_EQ(std::memcmp(both.data(), source.data(), both.size()), 0);
}

}  // namespace
