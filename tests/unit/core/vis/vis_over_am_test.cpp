// SPDX-License-Identifier: BSD-3-Clause
// Non-contiguous access by active messages, over the in-memory conduit: packet by packet, in every order.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "tests/unit/core/vis/vis_ranks.hpp"

namespace upcr {
namespace {

using test::address;
using test::VisRanks;

// A side of `bytes` bytes that does not overlap itself, in memory of its own.
struct Memory {
  std::vector<unsigned char> bytes;
  std::vector<VisRegion> regions;
  std::vector<std::uint64_t> addresses;
  VisSide side;

  std::vector<unsigned char> contents() const {
    std::vector<unsigned char> c(side.bytes());
    VisCursor(side).pack(c.data(), c.size());
    return c;
  }
};

std::unique_ptr<Memory> some_memory(std::mt19937_64& random, std::size_t unit, std::size_t n, unsigned kind) {
  const auto below = [&](std::uint64_t m) { return static_cast<std::size_t>(random() % m); };
  auto m = std::make_unique<Memory>();
  m->bytes.resize(40 * unit * n + 4000);
  for (unsigned char& c : m->bytes) c = static_cast<unsigned char>(random());
  const std::uint64_t base = address(m->bytes.data());
  std::uint64_t at = base + below(9);
  if (kind == 0) {
    const bool all_alike = below(4) == 0;          // handled as a list of addresses
    const bool alike = all_alike || below(3) < 2;  // runs of one length, which travel as addresses
    for (std::size_t left = unit * n; left != 0;) {
      const std::size_t any = all_alike || (alike && below(20) != 0) ? unit : 1 + below(3 * unit);
      const std::size_t bytes = std::min(left, !alike && below(4) == 0 ? 0 : any);
      m->regions.push_back({bytes != 0 ? at : 0, bytes});
      at += bytes + below(5);
      left -= bytes;
    }
    std::shuffle(m->regions.begin(), m->regions.end(), random);
    m->side = VisSide::vector(m->regions.data(), m->regions.size());
  } else if (kind == 1) {
    for (std::size_t i = 0; i < n; ++i, at += unit + below(7)) m->addresses.push_back(at);
    std::shuffle(m->addresses.begin(), m->addresses.end(), random);
    m->side = VisSide::indexed(m->addresses.data(), n, unit);
  } else {
    VisSection s(base, unit);
    auto extent = static_cast<std::ptrdiff_t>(unit);
    std::uint64_t low = 0;
    for (std::size_t left = n; left > 1;) {
      std::size_t count = left;
      for (const std::size_t d : {2u, 3u, 5u, 7u})
        if (left % d == 0 && below(2) == 0) count = d;
      const auto stride = extent + static_cast<std::ptrdiff_t>(below(2) * below(3));
      const bool down = below(3) == 0;
      s.add(count, down ? -stride : stride);
      if (down) low += static_cast<std::uint64_t>(stride) * (count - 1);
      extent = stride * static_cast<std::ptrdiff_t>(count);
      left /= count;
    }
    s.base += low;
    m->side = VisSide::of(s);
  }
  return m;
}

void direct_put(void* engine, Rank to, std::uint64_t raddr, const void* src, std::size_t bytes,
                Pending& remote, Pending*) {
  put_over_am(*static_cast<AmEngine*>(engine), to, raddr, src, bytes, remote);
}
std::size_t direct_bytes;
void direct_get(void* engine, Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  direct_bytes += bytes;
  get_over_am(*static_cast<AmEngine*>(engine), from, dst, raddr, bytes, done);
}

// Every kind of side to every kind, through packets of 128 bytes and more, in order and out of it.
TEST(VisOverAm, PutAndGetOfEveryShapeInAnyOrder) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 400; ++round) {
    const std::size_t packet = round % 3 == 0 ? 128 : 64u << (random() % 7);
    const VisDirect direct = round % 2 == 0 ? VisDirect{} : VisDirect{packet, direct_put, direct_get};
    VisRanks ranks(2, {.max_medium = packet, .requests = 10000, .reorder_seed = random() % 3}, {}, direct,
                   false, round % 5 == 0 ? 64 : 0);
    const std::size_t unit = 1 + random() % 40, n = 1 + random() % 210;
    const auto remote = some_memory(random, unit, n, static_cast<unsigned>(random() % 3));
    const auto local = some_memory(random, unit, n, static_cast<unsigned>(random() % 3));
    const auto surroundings = [&](const Memory& m) {  // what is not part of the side
      Memory copy = m;
      const std::vector<unsigned char> nothing(m.side.bytes());
      const std::ptrdiff_t shift =
          static_cast<std::ptrdiff_t>(address(copy.bytes.data()) - address(m.bytes.data()));
      copy.side.delta = static_cast<std::uint64_t>(shift);
      VisCursor(copy.side).unpack(nothing.data(), nothing.size());
      return copy.bytes;
    };
    const auto expected = local->contents();
    const auto outside = surroundings(*remote), inside = surroundings(*local);
    Pending put, get;
    ranks.put(1, remote->side, local->side, put);
    VisCursor(local->side).unpack(std::vector<unsigned char>(unit * n, '!').data(), unit * n);  // reusable
    EXPECT_FALSE(put.done());
    ranks.settle();
    ASSERT_TRUE(put.done());
    ASSERT_EQ(remote->contents(), expected) << "round " << round;
    ASSERT_EQ(surroundings(*remote), outside);
    ranks.get(1, local->side, remote->side, get);
    auto regions = std::move(local->regions);  // the lists are the caller's again
    auto addresses = std::move(local->addresses);
    std::vector<VisRegion> kept = regions;
    std::vector<std::uint64_t> kept_addresses = addresses;
    std::fill(regions.begin(), regions.end(), VisRegion{1, 1});
    std::fill(addresses.begin(), addresses.end(), 1);
    ranks.settle();
    ASSERT_TRUE(get.done());
    regions = kept, addresses = kept_addresses;
    ASSERT_EQ(local->contents(), expected) << "round " << round;
    ASSERT_EQ(surroundings(*local), inside);
    EXPECT_EQ(ranks.service(0).gets(), 1u);  // cleaned up by the next one
    Pending none;
    ranks.get(1, VisSide::contiguous(nullptr, 0), VisSide::contiguous(nullptr, 0), none);
    EXPECT_TRUE(none.done());
    EXPECT_EQ(ranks.service(0).gets(), 0u);
  }
  EXPECT_GT(direct_bytes, 0u);
}

