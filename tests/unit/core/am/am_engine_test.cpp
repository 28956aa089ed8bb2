// SPDX-License-Identifier: BSD-3-Clause
// The active-message engine, packet by packet over the in-memory conduit.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/rings/rings.hpp"
#include "tests/support/simulated_ranks.hpp"

namespace upcr {
namespace {

using test::MemoryNet;
using test::SimulatedRanks;
using test::WirePacket;

constexpr std::uint8_t kRequest = 3, kReply = 250;

struct Seen {
  Rank source;
  bool is_request;
  std::vector<std::uint32_t> args;
  std::string data;
  const void* where;
};

// What a rank's handlers do: record the message and, for kRequest, send the reply that `make_reply` prepares.
struct Party {
  std::vector<Seen> seen;
  std::function<AmMessage(const Seen&)> make_reply;

  static void handle(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                     void* cookie) {
    auto& self = *static_cast<Party*>(cookie);
    EXPECT_TRUE(AmEngine::in_handler());
    self.seen.push_back({token.source,
                         token.is_request,
                         {args, args + nargs},
                         bytes != 0 ? std::string(static_cast<char*>(data), bytes) : std::string(),
                         data});
    if (token.is_request && self.make_reply) token.engine.reply(token, self.make_reply(self.seen.back()));
  }
};

std::vector<std::uint32_t> some_args(unsigned n, std::uint32_t first = 1000) {
  std::vector<std::uint32_t> args(n);
  std::iota(args.begin(), args.end(), first);
  return args;
}
std::string some_data(std::size_t n, unsigned seed = 1) {
  std::string s(n, '\0');
  std::minstd_rand random(seed);
  for (char& c : s) c = static_cast<char>(random());
  return s;
}

AmMessage message(AmCategory category, std::uint8_t handler, const std::vector<std::uint32_t>& args,
                  const std::string& data = {}, void* dest = nullptr) {
  AmMessage m;
  m.category = category;
  m.handler = handler;
  m.args = args;
  m.data = data.data();
  m.bytes = data.size();
  m.dest = reinterpret_cast<std::uint64_t>(dest);
  return m;
}

class Engines : public SimulatedRanks {
 public:
  explicit Engines(Rank size, const MemoryNet::Options& options = {}, const AmEngine::Config& config = {})
      : SimulatedRanks(size, options, config), parties(size) {
    for (Rank r = 0; r < size; ++r) {
      engine(r).set_handler(kRequest, &Party::handle, &parties[r]);
      engine(r).set_handler(kReply, &Party::handle, &parties[r]);
    }
  }
  std::vector<Party> parties;
};

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

// Both sides owe each other more than the engine is willing to hold back.
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

// A peer that does not poll holds up what is for itself, nothing else.
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

// A handler that does what handlers may not.
void breach(AmToken& token, const std::uint32_t* args, unsigned, void*, std::size_t, void*) {
  const std::vector<std::uint32_t> none;
  const AmMessage m = message(AmCategory::kShort, kReply, none);
  switch (args[0]) {
    case 0:
      token.engine.request(1 - token.source, m);
      break;
    case 1:
      (void)token.engine.try_request(token.source, m);
      break;
    case 2:
      token.engine.poll();
      break;
    case 3:
      token.engine.reply(token, m);
      token.engine.reply(token, m);
      break;
    case 4: {
      AmMessage again = m;
      again.handler = 9;
      again.args = {args, 1};
      token.engine.reply(token, again);
      break;
    }
  }
}

TEST(AmEngineDeathTest, HandlersThatBreakTheirContract) {
  Engines e(2);
  for (Rank r = 0; r < 2; ++r) e.engine(r).set_handler(9, breach, nullptr);
  const auto provoke = [&](std::uint32_t what, Rank to) {
    const std::vector<std::uint32_t> args{what};
    e.engine(0).request(to, message(AmCategory::kShort, 9, args));
    e.settle();
  };
  for (const Rank to : {0u, 1u}) {
    EXPECT_DEATH(provoke(0, to), "handler sent a request");
    EXPECT_DEATH(provoke(1, to), "handler sent a request");
    EXPECT_DEATH(provoke(2, to), "handler polled");
    EXPECT_DEATH(provoke(3, to), "replied twice");
    EXPECT_DEATH(provoke(4, to), "reply handler replied");
  }
}

TEST(AmEngineDeathTest, MessagesThatAreTooLarge) {
  Engines e(2, {.max_medium = 100});
  const auto args = some_args(17);
  const std::string data(101, 'x');
  EXPECT_DEATH(e.engine(0).request(1, message(AmCategory::kShort, kRequest, args)),
               "17 arguments; the most is 16");
  EXPECT_DEATH(e.engine(0).request(1, message(AmCategory::kMedium, kRequest, {}, data)),
               "101 bytes; the most is 100");
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

// Whatever the wire brings is checked before it is used.
TEST(AmEngineDeathTest, MalformedPacketsAreNamed) {
  std::string memory(1000, '\0');
  AmEngine::Config config;
  config.writable.context = memory.data();
  config.writable.allowed = [](void* base, std::uint64_t address, std::size_t n) {
    const std::uint64_t at = address - reinterpret_cast<std::uint64_t>(base);
    return at <= 1000 && n <= 1000 - at;
  };
  Engines e(2, {.max_medium = 256}, config);
  const auto arrives = [&](AmHeader head, Rank source, const LongPrefix* prefix = nullptr) {
    WirePacket p;
    p.source = source;
    p.head = head;
    p.args.resize(32);
    p.payload.resize(64);
    if (prefix != nullptr) std::memcpy(p.payload.data(), prefix, sizeof *prefix);
    e.net().inject(0, p);
    e.engine(0).poll();
  };
  EXPECT_DEATH(arrives({77, 0, 0, 0, 0}, 1), "rank 1 names client handler 77, which is not registered");
  EXPECT_DEATH(arrives({200, 0, kAmInternal, 0, 0}, 1), "rank 1 names internal handler 200");
  EXPECT_DEATH(
      arrives({static_cast<std::uint8_t>(InternalHandler::kFirstAboveCore), 0, kAmInternal, 0, 0}, 1),
      "internal handler .* not registered");
  EXPECT_DEATH(arrives({kRequest, 17, 0, 0, 0}, 1), "malformed.*17 arguments");
  EXPECT_DEATH(arrives({kRequest, 0, kAmMedium, 0, 257}, 1), "malformed.*257 bytes of at most 256");
  EXPECT_DEATH(arrives({kRequest, 0, 0, 0, 0}, 2), "malformed.*source 2 of 2");

  const auto dest = reinterpret_cast<std::uint64_t>(memory.data());
  EXPECT_DEATH(arrives({kRequest, 0, kAmLong, 0, sizeof(LongPrefix) - 1}, 1), "cut short");
  const LongPrefix outside{dest + 995, 10, 0, 1, 0};
  EXPECT_DEATH(arrives({kRequest, 0, kAmLong, 0, sizeof(LongPrefix) + 10}, 1, &outside),
               "rank 1 wants to write 10 bytes.*outside");
  const LongPrefix overrun{dest, 10, 8, 1, 0};
  EXPECT_DEATH(arrives({kRequest, 0, kAmLong, 0, sizeof(LongPrefix) + 3}, 1, &overrun), "overruns");
  const LongPrefix beyond{dest, 10, 11, 1, 0};
  EXPECT_DEATH(arrives({kRequest, 0, kAmLong, 0, sizeof(LongPrefix)}, 1, &beyond), "overruns");
  const LongPrefix part{dest, 10, 0, 1, 0};
  EXPECT_DEATH(
      {
        arrives({kRequest, 0, kAmLong, 0, sizeof(LongPrefix) + 6}, 1, &part);
        arrives({kRequest, 0, kAmLong, 0, sizeof(LongPrefix) + 6}, 1, &part);
      },
      "rank 1.*more than its 10 bytes");
}

// An engine over rings in shared memory, which processes packets that fit in one slot without the conduit.
class RingConduit final : public Conduit {
 public:
  RingConduit() {
    memory_ = ::mmap(nullptr, Rings::bytes(2), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    caps_.max_medium = 1024;
    Topology t;
    t.size = 2;
    t.first_slot = {0, 1, 2};
    for (; t.rank < 2; ++t.rank) sides_[t.rank].attach(static_cast<Ring*>(memory_), t, bells_, false, name());
  }
  ~RingConduit() override { ::munmap(memory_, Rings::bytes(2)); }
  const char* name() const noexcept override { return "rings"; }
  Status attach(const AttachInfo&) override { return Status::kOk; }
  Status am_send(Rank to, const AmPacket& packet) override { return sides_[0].send(to, packet); }
  unsigned poll(unsigned, AmSink&) override { return 0; }
  Status detach() override { return Status::kOk; }
  Rings* rings() noexcept override { return &sides_[0]; }
  // What rank 1 publishes for rank 0. Of the head everything travels but the reserved byte.
  void arrives(AmHeader head) {
    const std::uint32_t args[32] = {};
    AmHeader smaller = head;
    smaller.nargs = 0;
    sides_[1].request_slot(0, smaller, args);
    // More arguments than a sender can give: written as a stray store would.
    auto* words = reinterpret_cast<std::uint32_t*>(memory_);
    for (std::size_t i = 0; i < Rings::bytes(2) / sizeof *words; i += 2)
      if (words[i] == 1 && words[i + 1] == slot_descriptor(smaller)) words[i + 1] = slot_descriptor(head);
  }

 private:
  void* memory_;
  Doorbell bells_[2];
  Rings sides_[2];
};

TEST(AmEngineDeathTest, InternalHandlersAreSetBeforeTheStart) {
  RingConduit conduit;
  AmEngine engine(conduit, {.rank = 0, .size = 2});
  engine.set_internal(handler_above_core<0>(), nullptr, nullptr);
  engine.close_registration();
  EXPECT_DEATH(engine.set_internal(handler_above_core<1>(), nullptr, nullptr),
               "internal handler [0-9]+ is set after the start");
}

TEST(AmEngineDeathTest, MalformedSlotsAreNamed) {
  const auto arrives = [](AmHeader head) {
    RingConduit conduit;
    AmEngine engine(conduit, {.rank = 0, .size = 2});
    engine.set_handler(
        kRequest,
        [](AmToken&, const std::uint32_t*, unsigned n, void*, std::size_t, void*) {
          std::fprintf(stderr, "ran with %u\n", n), std::exit(0);
        },
        nullptr);
    conduit.arrives(head);
    engine.poll();
  };
  // What is well-formed runs: the packets below get as far as it does.
  EXPECT_EXIT(arrives({kRequest, 16, 0, 0, 0}), ::testing::ExitedWithCode(0), "ran with 16");
  for (const std::uint8_t many : {17, 24, 31})
    EXPECT_DEATH(arrives({kRequest, many, 0, 0, 0}), "malformed.*" + std::to_string(many) + " arguments");
  EXPECT_DEATH(arrives({77, 2, 0, 0, 0}), "rank 1 names client handler 77, which is not registered");
  EXPECT_DEATH(arrives({255, 0, kAmInternal, 0, 0}), "rank 1 names internal handler 255 of");
  EXPECT_DEATH(arrives({static_cast<std::uint8_t>(kMaxInternalHandlers), 1, kAmInternal, 0, 0}),
               "rank 1 names internal handler .* of");
  EXPECT_DEATH(arrives({static_cast<std::uint8_t>(InternalHandler::kFirstAboveCore), 0, kAmInternal, 0, 0}),
               "internal handler .* not registered");
}

}  // namespace
}  // namespace upcr
