// SPDX-License-Identifier: BSD-3-Clause
// Non-contiguous accesses by active messages that must be rejected: addresses outside the segment, and
// malformed packets.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/unit/core/vis/vis_ranks.hpp"

namespace upcr {
namespace {

using test::address;
using test::VisRanks;

struct Segment {
  std::vector<char> bytes = std::vector<char>(1000);
  AccessGuard guard() {
    return {[](void* base, std::uint64_t at, std::size_t n) {
              const std::uint64_t offset = at - address(base);
              return offset <= 1000 && n <= 1000 - offset;
            },
            bytes.data()};
  }
};

TEST(VisOverAmDeathTest, AddressesOutsideTheSegmentAreNamed) {
  Segment segment;
  VisRanks ranks(2, {}, segment.guard());
  char local[64] = {};
  Pending done;
  const VisSide here = VisSide::contiguous(local, 64);
  const auto both = [&](const VisSide& remote, const char* message) {
    EXPECT_DEATH((ranks.put(1, remote, here, done), ranks.settle()),
                 std::string("wants to write ") + message);
    EXPECT_DEATH((ranks.get(1, here, remote, done), ranks.settle()), std::string("wants to read ") + message);
  };
  VisSection up(address(segment.bytes.data()) + 900, 8), down(address(segment.bytes.data()) + 50, 8);
  up.add(8, 16);
  down.add(8, -16);
  both(VisSide::of(up), "120 bytes");
  both(VisSide::of(down), "120 bytes");
  const std::uint64_t list[] = {address(segment.bytes.data()), address(segment.bytes.data()) + 997};
  both(VisSide::indexed(list, 2, 32), "32 bytes");
  const VisRegion regions[] = {{list[0], 60}, {list[1], 4}};
  both(VisSide::vector(regions, 2), "4 bytes");
}

// A list is checked by its addresses alone: numbers whose bits together would reach beyond the segment do
// not, wherever in the list the highest address is.
TEST(VisOverAmDeathTest, ListsUpToTheEndOfTheSegment) {
  Segment segment;
  VisRanks ranks(2, {}, segment.guard());
  const std::uint64_t base = address(segment.bytes.data());
  std::vector<std::uint64_t> list;
  for (std::size_t i = 0; i < 37; ++i) list.push_back(base + 8 * i);
  std::vector<char> local(8 * 37), back(8 * 37);
  for (std::size_t i = 0; i < local.size(); ++i) local[i] = static_cast<char>(i + 1);
  for (std::size_t last = 0; last < list.size(); ++last) {
    auto addresses = list;
    addresses[last] = base + 512;
    addresses[(last + 1) % 37] = base + 496;
    addresses[(last + 2) % 37] = base + 992;  // to the last byte
    Pending done;
    const VisSide there = VisSide::indexed(addresses.data(), addresses.size(), 8);
    ranks.put(1, there, VisSide::contiguous(local.data(), local.size()), done);
    ranks.get(1, VisSide::contiguous(back.data(), back.size()), there, done);
    ranks.settle();
    ASSERT_TRUE(done.done());
    ASSERT_EQ(back, local);
  }
  // By offsets, and by steps of 8 bytes.
  for (const auto& [above, below] : {std::pair{993, 1}, std::pair{1000, 8}})
    for (const std::size_t last : {0u, 1u, 7u, 8u, 31u, 32u, 36u}) {
      auto addresses = list;
      addresses[last] = base + static_cast<std::uint64_t>(above);
      const VisSide there = VisSide::indexed(addresses.data(), addresses.size(), 8);
      Pending done;
      EXPECT_DEATH(
          (ranks.put(1, there, VisSide::contiguous(local.data(), local.size()), done), ranks.settle()),
          "wants to write 8 bytes");
      addresses[last] = base - static_cast<std::uint64_t>(below);
      EXPECT_DEATH((ranks.get(1, VisSide::contiguous(back.data(), back.size()), there, done), ranks.settle()),
                   "wants to read 8 bytes");
    }
}

TEST(VisOverAmDeathTest, MalformedRequestsAreNamed) {
  Segment segment;
  VisRanks ranks(2, {.max_medium = 512}, segment.guard());
  std::uint64_t args64[3] = {};
  std::uint32_t args[6];
  const auto send = [&](InternalHandler handler, unsigned nargs, std::vector<std::uint64_t> payload,
                        std::size_t bytes) {
    std::memcpy(args, args64, sizeof args);
    AmMessage m;
    m.category = AmCategory::kMedium;
    m.internal = true;
    m.handler = static_cast<std::uint8_t>(handler);
    m.args = {args, nargs};
    payload.resize(16);  // what is sent beyond the words given is 0
    m.data = payload.data();
    m.bytes = bytes;
    ranks.engine(0).request(1, m);
    ranks.settle();
  };
  const std::uint64_t base = address(segment.bytes.data());
  const auto head = [](std::uint32_t elem, std::uint32_t n) { return elem | std::uint64_t{n} << 32; };
  for (const InternalHandler h : {InternalHandler::kVisPut, InternalHandler::kVisPutAck,
                                  InternalHandler::kVisGet, InternalHandler::kVisGetReply})
    EXPECT_DEATH(send(h, 1, {0}, 8), "malformed non-contiguous access from rank 0: 1 arguments");
  const auto put = InternalHandler::kVisPut;
  EXPECT_DEATH(send(put, 2, {base, head(8, 0)}, 12), "cut short");
  EXPECT_DEATH(send(put, 2, {base, head(8, 1), 16}, 24), "cut short");
  EXPECT_DEATH(send(put, 2, {base, head(0, 0)}, 16), "elements of 0 bytes");
  EXPECT_DEATH(send(put, 2, {base, head(8, 65)}, 16), "65 dimensions");
  EXPECT_DEATH(send(put, 2, {base, head(8, 1), 16, 0}, 32), "dimension 0 has 0 elements");
  EXPECT_DEATH(send(put, 2, {base, head(8, 2), 0, 1ull << 40, 0, 1ull << 40}, 48), "dimension 1 has");
  EXPECT_DEATH(send(put, 2, {base, head(8, 1), 1ull << 62, 5}, 32), "leaves the address space");
  EXPECT_DEATH(send(put, 2, {base, head(8, 0), 1}, 20), "4 bytes of data for a chunk of 8");
  EXPECT_DEATH(send(put, 2, {0, head(8, 1u << 31 | 3), base, base}, 32), "3 addresses of 8 bytes");
  EXPECT_DEATH(send(put, 2, {0, head(8, 1u << 31)}, 16), "0 addresses of 8 bytes");
  EXPECT_DEATH(send(put, 2, {base, head(8, 7u << 29 | 1), 0, 0}, 32), "places of the kind 3");
  constexpr std::uint32_t kSteps = 1u << 31 | 1u << 30;  // 2 in the bits 29 and 30
  EXPECT_DEATH(send(put, 2, {base, head(8, kSteps | 9), 0, 0}, 32), "9 addresses of 8 bytes");
  // Two steps of 8 bytes, and the largest ones: a single one, one of the first eight, the last of nine.
  const auto steps = [](std::uint16_t a, std::uint16_t b) { return a | std::uint64_t{b} << 16; };
  EXPECT_DEATH(send(put, 2, {base, head(8, kSteps | 3u << 24 | 1), steps(0xffff, 0), 0}, 26),
               "wants to write 8 bytes");
  EXPECT_DEATH(send(put, 2, {base, head(8, kSteps | 31u << 24 | 8), steps(0, 0x7fff), 0}, 96),
               "wants to write 8 bytes");
  EXPECT_DEATH(send(put, 2, {base, head(8, kSteps | 31u << 24 | 8), 0, steps(0, 0x8000)}, 96),
               "wants to write 8 bytes");
  EXPECT_DEATH(send(put, 2, {base, head(8, kSteps | 3u << 24 | 9), 0, 0, steps(125, 0)}, 106),
               "wants to write 8 bytes");
  EXPECT_DEATH(send(InternalHandler::kVisGet, 6, {base, head(513, 0)}, 16), "asks for more than 512 bytes");
}

}  // namespace
}  // namespace upcr