// A section is described by numbers: its packets hold little else than data.
TEST(VisOverAm, DescriptionsAreShort) {
  VisRanks ranks(2, {.max_medium = 1024, .requests = 10000});
  std::vector<char> remote(64 * 1024), local(32 * 1024, 5);
  VisSection columns(address(remote.data()), 8);
  columns.add(4096, 16);
  Pending done;
  // Nothing is answered before settle(), so what is pending is the number of packets.
  ranks.put(1, VisSide::of(columns), VisSide::contiguous(local.data(), local.size()), done);
  EXPECT_GE(done.n.load(), 32u);
  EXPECT_LE(done.n.load(), (32u * 1024 + 991) / 992);
  ranks.settle();
  // A get asks with one small packet for each answer.
  ASSERT_TRUE(done.done());
  ranks.get(1, VisSide::contiguous(local.data(), local.size()), VisSide::of(columns), done);
  EXPECT_EQ(done.n.load(), 32u);
  ranks.settle();
  EXPECT_TRUE(done.done());
}

// Where that is worth it, an access is a few packets instead of one, but a large one still has as few as
// possible.
TEST(VisOverAm, AFewPacketsThatAreProcessedInTurns) {
  struct {
    std::size_t bytes, packets;
  } const accesses[] = {{1 << 10, 1}, {2047, 1}, {4 << 10, 5}, {8 << 10, 5}, {32 << 10, 5}, {128 << 10, 17}};
  VisRanks ranks(2, {.max_medium = 8 << 10, .requests = 10000}, {}, {}, false, 1 << 10);
  std::vector<char> remote(256 << 10), local(128 << 10, 5);
  for (const auto& [bytes, packets] : accesses) {
    VisSection columns(address(remote.data()), 1);
    columns.add(bytes, 2);
    Pending done;
    ranks.put(1, VisSide::of(columns), VisSide::contiguous(local.data(), bytes), done);
    EXPECT_EQ(done.n.load(), packets) << bytes;  // nothing is answered before settle()
    ranks.settle();
    ASSERT_TRUE(done.done());
    for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(remote[2 * i], 5);
    ranks.get(1, VisSide::contiguous(local.data(), bytes), VisSide::of(columns), done);
    EXPECT_EQ(done.n.load(), packets == 1 || bytes > (64 << 10) ? (bytes + 8191) / 8192 : 4) << bytes;
    ranks.settle();
    ASSERT_TRUE(done.done());
  }
}

