// SPDX-License-Identifier: BSD-3-Clause
// Non-contiguous copies inside one process: folding, common shapes, kernels, cursors, against plain loops.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "conduits/core/vis/cursor.hpp"
#include "conduits/core/vis/kernels.hpp"
#include "conduits/core/vis/vis.hpp"

namespace upcr {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

// The addresses of a section's bytes in the order of the stream, by the definition.
std::vector<std::uint64_t> bytes_of(const VisSection& s) {
  std::vector<std::uint64_t> all;
  for (std::size_t n = 0; n < s.bytes(); ++n) {
    std::uint64_t a = s.base + n % s.elem;
    std::size_t rest = n / s.elem;
    for (unsigned i = 0; i < s.dims; ++i) {
      a += rest % s.dim[i].count * static_cast<std::uint64_t>(s.dim[i].stride);
      rest /= s.dim[i].count;
    }
    all.push_back(a);
  }
  return all;
}

VisSection section(std::uint64_t base, std::size_t elem, std::initializer_list<VisDim> dims) {
  VisSection s(base, elem);
  for (const VisDim& d : dims) s.add(d.count, d.stride);
  return s;
}

// Random sections of dense memory: strides of either sign.
VisSection some_section(std::mt19937_64& random, std::uint64_t base, unsigned most_dims) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  VisSection s(base, 1 + below(9));
  auto extent = static_cast<std::ptrdiff_t>(s.elem);
  for (std::size_t i = below(most_dims + 1); i > 0; --i) {
    const auto stride = extent + static_cast<std::ptrdiff_t>(below(2) * below(5));
    const std::size_t count = 1 + below(5);
    s.add(count, below(3) == 0 ? -stride : stride);
    extent = stride * static_cast<std::ptrdiff_t>(count);
  }
  return s;
}

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

// How a list cuts its bytes: one piece, pieces of one length of which the last may be shorter, any lengths,
// runs of one length; with empty pieces in between, or without.
std::vector<std::size_t> some_lengths(std::mt19937_64& random, std::size_t total) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t mode = below(5), longest = below(2) != 0 ? 1 + below(9) : 1 + below(140);
  const bool gaps = below(3) == 0;
  std::vector<std::size_t> lengths;
  std::size_t run = 0, length = longest;
  while (total != 0) {
    if (gaps && below(4) == 0) lengths.push_back(0);
    if (mode == 0) length = total;
    if (mode == 2) length = 1 + below(longest);
    if (mode == 3 && run-- == 0) run = below(12), length = 1 + below(longest);
    lengths.push_back(std::min(length, total));
    total -= lengths.back();
  }
  if (gaps) lengths.push_back(0);
  return lengths;
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

