// SPDX-License-Identifier: BSD-3-Clause
// The active-message engine over the in-memory conduit: categories, arguments, flow control, threads. Long
// messages: am_long_message_test.cpp; errors: am_engine_errors_test.cpp.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "tests/support/am_engines.hpp"

namespace upcr {
namespace {

using test::Engines;
using test::kReply;
using test::kRequest;
using test::MemoryNet;
using test::message;
using test::Party;
using test::Seen;
using test::SimulatedRanks;
using test::some_args;
using test::some_data;

TEST(AmEngine, EveryArgumentCountAndCategoryBothWays) {
  constexpr std::size_t kPacket = 256;
  const std::size_t sizes[] = {0, 1, 7, 8, 100, kPacket};
  Engines e(2, {.max_medium = kPacket});
  ASSERT_EQ(e.engine(0).max_medium(), kPacket);
  std::string there(kPacket, '\0'), back(kPacket, '\0');
  for (const Rank to : {1u, 0u}) {  // to the other and to oneself
    for (const AmCategory category : {AmCategory::kShort, AmCategory::kMedium, AmCategory::kLong}) {
      for (const std::size_t size : sizes) {
        if (category == AmCategory::kShort && size != 0) continue;
        for (unsigned nargs = 0; nargs <= kMaxAmArgs; ++nargs) {
          const auto request_args = some_args(nargs), reply_args = some_args(kMaxAmArgs - nargs, 77);
          const std::string request_data = some_data(size, nargs + 1),
                            reply_data = some_data(size, nargs + 50);
          for (Party& p : e.parties) p = {};
          e.parties[to].make_reply = [&](const Seen&) {
            return message(category, kReply, reply_args, reply_data, back.data());
          };
          e.engine(0).request(to, message(category, kRequest, request_args, request_data, there.data()));
          e.settle();
          const Seen& request = e.parties[to].seen.at(0);
          EXPECT_TRUE(request.is_request);
          EXPECT_EQ(request.source, 0u);
          EXPECT_EQ(request.args, request_args);
          EXPECT_EQ(request.data, request_data);
          const Seen& reply = e.parties[0].seen.at(to == 0 ? 1 : 0);
          EXPECT_FALSE(reply.is_request);
          EXPECT_EQ(reply.source, to);
          EXPECT_EQ(reply.args, reply_args);
          EXPECT_EQ(reply.data, reply_data);
          if (category == AmCategory::kLong && size != 0) {
            EXPECT_EQ(request.where, there.data());
            EXPECT_EQ(reply.where, back.data());
          }
          EXPECT_EQ(e.parties[0].seen.size() + e.parties[1].seen.size(), 2u);
        }
      }
    }
  }
  EXPECT_FALSE(AmEngine::in_handler());
}

TEST(AmEngine, PayloadsAreAligned) {
  Engines e(2);
  for (unsigned nargs = 0; nargs <= kMaxAmArgs; ++nargs) {
    const auto args = some_args(nargs);
    const std::string data = some_data(24);
    e.engine(0).request(1, message(AmCategory::kMedium, kRequest, args, data));
    e.settle();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(e.parties[1].seen.back().where) % 8, 0u);
  }
}

TEST(AmEngine, TryRequestRefusedLeavesNothing) {
  Engines e(2, {.requests = 2});
  const auto args = some_args(1);
  const AmMessage m = message(AmCategory::kShort, kRequest, args);
  EXPECT_EQ(e.engine(0).try_request(1, m), Status::kOk);
  EXPECT_EQ(e.engine(0).try_request(1, m), Status::kOk);
  EXPECT_EQ(e.engine(0).try_request(1, m), Status::kNoResource);
  EXPECT_TRUE(e.engine(1).pending());
  e.settle();
  EXPECT_FALSE(e.engine(1).pending());
  EXPECT_EQ(e.parties[1].seen.size(), 2u);
}

// Queues of one packet, every rank floods every rank, itself included: nothing is lost and no rank hangs.
TEST(AmEngine, FloodThroughTinyQueues) {
  constexpr Rank kRanks = 3;
  constexpr std::uint32_t kMessages = 3000;
  const MemoryNet::Options wires[] = {{.max_medium = 128, .requests = 1, .replies = 1},
                                      {.max_medium = 128, .requests = 3, .replies = 2, .reorder_seed = 17},
                                      {.max_medium = 128, .requests = 2, .replies = 1, .refuse_every = 3}};
  struct Count {
    std::uint64_t requests = 0, replies = 0, sum = 0;
    std::atomic<bool> finished{false};
  };
  for (const MemoryNet::Options& wire : wires) {
    SimulatedRanks ranks(kRanks, wire);
    std::vector<Count> counts(kRanks);
    for (Rank r = 0; r < kRanks; ++r) {
      ranks.engine(r).set_handler(
          kRequest,
          [](AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
             void* c) {
            ++static_cast<Count*>(c)->requests;
            AmMessage m;
            m.category = bytes != 0 ? AmCategory::kMedium : AmCategory::kShort;
            m.handler = kReply;
            m.args = {args, nargs};
            m.data = data;
            m.bytes = bytes;
            token.engine.reply(token, m);
          },
          &counts[r]);
      ranks.engine(r).set_handler(
          kReply,
          [](AmToken&, const std::uint32_t* args, unsigned, void* data, std::size_t bytes, void* c) {
            auto& count = *static_cast<Count*>(c);
            ++count.replies;
            count.sum += args[0];
            for (std::size_t i = 0; i < bytes; ++i)
              EXPECT_EQ(static_cast<unsigned char*>(data)[i], static_cast<unsigned char>(args[0]));
          },
          &counts[r]);
    }
    std::vector<std::thread> threads;
    for (Rank r = 0; r < kRanks; ++r) {
      threads.emplace_back([&, r] {
        for (std::uint32_t i = 1; i <= kMessages; ++i) {
          const std::vector<std::uint32_t> args(1 + i % kMaxAmArgs, i);
          const std::string data(i % 100, static_cast<char>(i));
          ranks.engine(r).request(
              (r + i) % kRanks,
              message(i % 100 ? AmCategory::kMedium : AmCategory::kShort, kRequest, args, data));
        }
        while (counts[r].replies < kMessages)
          if (ranks.engine(r).poll() == 0) std::this_thread::yield();
        counts[r].finished = true;
        for (bool all = false; !all;) {
          all = true;
          for (Count& c : counts) all = all && c.finished;
          if (ranks.engine(r).poll() == 0) std::this_thread::yield();
        }
      });
    }
    for (std::thread& t : threads) t.join();
    std::uint64_t requests = 0;
    for (const Count& c : counts) {
      EXPECT_EQ(c.replies, kMessages);
      EXPECT_EQ(c.sum, std::uint64_t{kMessages} * (kMessages + 1) / 2);
      requests += c.requests;
    }
    EXPECT_EQ(requests, std::uint64_t{kRanks} * kMessages);
    EXPECT_GT(ranks.net().refused(), 0u);
    EXPECT_EQ(ranks.net().on_wire(), 0u);
  }
}

// Several threads of one rank send and poll at once.
TEST(AmEngine, ManyThreadsOfOneRank) {
  constexpr unsigned kThreads = 4, kMessages = 2000;
  AmEngine::Config config;
  config.multithreaded = true;
  SimulatedRanks ranks(2, {.max_medium = 128, .requests = 4, .replies = 4}, config);
  std::atomic<std::uint32_t> replies[2] = {};
  for (Rank r = 0; r < 2; ++r) {
    ranks.engine(r).set_handler(
        kRequest,
        [](AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
          AmMessage m;
          m.handler = kReply;
          m.args = {args, nargs};
          token.engine.reply(token, m);
        },
        nullptr);
    ranks.engine(r).set_handler(
        kReply,
        [](AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void* n) {
          ++*static_cast<std::atomic<std::uint32_t>*>(n);
        },
        &replies[r]);
  }
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 2 * kThreads; ++t) {
    threads.emplace_back([&, me = t % 2] {
      const auto args = some_args(5);
      for (unsigned i = 0; i < kMessages; ++i)
        ranks.engine(me).request(i % 4 == 0 ? me : 1 - me, message(AmCategory::kShort, kRequest, args));
      while (replies[0] + replies[1] < 2 * kThreads * kMessages)
        if (ranks.engine(me).poll() == 0) std::this_thread::yield();
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(replies[0], kThreads * kMessages);
  EXPECT_EQ(replies[1], kThreads * kMessages);
}

// A thread keeps room for messages to itself, which serves engines with packets of different sizes.
TEST(AmEngine, MessagesToOneselfOfEnginesWithDifferentPackets) {
  for (const std::size_t bytes : {256u, 60000u}) {
    MemoryNet net(1, {.max_medium = bytes});
    const std::unique_ptr<Conduit> conduit = net.conduit(0);
    AmEngine engine(*conduit, {});
    std::vector<char> arrived;
    const auto handler = [](AmToken&, const std::uint32_t*, unsigned, void* data, std::size_t n, void* to) {
      static_cast<std::vector<char>*>(to)->assign(static_cast<char*>(data), static_cast<char*>(data) + n);
    };
    engine.set_handler(kRequest, handler, &arrived);
    const std::vector<char> data(bytes, 'x');
    AmMessage m;
    m.category = AmCategory::kMedium;
    m.handler = kRequest;
    m.data = data.data();
    m.bytes = bytes;
    engine.request(0, m);
    EXPECT_EQ(arrived, data);
  }
}

}  // namespace
}  // namespace upcr
