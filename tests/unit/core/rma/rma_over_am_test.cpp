// SPDX-License-Identifier: BSD-3-Clause
// Remote memory access by active messages, over the in-memory conduit: all sizes, all orders.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "conduits/core/rma/rma.hpp"
#include "conduits/core/rma/rma_over_am.hpp"
#include "tests/support/simulated_ranks.hpp"

namespace upcr {
namespace {

using test::MemoryNet;
using test::SimulatedRanks;

constexpr AccessGuard kAnything{};

class RmaRanks : public SimulatedRanks {
 public:
  explicit RmaRanks(Rank size, const MemoryNet::Options& options = {}, bool multithreaded = false)
      : SimulatedRanks(size, options, {.multithreaded = multithreaded}) {
    for (Rank r = 0; r < size; ++r) register_rma_handlers(engine(r), kAnything);
  }
};

std::vector<char> some_bytes(std::size_t n, unsigned seed) {
  std::vector<char> v(n);
  std::minstd_rand random(seed);
  for (char& c : v) c = static_cast<char>(random());
  return v;
}
std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

TEST(RmaOverAm, PutAndGetOfEverySizeInAnyOrder) {
  constexpr std::size_t kPacket = 512;
  const std::size_t sizes[] = {
      1, 2, 3, 4, 7, 8, 9, 100, kPacket - 1, kPacket, kPacket + 1, 3 * kPacket, (1u << 20) + 5};
  for (const std::uint64_t seed : {0u, 21u, 22u}) {
    RmaRanks ranks(2, {.max_medium = kPacket, .requests = 5000, .reorder_seed = seed});
    for (const std::size_t n : sizes) {
      for (const std::size_t shift : {0u, 1u}) {
        const std::vector<char> data = some_bytes(n, static_cast<unsigned>(n));
        std::vector<char> there(n + 16, '#'), back(n + 16, '#'), source = data;
        Pending put, get;
        put_over_am(ranks.engine(0), 1, address(there.data() + shift), source.data(), n, put);
        std::fill(source.begin(), source.end(), '!');  // reusable on return
        EXPECT_FALSE(put.done());
        ranks.settle();
        EXPECT_TRUE(put.done());
        EXPECT_EQ(std::memcmp(there.data() + shift, data.data(), n), 0) << n;
        EXPECT_EQ(there[shift + n], '#');
        get_over_am(ranks.engine(0), 1, back.data() + shift, address(there.data() + shift), n, get);
        ranks.settle();
        EXPECT_TRUE(get.done());
        EXPECT_EQ(std::memcmp(back.data() + shift, data.data(), n), 0) << n;
        EXPECT_EQ(back[shift + n], '#');
        if (shift != 0) {
          EXPECT_EQ(there[0], '#');
          EXPECT_EQ(back[0], '#');
        }
      }
    }
  }
}

// All ranks put to and get from all ranks, through queues of two packets.
TEST(RmaOverAm, AllToAllThroughTinyQueues) {
  constexpr Rank kRanks = 3;
  constexpr std::size_t kBytes = 20000;
  for (const unsigned refuse : {0u, 3u}) {
    RmaRanks ranks(
        kRanks, {.max_medium = 256, .requests = 2, .replies = 1, .reorder_seed = 5, .refuse_every = refuse});
    std::vector<std::vector<char>> memory(kRanks * kRanks, std::vector<char>(kBytes));  // [at][from]
    std::atomic<Rank> finished{0};
    std::vector<std::thread> threads;
    for (Rank me = 0; me < kRanks; ++me) {
      threads.emplace_back([&, me] {
        const auto wait = [&](Pending& p) {
          while (!p.done())
            if (ranks.engine(me).poll() == 0) std::this_thread::yield();
        };
        Pending puts, gets;
        std::vector<std::vector<char>> back(kRanks, std::vector<char>(kBytes));
        for (Rank to = 0; to < kRanks; ++to)
          put_over_am(ranks.engine(me), to, address(memory[to * kRanks + me].data()),
                      some_bytes(kBytes, me + 1).data(), kBytes, puts);
        wait(puts);
        for (Rank from = 0; from < kRanks; ++from)
          get_over_am(ranks.engine(me), from, back[from].data(), address(memory[from * kRanks + me].data()),
                      kBytes, gets);
        wait(gets);
        for (const auto& b : back) EXPECT_EQ(b, some_bytes(kBytes, me + 1));
        ++finished;
        while (finished < kRanks)
          if (ranks.engine(me).poll() == 0) std::this_thread::yield();
      });
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(ranks.net().on_wire(), 0u);
  }
}

// Aligned words of 1, 2, 4 and 8 bytes never tear, on either path.
TEST(RmaOverAm, SmallAccessesAreSingleCopyAtomic) {
  RmaRanks ranks(2, {}, true);
  alignas(8) std::uint64_t word = 0;
  std::atomic<bool> stop{false};
  std::thread owner([&] {
    while (!stop)
      if (ranks.engine(1).poll() == 0) std::this_thread::yield();
  });
  std::thread reader([&] {
    while (!stop) {
      const std::uint64_t v = std::atomic_ref(word).load(std::memory_order_relaxed);
      EXPECT_EQ(v & 0xffffffff, v >> 32);
      std::this_thread::yield();
    }
  });
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t value = i << 32 | i;
    std::uint64_t back = 0;
    Pending done;
    put_over_am(ranks.engine(0), 1, address(&word), &value, sizeof value, done);
    while (!done.done())
      if (ranks.engine(0).poll() == 0) std::this_thread::yield();
    get_over_am(ranks.engine(0), 1, &back, address(&word), sizeof back, done);
    while (!done.done())
      if (ranks.engine(0).poll() == 0) std::this_thread::yield();
    EXPECT_EQ(back, value);
  }
  stop = true;
  owner.join();
  reader.join();
}

TEST(RmaOverAmDeathTest, AddressesOutsideTheSegmentAreNamed) {
  std::vector<char> segment(1000);
  RmaRanks ranks(2);
  const AccessGuard guard{[](void* base, std::uint64_t at, std::size_t n) {
                            const std::uint64_t offset = at - address(base);
                            return offset <= 1000 && n <= 1000 - offset;
                          },
                          segment.data()};
  register_rma_handlers(ranks.engine(1), guard);
  std::uint64_t word = 0;
  Pending done;
  const std::uint64_t beyond = address(segment.data()) + 996;
  EXPECT_DEATH((put_over_am(ranks.engine(0), 1, beyond, &word, 8, done), ranks.settle()),
               "rank 0 wants to write 8 bytes");
  EXPECT_DEATH((get_over_am(ranks.engine(0), 1, &word, beyond, 8, done), ranks.settle()),
               "rank 0 wants to read 8 bytes");
}

TEST(RmaOverAmDeathTest, MalformedRequestsAreNamed) {
  RmaRanks ranks(2);
  const auto send = [&](InternalHandler handler, std::vector<std::uint32_t> args) {
    AmMessage m;
    m.internal = true;
    m.handler = static_cast<std::uint8_t>(handler);
    m.args = args;
    ranks.engine(0).request(1, m);
    ranks.settle();
  };
  for (const InternalHandler h :
       {InternalHandler::kPut, InternalHandler::kPutAck, InternalHandler::kGet, InternalHandler::kGetReply})
    EXPECT_DEATH(send(h, {1, 2, 3}), "malformed remote access from rank 0: 3 arguments");
  char byte = 0;
  const std::uint64_t args[] = {address(&byte), 1u << 30, address(&byte), 0};
  std::vector<std::uint32_t> words(8);
  std::memcpy(words.data(), args, sizeof args);
  EXPECT_DEATH(send(InternalHandler::kGet, words), "rank 0 asks for 1073741824 bytes");
}

}  // namespace
}  // namespace upcr
