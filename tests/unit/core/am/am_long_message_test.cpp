// SPDX-License-Identifier: BSD-3-Clause
// Long messages of the active-message engine: fragments, direct stores, replies of more than one packet.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "tests/support/am_engines.hpp"

namespace upcr {
namespace {

using test::Engines;
using test::kReply;
using test::kRequest;
using test::message;
using test::Party;
using test::Seen;
using test::some_args;
using test::some_data;

// Fragments in any order, several messages interleaved: each handler runs once, when all its data is there.
TEST(AmEngine, LongMessagesSurviveReordering) {
  constexpr std::size_t kPacket = 128, kRoom = kPacket - sizeof(LongPrefix);
  const std::size_t sizes[] = {0, 1, kRoom - 1, kRoom, kRoom + 1, 2 * kRoom, 5 * kRoom + 3, 40 * kRoom + 1};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Engines e(3, {.max_medium = kPacket, .requests = 1000, .reorder_seed = seed});
    std::vector<std::string> sent, landing;
    for (const std::size_t size : sizes) {
      for (unsigned from = 0; from < 2; ++from) {
        sent.push_back(some_data(size, static_cast<unsigned>(sent.size() + 1)));
        landing.emplace_back(size, '\0');
      }
    }
    for (unsigned i = 0; i < sent.size(); ++i) {
      const std::vector<std::uint32_t> args{i};
      e.engine(i % 2).request(2, message(AmCategory::kLong, kRequest, args, sent[i], landing[i].data()));
    }
    e.settle();
    ASSERT_EQ(e.parties[2].seen.size(), sent.size());
    for (const Seen& s : e.parties[2].seen) {
      EXPECT_EQ(s.source, s.args.at(0) % 2);
      EXPECT_EQ(s.data, sent[s.args.at(0)]) << "seed " << seed;  // as the handler saw it
    }
    EXPECT_EQ(landing, sent);
  }
}

TEST(AmEngine, LongDataIsStoredDirectlyWhereMapped) {
  std::string memory(10000, '\0');
  AmEngine::Config config;
  config.mapped = [](void*, Rank rank, std::uint64_t address, std::size_t) -> void* {
    return rank == 1 ? reinterpret_cast<void*>(address) : nullptr;
  };
  Engines e(2, {.max_medium = 64}, config);
  const std::string data = some_data(10000);
  const auto args = some_args(2);
  e.engine(0).request(1, message(AmCategory::kLong, kRequest, args, data, memory.data()));
  EXPECT_EQ(e.net().on_wire(0, 1), 1u);
  e.settle();
  ASSERT_EQ(e.parties[1].seen.size(), 1u);
  EXPECT_EQ(e.parties[1].seen[0].data, data);
}

// A Long reply has one packet's room for sure; the rest of it leaves as the wire has room.
TEST(AmEngine, LongRepliesLargerThanAPacket) {
  for (const std::uint64_t seed : {0u, 5u, 6u}) {
    Engines e(2, {.max_medium = 128, .requests = 2, .replies = 1, .reorder_seed = seed});
    std::vector<std::string> landing(6, std::string(5000, '\0'));
    std::string source;
    e.parties[1].make_reply = [&](const Seen& s) {
      source = some_data(5000, s.args[0] + 1);  // overwritten by the next one: the engine has copied it
      return message(AmCategory::kLong, kReply, s.args, source, landing[s.args[0]].data());
    };
    for (std::uint32_t i = 0; i < landing.size(); ++i) {
      const std::vector<std::uint32_t> args{i};
      while (e.engine(0).try_request(1, message(AmCategory::kShort, kRequest, args)) != Status::kOk)
        e.poll_all();
    }
    e.settle();
    ASSERT_EQ(e.parties[0].seen.size(), landing.size());
    for (const Seen& s : e.parties[0].seen) {
      EXPECT_FALSE(s.is_request);
      EXPECT_EQ(s.data, some_data(5000, s.args.at(0) + 1));
    }
  }
}

// Both sides have more replies to send than the engine may queue.
TEST(AmEngine, HugeLongRepliesBothWays) {
  constexpr std::size_t kSize = 12u << 20;
  constexpr unsigned kEach = 3;
  Engines e(2, {.max_medium = 65536, .requests = 2, .replies = 2});
  const std::string data = some_data(kSize);
  std::vector<std::string> landing(2 * kEach, std::string(kSize, '\0'));
  for (Party& p : e.parties) {
    p.make_reply = [&](const Seen& s) {
      return message(AmCategory::kLong, kReply, s.args, data, landing[s.args[0]].data());
    };
  }
  for (std::uint32_t i = 0; i < 2 * kEach; ++i) {
    const std::vector<std::uint32_t> args{i};
    const AmMessage request = message(AmCategory::kShort, kRequest, args);
    for (int tries = 0; e.engine(i % 2).try_request(1 - i % 2, request) != Status::kOk && tries < 10000;
         ++tries)
      e.poll_all();
  }
  for (int idle = 0; idle < 1000;) idle = e.poll_all() == 0 ? idle + 1 : 0;
  for (const Party& p : e.parties) {
    unsigned replies = 0;
    for (const Seen& s : p.seen) replies += !s.is_request;
    EXPECT_EQ(replies, kEach);
  }
  for (const std::string& l : landing) EXPECT_TRUE(l == data);
}

// A peer that does not poll delays messages to itself, no others.
TEST(AmEngine, LongRepliesDoNotQueueBehindASilentPeer) {
  Engines e(3, {.max_medium = 128, .replies = 2});
  const std::string data = some_data(3000);
  std::vector<std::string> landing(3, std::string(data.size(), '\0'));
  e.parties[0].make_reply = [&](const Seen& s) {
    return message(AmCategory::kLong, kReply, {}, data, landing[s.source].data());
  };
  e.engine(1).request(0, message(AmCategory::kShort, kRequest, {}));
  e.engine(0).poll();  // rank 1's reply is on its way, but rank 1 computes
  e.engine(2).request(0, message(AmCategory::kShort, kRequest, {}));
  for (int i = 0; i < 1000 && e.parties[2].seen.empty(); ++i) {
    e.engine(0).poll();
    e.engine(2).poll();
  }
  EXPECT_EQ(e.parties[2].seen.size(), 1u);
  EXPECT_TRUE(landing[2] == data);
  EXPECT_TRUE(e.parties[1].seen.empty());
  e.settle();
  EXPECT_TRUE(landing[1] == data);
}

}  // namespace
}  // namespace upcr
