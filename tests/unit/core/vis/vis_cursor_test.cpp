// SPDX-License-Identifier: BSD-3-Clause
// Cursors over sections and lists: the chunks that they cut a stream into, and the descriptions of these.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "conduits/core/vis/cursor.hpp"
#include "conduits/core/vis/steps.hpp"
#include "conduits/core/vis/vis.hpp"
#include "tests/support/vis_sections.hpp"

namespace upcr {
namespace {

using test::address;
using test::bytes_of;
using test::kNoLimit;
using test::section;
using test::some_section;

// Chunks of a cursor, however small, make up the stream; marks bring it back.
TEST(VisCursors, ChunksMakeUpTheStream) {
  std::mt19937_64 random(11);
  std::vector<unsigned char> memory(1 << 20);
  for (unsigned char& c : memory) c = static_cast<unsigned char>(random());
  std::size_t described = 0;  // places, by steps
  for (int round = 0; round < 3000; ++round) {
    const VisSection s = some_section(random, address(memory.data()) + memory.size() / 2, 5);
    const std::vector<std::uint64_t> stream = bytes_of(s);
    std::vector<VisRegion> regions;
    std::vector<std::uint64_t> addresses;
    VisSide side = VisSide::of(s);
    if (round % 3 == 1) {  // the same bytes as lists
      for (std::size_t i = 0; i < stream.size(); i += s.elem) {
        regions.push_back({stream[i], s.elem});
        if (random() % 4 == 0) regions.push_back({1, 0});
      }
      side = VisSide::vector(regions.data(), regions.size());
    } else if (round % 3 == 2) {
      for (std::size_t i = 0; i < stream.size(); i += s.elem) addresses.push_back(stream[i] - 16);
      side = VisSide::indexed(addresses.data(), addresses.size(), s.elem);
      side.delta = 16;
    }
    ASSERT_EQ(side.bytes(), stream.size());
    const bool data_counts = random() % 2 == 0;
    const std::size_t total = kVisHead + 1 + random() % 200, most = 1 + random() % 300;
    VisCursor cursor(side);
    std::vector<unsigned char> got(stream.size());
    char words[256];
    std::size_t at = 0;
    while (at < stream.size()) {
      ASSERT_NE(cursor.contiguous(), 0u);
      if (random() % 8 == 0) {  // by a mark
        const VisCursor again(side, cursor.mark());
        ASSERT_EQ(again.contiguous(), cursor.contiguous());
      }
      if (random() % 8 == 0) {
        const std::size_t n = random() % (stream.size() - at) + 1;
        VisCursor ahead(side, cursor.mark());
        ahead.skip(n);
        std::vector<unsigned char> rest(stream.size() - at - n);
        ahead.pack(rest.data(), rest.size());
        for (std::size_t i = 0; i < rest.size(); ++i)
          ASSERT_EQ(rest[i], *reinterpret_cast<const unsigned char*>(stream[at + n + i]));
        ASSERT_EQ(ahead.contiguous(), 0u);
      }
      const std::size_t room = std::min(most, stream.size() - at);
      const VisChunk c = cursor.next_chunk({room, data_counts ? total : kNoLimit, data_counts, words});
      ASSERT_GT(c.bytes, 0u);
      ASSERT_LE(c.bytes, room);
      if (data_counts) {
        ASSERT_LE(c.bytes + c.description(), total);
      }
      for (std::size_t i = 0; c.places == VisPlaces::kSteps && i < c.count; ++i) {
        std::int16_t steps;
        std::memcpy(&steps, words + i * sizeof steps, sizeof steps);
        const std::uint64_t place = c.box.base + (static_cast<std::uint64_t>(steps) << c.step);
        ASSERT_EQ(place, stream[at + i * c.box.elem]);
        ++described;
      }
      c.pack(&got[at]);
      at += c.bytes;
    }
    ASSERT_EQ(cursor.contiguous(), 0u);
    for (std::size_t i = 0; i < stream.size(); ++i)
      ASSERT_EQ(got[i], *reinterpret_cast<const unsigned char*>(stream[i])) << "round " << round;
  }
  EXPECT_GT(described, 0u);
}

// A run's addresses travel as offsets while they lie within 4 GiB.
TEST(VisCursors, ARunIsNearOrFar) {
  constexpr std::uint64_t kFar = std::uint64_t{5} << 30;
  std::vector<std::uint64_t> list;
  for (std::uint64_t i = 0; i < 40; ++i) list.push_back(kFar + 100 * (i ^ 7));
  list[20] += std::uint64_t{0xffffffff} - (list[20] - kFar);  // the most that four bytes name
  const VisSide side = VisSide::indexed(list.data(), list.size(), 8);
  VisChunk c = VisCursor(side).next_chunk({320, 4096, true});
  EXPECT_EQ(c.places, VisPlaces::kOffsets);
  EXPECT_EQ(c.count, 40u);
  EXPECT_EQ(c.box.base, kFar);
  EXPECT_EQ(c.description(), kVisHead + 40 * 4);
  // As many as fit with four bytes each.
  c = VisCursor(side).next_chunk({320, kVisHead + 10 * 12 + 11, true});
  EXPECT_EQ(c.count, 10u);
  // One too far: those before it, where they are as many as would fit with eight bytes each, else all with
  // eight.
  ++list[20];
  c = VisCursor(side).next_chunk({320, kVisHead + 24 * 12, true});
  EXPECT_EQ(c.places, VisPlaces::kOffsets);
  EXPECT_EQ(c.count, 20u);
  c = VisCursor(side).next_chunk({320, 4096, true});
  EXPECT_EQ(c.places, VisPlaces::kAddresses);
  EXPECT_EQ(c.count, 40u);
  EXPECT_EQ(c.description(), kVisHead + 40 * 8);
}

// Elements of an array are described by two bytes each, as far as these reach in both directions from the
// first one.
TEST(VisCursors, NearElementsOfAnArrayAreSteps) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 40;
  constexpr std::uint64_t kDown = 8 * 32768, kUp = 8 * 32767;
  std::vector<std::uint64_t> list;
  for (std::uint64_t i = 0; i < 100; ++i) list.push_back(kFirst + 8 * (i * 37 % 100));
  list[40] = kFirst - kDown;
  list[41] = kFirst + kUp;
  char words[4096];
  const auto chunk = [&](const VisSide& side, std::size_t total = 4096) {
    return VisCursor(side).next_chunk({10000, total, true, words});
  };
  const VisSide side = VisSide::indexed(list.data(), list.size(), 8);
  VisChunk c = chunk(side);
  EXPECT_EQ(c.places, VisPlaces::kSteps);
  EXPECT_EQ(c.count, 100u);
  EXPECT_EQ(c.box.base, kFirst);
  EXPECT_EQ(c.step, 3u);
  EXPECT_EQ(c.description(), kVisHead + 100 * 2);
  // As many as fit with two bytes each.
  EXPECT_EQ(chunk(side, kVisHead + 10 * 10 + 9).count, 10u);
  // As regions.
  std::vector<VisRegion> regions;
  for (const std::uint64_t address : list) regions.push_back({address, 8});
  c = chunk(VisSide::vector(regions.data(), regions.size()));
  EXPECT_EQ(c.places, VisPlaces::kSteps);
  EXPECT_EQ(c.count, 100u);
  regions[60].bytes = 16;
  EXPECT_EQ(chunk(VisSide::vector(regions.data(), regions.size())).count, 60u);
  // One that is too far, or between two steps, ends the chunk; the first ones of a few are offsets.
  for (const std::uint64_t other : {kFirst - kDown - 8, kFirst + kUp + 8, kFirst + 4, kFirst + 801}) {
    list[70] = other;
    EXPECT_EQ(chunk(side).places, VisPlaces::kSteps);
    EXPECT_EQ(chunk(side).count, 70u);
    std::swap(list[70], list[20]);
    EXPECT_EQ(chunk(side).places, VisPlaces::kOffsets);
    EXPECT_EQ(chunk(side).count, 100u);
    std::swap(list[70], list[20]);
  }
  // Elements of other lengths.
  for (const auto& [length, step] :
       {std::pair{1u, 0u}, {2u, 1u}, {6u, 1u}, {12u, 2u}, {24u, 3u}, {64u, 3u}}) {
    std::vector<std::uint64_t> odd;
    for (std::uint64_t i = 0; i < 50; ++i) odd.push_back(kFirst - 3 * length * i);
    c = chunk(VisSide::indexed(odd.data(), odd.size(), length));
    EXPECT_EQ(c.places, VisPlaces::kSteps) << length;
    EXPECT_EQ(c.step, step) << length;
  }
}

// Steps are written up to the first place that no 16 bits name, and up to the first region of another length.
TEST(VisCursors, StepsUpToThePlaceThatHasNone) {
  std::mt19937_64 random(7);
  std::size_t whole = 0, cut = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::size_t n = 1 + random() % 40, length = 1 + random() % 9;
    const unsigned step = static_cast<unsigned>(random() % 4);
    const bool far = random() % 3 == 0, between = step != 0 && random() % 5 == 0;
    const std::uint64_t first = random();
    std::vector<std::uint64_t> list{first};
    while (list.size() < n) {
      const std::uint64_t steps = random() % 65536 - 32768;
      list.push_back(first + (steps << step));
      if (far && random() % 20 == 0) list.back() += (1 + random() % 3) << (16 + step);
      if (between && random() % 20 == 0) list.back() += 1 + random() % ((1u << step) - 1);
    }
    std::vector<VisRegion> regions;
    for (const std::uint64_t address : list) regions.push_back({address, length});
    if (random() % 4 == 0) regions[random() % n].bytes += random() % 2 == 0 ? 1 : std::size_t{1} << 33;
    for (const bool as_regions : {false, true}) {
      std::size_t expected = 0;
      for (; expected < n; ++expected) {
        const auto distance = static_cast<std::int64_t>(list[expected] - first), steps = distance >> step;
        if (steps < INT16_MIN || steps > INT16_MAX || distance % (1 << step) != 0) break;
        if (as_regions && regions[expected].bytes != regions[0].bytes) break;
      }
      std::vector<std::int16_t> words(n);
      char* const to = reinterpret_cast<char*>(words.data());
      ASSERT_EQ(as_regions ? vis_write_steps(regions.data(), n, step, to)
                           : vis_write_steps(list.data(), n, step, to),
                expected);
      for (std::size_t i = 0; i < expected; ++i)
        ASSERT_EQ(first + (static_cast<std::uint64_t>(words[i]) << step), list[i]);
      ++(expected == n ? whole : cut);
    }
  }
  EXPECT_GT(whole, 0u);
  EXPECT_GT(cut, 0u);
}