// Lists of any kind to lists of any kind, against a loop over bytes. The source's pieces may overlap.
TEST(VisLists, AnyCutToAnyCut) {
  std::mt19937_64 random(17);
  std::vector<unsigned char> memory(9000), expected;
  for (unsigned char& c : memory) c = static_cast<unsigned char>(random());
  for (int round = 0; round < 20000; ++round) {
    const std::size_t total = random() % 8 == 0 ? random() % 3 : random() % 1200;
    std::vector<unsigned char> target(6000, '#');
    expected = target;
    std::vector<VisRegion> to, from;
    std::vector<std::size_t> order;
    std::size_t at = random() % 20;
    for (const std::size_t n : some_lengths(random, total)) {
      order.push_back(at);
      to.push_back({0, n});
      at += n + random() % 3;
    }
    ASSERT_LT(at, target.size());
    // Offsets in another order than the lengths' as well: only where all are equally long.
    if (std::all_of(to.begin(), to.end(), [&](const VisRegion& r) { return r.bytes == to[0].bytes; }))
      std::shuffle(order.begin(), order.end(), random);
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i].address = to[i].bytes == 0 ? 0 : address(target.data()) + order[i] - 32;
    for (const std::size_t n : some_lengths(random, total))
      from.push_back({n == 0 ? 0 : address(memory.data()) + random() % (memory.size() - n) + 48, n});
    std::vector<std::uint64_t> stream;
    for (const VisRegion& r : from)
      for (std::size_t i = 0; i < r.bytes; ++i) stream.push_back(r.address - 48 + i);
    std::size_t next = 0;
    for (const VisRegion& r : to)
      for (std::size_t i = 0; i < r.bytes; ++i)
        expected[r.address + 32 + i - address(target.data())] =
            *reinterpret_cast<const unsigned char*>(stream[next++]);
    VisSide dst = VisSide::vector(to.data(), to.size()), src = VisSide::vector(from.data(), from.size());
    dst.delta = 32;
    src.delta = static_cast<std::uint64_t>(-48);
    vis_copy(dst, src);
    ASSERT_EQ(target, expected) << "round " << round;
    // The same through contiguous memory, in two steps on each side.
    std::vector<unsigned char> packed(total + 1, '#');
    const std::size_t first = total == 0 ? 0 : random() % (total + 1);
    VisCursor in(src), out(dst);
    in.pack(packed.data(), first);
    in.pack(packed.data() + first, total - first);
    EXPECT_EQ(in.contiguous(), 0u);
    ASSERT_EQ(packed.back(), '#');
    std::fill(target.begin(), target.end(), '#');
    out.unpack(packed.data(), first);
    out.unpack(packed.data() + first, total - first);
    EXPECT_EQ(out.contiguous(), 0u);
    ASSERT_EQ(target, expected) << "round " << round;
  }
}

// Pieces that are each as long as a number of pieces of the other list, all along or up to one that is not.
TEST(VisLists, EvenCuts) {
  constexpr std::size_t kWholes = 12;
  for (const std::size_t size : {1u, 4u, 8u, 16u, 24u, 64u, 70u})
    for (const std::size_t parts : {2u, 3u, 4u, 7u, 8u, 9u})
      for (std::size_t odd = 0; odd <= kWholes; ++odd)
        for (const bool to_parts : {true, false}) {
          const std::size_t whole = size * parts, total = whole * kWholes;
          std::vector<unsigned char> one(2 * total + 200, '#'), many(2 * total + 200, '#');
          for (std::size_t i = 0; i < one.size(); ++i)
            (to_parts ? one : many)[i] = static_cast<unsigned char>(i * 7 + i / 256);
          std::vector<VisRegion> wholes, pieces;
          for (std::size_t i = 0; i < kWholes; ++i)
            wholes.push_back({address(&one[(i ^ 1) * (whole + 5)]), whole});
          for (std::size_t i = 0; i < kWholes * parts; ++i)
            pieces.push_back({address(&many[(i ^ 1) * (size + 1)]), size});
          if (odd != kWholes) {  // two pieces of other lengths, together as long
            pieces[odd * parts + 1].bytes -= 1;
            pieces[odd * parts].bytes += 1;
            pieces[odd * parts].address = address(&many[many.size() - size - 1]);
          }
          const auto bytes = [](const std::vector<VisRegion>& list) {
            std::vector<unsigned char*> all;
            for (const VisRegion& r : list)
              for (std::size_t i = 0; i < r.bytes; ++i)
                all.push_back(reinterpret_cast<unsigned char*>(r.address) + i);
            return all;
          };
          const auto w = bytes(wholes), p = bytes(pieces);
          ASSERT_EQ(w.size(), p.size());
          auto& target = to_parts ? many : one;
          auto expected = target;
          for (std::size_t i = 0; i < w.size(); ++i)
            expected[static_cast<std::size_t>((to_parts ? p : w)[i] - target.data())] =
                *(to_parts ? w : p)[i];
          if (to_parts)
            vis_copy_regions(pieces.data(), pieces.size(), 0, wholes.data(), wholes.size(), 0);
          else
            vis_copy_regions(wholes.data(), wholes.size(), 0, pieces.data(), pieces.size(), 0);
          ASSERT_EQ(target, expected) << size << " " << parts << " " << odd << " " << to_parts;
        }
}