// A long contiguous source is read from where it is, when the target is ready; what has many short pieces is
// not described in such a message.
TEST(VisOverAm, LongContiguousSourcesGoInBulk) {
  constexpr std::size_t kBytes = 200 << 10, kBulk = 64 << 10;
  for (const bool supported : {true, false}) {
    for (const std::size_t unit : {std::size_t{1}, std::size_t{8}, std::size_t{100}, std::size_t{20000}}) {
      for (const unsigned kind : {0u, 1u, 2u}) {
        VisRanks ranks(2, {.max_medium = 4096,
                           .max_bulk = supported ? kBulk : 0,
                           .requests = 10000,
                           .reorder_seed = unit + kind});
        const std::size_t n = kBytes / unit;
        std::vector<char> remote(2 * kBytes + 1000, '#'), local(n * unit);
        std::vector<std::uint64_t> places(n);
        std::vector<VisRegion> regions(n);
        for (std::size_t i = 0; i < n; ++i) {
          places[i] = address(remote.data()) + 2 * unit * (n - 1 - i);
          regions[i] = {places[i], unit};
        }
        VisSection rows(address(remote.data()) + 2 * unit * (n - 1), unit);
        rows.add(n, -2 * static_cast<std::ptrdiff_t>(unit));
        for (std::size_t i = 0; i < local.size(); ++i) local[i] = static_cast<char>(i % 251);
        Pending done, read;
        ranks.put(1,
                  kind == 0   ? VisSide::vector(regions.data(), n)
                  : kind == 1 ? VisSide::indexed(places.data(), n, unit)
                              : VisSide::of(rows),
                  VisSide::contiguous(local.data(), local.size()), done, &read);
        const bool bulk = supported && (kind == 2 || unit >= 100);
        EXPECT_EQ(read.n.load() != 0, bulk) << unit << ' ' << kind;
        if (bulk) {
          EXPECT_LE(read.n.load(), kBytes / (16 << 10));
        }
        for (std::size_t i = 0; bulk && i < local.size(); ++i) local[i] = static_cast<char>(i % 253);
        ranks.settle();
        ASSERT_TRUE(done.done() && read.done());
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t k = 0; k < unit; ++k) {
            const std::size_t at = i * unit + k;
            const char got = remote[2 * unit * (n - 1 - i) + k];
            // What is read later has the later contents; the rest of it went in packets.
            ASSERT_TRUE(got == static_cast<char>(at % 251) || (bulk && got == static_cast<char>(at % 253)))
                << unit << ' ' << kind << ' ' << at;
            ASSERT_EQ(remote[2 * unit * (n - 1 - i) + unit + k], '#');
          }
      }
    }
  }
}

