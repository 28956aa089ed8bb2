// SPDX-License-Identifier: BSD-3-Clause
// Sections in one process: folding, common shapes, the kernels that copy them, against plain loops. Lists:
// vis_lists_test.cpp; cursors: vis_cursor_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "conduits/core/vis/kernels.hpp"
#include "conduits/core/vis/vis.hpp"
#include "tests/support/vis_sections.hpp"

namespace upcr {
namespace {

using test::address;
using test::bytes_of;
using test::section;
using test::some_section;

TEST(VisFold, KeepsTheStreamAndDropsWhatIsContiguous) {
  VisSection s = section(1000, 8, {{1, 77}, {4, 8}, {3, 32}, {2, 100}, {5, 200}, {1, 0}});
  const auto before = bytes_of(s);
  vis_fold(s);
  EXPECT_EQ(s.elem, 8u * 4 * 3);
  EXPECT_EQ(s.dims, 1u);  // 2 at 100 and 5 at 200 are 10 at 100
  EXPECT_EQ(s.dim[0].count, 10u);
  EXPECT_EQ(bytes_of(s), before);
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    VisSection any = some_section(random, 100000, 6);
    const auto stream = bytes_of(any);
    vis_fold(any);
    ASSERT_EQ(bytes_of(any), stream);
    std::uint64_t first, end;
    ASSERT_TRUE(vis_extent(any, &first, &end));
    ASSERT_EQ(first, *std::min_element(stream.begin(), stream.end()));
    ASSERT_EQ(end, *std::max_element(stream.begin(), stream.end()) + 1);
  }
}

TEST(VisFold, ExtentsBeyondTheAddressSpaceAreNoticed) {
  std::uint64_t first, end;
  EXPECT_FALSE(vis_extent(section(~0u - 1ull + (0xffffffffull << 32), 8, {}), &first, &end));
  EXPECT_FALSE(vis_extent(section(1000, 8, {{1u << 30, -1000}}), &first, &end));
  EXPECT_FALSE(vis_extent(section(1000, 8, {{std::size_t{1} << 60, 1 << 20}}), &first, &end));
  EXPECT_FALSE(vis_extent(section(1000, 8, {{3, std::numeric_limits<std::ptrdiff_t>::min()}}), &first, &end));
}

TEST(VisPairs, ShapesThatFitBecomeOne) {
  // 5 chunks of 32 bytes from 10 of 16 (the proposal's figure 1).
  VisPair p;
  ASSERT_TRUE(vis_pair(section(0, 32, {{5, 64}}), section(5000, 16, {{10, 64}}), &p));
  EXPECT_EQ(p.elem, 16u);
  ASSERT_EQ(p.dims, 2u);
  EXPECT_EQ(p.dim[0].count, 2u);
  EXPECT_EQ(p.dim[0].to, 16);
  EXPECT_EQ(p.dim[0].from, 64);
  EXPECT_EQ(p.dim[1].count, 5u);
  EXPECT_EQ(p.dim[1].to, 64);
  EXPECT_EQ(p.dim[1].from, 128);
  // Boundaries at 24 and at 16 bytes do not.
  EXPECT_FALSE(vis_pair(section(0, 24, {{2, 64}}), section(0, 16, {{3, 64}}), &p));
  // A transposition: nothing to join, the destination's fastest dimension becomes the inner loop.
  ASSERT_TRUE(vis_pair(section(0, 8, {{30, 800}, {20, 8}}), section(0, 8, {{30, 8}, {20, 240}}), &p));
  vis_fold(p);
  ASSERT_EQ(p.dims, 2u);
  EXPECT_EQ(p.dim[0].to, 8);
  EXPECT_EQ(p.dim[0].from, 240);
  // Both turned round in the same way is contiguous.
  ASSERT_TRUE(vis_pair(section(800, 8, {{10, -8}}), section(1800, 8, {{10, -8}}), &p));
  vis_fold(p);
  EXPECT_EQ(p.elem, 80u);
  EXPECT_EQ(p.dims, 0u);
  EXPECT_EQ(p.to, 800u - 72);
  EXPECT_EQ(p.from, 1800u - 72);
}

// Every size up to 130: those with kernels of their own, those made of two moves, those left to memcpy.
TEST(VisKernels, EveryElementSizeAndAlignment) {
  for (std::size_t elem = 1; elem <= 130; ++elem) {
    for (const std::size_t shift : {0u, 1u}) {
      std::vector<unsigned char> from(20000), to(20000, '#'), expected(20000, '#');
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 7 + i / 256);
      const VisSection s =
          section(address(from.data()) + shift, elem,
                  {{3, static_cast<std::ptrdiff_t>(elem + 5)}, {4, 700}, {2, 3000}, {3, 6400}});
      const VisSection t =
          section(address(to.data()) + shift, elem,
                  {{3, static_cast<std::ptrdiff_t>(elem + 1)}, {4, 600}, {2, 2500}, {3, 6500}});
      const auto f = bytes_of(s), d = bytes_of(t);
      for (std::size_t i = 0; i < f.size(); ++i)
        expected[d[i] - address(to.data())] = *reinterpret_cast<const unsigned char*>(f[i]);
      vis_copy(VisSide::of(t), VisSide::of(s));
      ASSERT_EQ(to, expected) << elem;
    }
  }
}