// A packet's description is short, because whole planes are one box.
TEST(VisCursors, ABoxIsAsLargeAsFits) {
  const VisSide side = VisSide::of(section(1 << 20, 8, {{10, 16}, {10, 200}, {10, 3000}}));
  VisCursor cursor(side);
  VisChunk c = cursor.next_chunk({1 << 20, kNoLimit, false});
  EXPECT_EQ(c.bytes, 8000u);
  EXPECT_EQ(c.box.dims, 3u);
  EXPECT_EQ(cursor.contiguous(), 0u);
  VisCursor small(side);
  c = small.next_chunk({850, kNoLimit, false});
  EXPECT_EQ(c.bytes, 800u);  // a plane; the rest begins another one
  EXPECT_EQ(c.box.dims, 2u);
  c = small.next_chunk({850 - 800, kNoLimit, false});
  EXPECT_EQ(c.bytes, 48u);  // six elements of its first row
  EXPECT_EQ(c.box.base, (1u << 20) + 3000);
  c = small.next_chunk({850, kNoLimit, false});
  EXPECT_EQ(c.bytes, 32u);  // the rest of that row
  c = small.next_chunk({850, kNoLimit, false});
  EXPECT_EQ(c.bytes, 720u);  // the rest of that plane
}

}  // namespace
}  // namespace upcr
