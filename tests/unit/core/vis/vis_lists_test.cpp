// SPDX-License-Identifier: BSD-3-Clause
// Copies between lists in one process, whose pieces differ in any way, against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "conduits/core/vis/cursor.hpp"
#include "conduits/core/vis/kernels.hpp"
#include "conduits/core/vis/vis.hpp"
#include "tests/support/vis_sections.hpp"

namespace upcr {
namespace {

using test::address;

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

}  // namespace
}  // namespace upcr