// Addresses travel as 4 bytes each where they are near each other, as 8 where not: addresses on the stack and
// on the heap, in turns and in halves.
TEST(VisOverAm, AddressesNearAndFar) {
  constexpr std::size_t kPieces = 200;
  for (const bool regions : {false, true}) {
    for (const std::size_t turn : {std::size_t{1}, std::size_t{2}, std::size_t{7}, kPieces / 2}) {
      VisRanks ranks(2, {.max_medium = 256, .requests = 10000});
      char stack[kPieces * 16] = {};
      const auto heap = std::make_unique<char[]>(sizeof stack);
      ASSERT_GT(std::max(address(stack), address(heap.get())) - std::min(address(stack), address(heap.get())),
                std::uint64_t{1} << 32);
      std::vector<std::uint64_t> addresses;
      std::vector<VisRegion> list;
      for (std::size_t i = 0; i < kPieces; ++i) {
        addresses.push_back(address(i / turn % 2 == 0 ? stack : heap.get()) + 16 * i);
        list.push_back({addresses.back(), 8});
      }
      std::vector<char> data(8 * kPieces), back(8 * kPieces);
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 7 + i / 256);
      const VisSide there =
          regions ? VisSide::vector(list.data(), kPieces) : VisSide::indexed(addresses.data(), kPieces, 8);
      Pending done;
      ranks.put(1, there, VisSide::contiguous(data.data(), data.size()), done);
      ranks.settle();
      for (std::size_t i = 0; i < kPieces; ++i)
        ASSERT_EQ(std::memcmp(reinterpret_cast<char*>(addresses[i]), &data[8 * i], 8), 0) << i;
      ranks.get(1, VisSide::contiguous(back.data(), back.size()), there, done);
      ranks.settle();
      ASSERT_TRUE(done.done());
      ASSERT_EQ(back, data);
    }
  }
}

// All ranks put to and get from all ranks, through queues of two packets, several threads at once.
TEST(VisOverAm, AllToAllThroughTinyQueues) {
  constexpr Rank kRanks = 3;
  for (const unsigned refuse : {0u, 3u}) {
    VisRanks ranks(
        kRanks, {.max_medium = 256, .requests = 2, .replies = 1, .reorder_seed = 5, .refuse_every = refuse},
        {}, {}, true);
    constexpr std::size_t kElements = 500;
    std::vector<std::vector<char>> memory(kRanks * kRanks, std::vector<char>(kElements * 16, '#'));
    std::atomic<Rank> finished{0};
    std::vector<std::thread> threads;
    for (Rank me = 0; me < kRanks; ++me) {
      threads.emplace_back([&, me] {
        const auto wait = [&](Pending& p) {
          while (!p.done())
            if (ranks.engine(me).poll() == 0) std::this_thread::yield();
        };
        const auto column = [&](Rank at) {
          VisSection s(address(memory[at * kRanks + me].data()), 8);
          s.add(kElements, 16);
          return VisSide::of(s);
        };
        const std::vector<char> mine(kElements * 8, static_cast<char>('a' + me));
        const VisSide source = VisSide::contiguous(mine.data(), mine.size());
        Pending puts, gets;
        for (Rank to = 0; to < kRanks; ++to) {
          const VisSide there = column(to);
          VisCursor r(there), l(source);
          ranks.service(me).put(to, r, l, mine.size(), puts, nullptr);
        }
        wait(puts);
        std::vector<std::vector<char>> back(kRanks, std::vector<char>(mine.size()));
        for (Rank from = 0; from < kRanks; ++from) {
          const VisSide there = column(from);
          VisCursor r(there);
          ranks.service(me).get(from, VisSide::contiguous(back[from].data(), mine.size()), r, mine.size(),
                                gets);
        }
        wait(gets);
        for (const auto& b : back) EXPECT_EQ(b, mine);
        ++finished;
        while (finished < kRanks)
          if (ranks.engine(me).poll() == 0) std::this_thread::yield();
      });
    }
    for (std::thread& t : threads) t.join();
    for (const auto& m : memory)
      for (std::size_t i = 0; i < m.size(); ++i) ASSERT_EQ(m[i] == '#', i % 16 >= 8);
  }
}

}  // namespace
}  // namespace upcr