TEST(VisKernels, ListsOfEveryElementSize) {
  for (std::size_t elem = 1; elem <= 70; ++elem) {
    std::vector<unsigned char> memory(10000), gathered(50 * elem + 1, '#'), back(10000, '#'),
        moved(10000, '#');
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<unsigned char>(i * 11 + i / 256);
    std::vector<std::uint64_t> from, to, offsets;
    for (std::size_t i = 0; i < 50; ++i) offsets.push_back((i * 37 % 50) * 190 + i % 7);
    for (const std::uint64_t o : offsets) {
      from.push_back(address(memory.data()) + o);
      to.push_back(address(back.data()) + o - 64);
    }
    vis_copy(VisSide::contiguous(gathered.data(), 50 * elem), VisSide::indexed(from.data(), 50, elem));
    VisSide scattered = VisSide::indexed(to.data(), 50, elem);
    scattered.delta = 64;
    vis_copy(scattered, VisSide::contiguous(gathered.data(), 50 * elem));
    for (std::uint64_t& a : to) a += 64 + address(moved.data()) - address(back.data());
    vis_copy(VisSide::indexed(to.data(), 50, elem), VisSide::indexed(from.data(), 50, elem));
    std::vector<unsigned char> expected(10000, '#');
    for (std::size_t i = 0; i < 50; ++i) {
      ASSERT_EQ(std::memcmp(&gathered[i * elem], &memory[offsets[i]], elem), 0) << elem;
      std::memcpy(&expected[offsets[i]], &memory[offsets[i]], elem);
    }
    ASSERT_EQ(gathered.back(), '#');
    ASSERT_EQ(back, expected) << elem;
    ASSERT_EQ(moved, expected) << elem;
  }
}

// Offsets as 32-bit numbers that are not aligned, from a base, there and back.
TEST(VisKernels, OffsetsOfEveryElementSize) {
  std::mt19937_64 random(5);
  for (std::size_t elem = 1; elem <= 80; ++elem)
    for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 8u, 11u}) {
      std::vector<unsigned char> memory((elem + 3) * 40, '#'), data(elem * count), back(elem * count);
      for (unsigned char& c : data) c = static_cast<unsigned char>(random());
      std::vector<std::size_t> position(40);
      for (std::size_t i = 0; i < 40; ++i) position[i] = (elem + 3) * i + i % 3;
      std::shuffle(position.begin(), position.end(), random);
      std::vector<char> offsets(1 + 4 * count);
      auto expected = memory;
      for (std::size_t i = 0; i < count; ++i) {
        const auto offset = static_cast<std::uint32_t>(position[i]);
        std::memcpy(&offsets[1 + 4 * i], &offset, 4);
        std::memcpy(&expected[position[i]], &data[elem * i], elem);
      }
      const auto base = reinterpret_cast<std::uint64_t>(memory.data());
      vis_scatter_near(base, &offsets[1], data.data(), count, elem);
      ASSERT_EQ(memory, expected) << elem << " " << count;
      vis_gather_near(back.data(), base, &offsets[1], count, elem);
      ASSERT_EQ(back, data) << elem << " " << count;
    }
}

// Steps as 16-bit numbers that are not aligned, in both directions from a base, there and back.
TEST(VisKernels, StepsOfEveryElementSize) {
  std::mt19937_64 random(6);
  for (std::size_t elem = 1; elem <= 80; ++elem)
    for (unsigned step = 0; step <= 3; ++step)
      for (const std::size_t count : {1u, 3u, 4u, 5u, 11u}) {
        const std::size_t unit = std::size_t{1} << step, pitch = (elem + unit - 1) / unit;
        std::vector<unsigned char> memory(pitch * unit * 40, '#'), data(elem * count), back(elem * count);
        for (unsigned char& c : data) c = static_cast<unsigned char>(random());
        std::vector<std::size_t> position(40);
        for (std::size_t i = 0; i < 40; ++i) position[i] = pitch * i;
        std::shuffle(position.begin(), position.end(), random);
        std::vector<char> steps(1 + 2 * count);
        auto expected = memory;
        for (std::size_t i = 0; i < count; ++i) {
          const auto n =
              static_cast<std::int16_t>(static_cast<int>(position[i]) - static_cast<int>(position[0]));
          std::memcpy(&steps[1 + 2 * i], &n, 2);
          std::memcpy(&expected[position[i] * unit], &data[elem * i], elem);
        }
        const auto base = reinterpret_cast<std::uint64_t>(&memory[position[0] * unit]);
        vis_scatter_steps({base, &steps[1], step}, data.data(), count, elem);
        ASSERT_EQ(memory, expected) << elem << " " << count;
        vis_gather_steps(back.data(), {base, &steps[1], step}, count, elem);
        ASSERT_EQ(back, data) << elem << " " << count;
      }
}

}  // namespace
}  // namespace upcr