// Addresses whose lengths differ on the two sides: one a multiple of the other, and neither.
TEST(VisLists, AddressesOfDifferentLengths) {
  std::mt19937_64 random(19);
  std::vector<unsigned char> memory(20000);
  for (unsigned char& c : memory) c = static_cast<unsigned char>(random());
  for (int round = 0; round < 3000; ++round) {
    const std::size_t unit = 1 + random() % 20, a = 1 + random() % 12, b = 1 + random() % 12,
                      m = random() % 9;
    std::vector<std::uint64_t> to, from;
    std::vector<unsigned char> target(30000, '#'), expected, stream;
    for (std::size_t i = 0; i < b * m; ++i) to.push_back(address(target.data()) + i * (unit * a + 1));
    std::shuffle(to.begin(), to.end(), random);
    for (std::size_t i = 0; i < a * m; ++i) from.push_back(address(memory.data()) + random() % 15000);
    for (const std::uint64_t f : from)
      for (std::size_t i = 0; i < unit * b; ++i) stream.push_back(*reinterpret_cast<unsigned char*>(f + i));
    expected = target;
    for (std::size_t i = 0; i < stream.size(); ++i)
      expected[to[i / (unit * a)] - address(target.data()) + i % (unit * a)] = stream[i];
    vis_copy(VisSide::indexed(to.data(), to.size(), unit * a),
             VisSide::indexed(from.data(), from.size(), unit * b));
    ASSERT_EQ(target, expected) << unit << " * " << a << " from " << unit << " * " << b;
  }
}

// Chunks of a cursor, however small, make up the stream; marks bring it back.
TEST(VisCursors, ChunksMakeUpTheStream) {
  std::mt19937_64 random(11);
  std::vector<unsigned char> memory(1 << 20);
  for (unsigned char& c : memory) c = static_cast<unsigned char>(random());
  for (int round = 0; round < 3000; ++round) {
    const VisSection s = some_section(random, address(memory.data()) + memory.size() / 2, 5);
    const std::vector<std::uint64_t> stream = bytes_of(s);
    std::vector<VisRegion> regions;
    std::vector<std::uint64_t> addresses;
    VisSide side = VisSide::of(s);
    std::vector<std::uint64_t> expected = stream;
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
      const VisChunk c = cursor.next_chunk({room, data_counts ? total : kNoLimit, data_counts});
      ASSERT_GT(c.bytes, 0u);
      ASSERT_LE(c.bytes, room);
      if (data_counts) {
        ASSERT_LE(c.bytes + c.description(), total);
      }
      c.pack(&got[at]);
      at += c.bytes;
    }
    ASSERT_EQ(cursor.contiguous(), 0u);
    for (std::size_t i = 0; i < stream.size(); ++i)
      ASSERT_EQ(got[i], *reinterpret_cast<const unsigned char*>(stream[i])) << "round " << round;
  }
}

// A run's addresses travel as offsets while they lie within 4 GiB.
TEST(VisCursors, ARunIsNearOrFar) {
  constexpr std::uint64_t kFar = std::uint64_t{5} << 30;
  std::vector<std::uint64_t> list;
  for (std::uint64_t i = 0; i < 40; ++i) list.push_back(kFar + 100 * (i ^ 7));
  list[20] += std::uint64_t{0xffffffff} - (list[20] - kFar);  // the most that four bytes name
  const VisSide side = VisSide::indexed(list.data(), list.size(), 8);
  VisChunk c = VisCursor(side).next_chunk({320, 4096, true});
  EXPECT_TRUE(c.near);
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
  EXPECT_TRUE(c.near);
  EXPECT_EQ(c.count, 20u);
  c = VisCursor(side).next_chunk({320, 4096, true});
  EXPECT_FALSE(c.near);
  EXPECT_EQ(c.count, 40u);
  EXPECT_EQ(c.description(), kVisHead + 40 * 8);
}

// What makes a packet's description short: whole planes are one box.
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
