// SPDX-License-Identifier: BSD-3-Clause
// Errors that the active-message engine reports: handlers that break their contract, messages that are too
// large, malformed packets, and malformed slots of rings.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/rings/rings.hpp"
#include "tests/support/am_engines.hpp"

namespace upcr {
namespace {

using test::Engines;
using test::kReply;
using test::kRequest;
using test::message;
using test::some_args;
using test::WirePacket;

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
    for (; t.rank < 2; ++t.rank) sides_[t.rank].attach(memory_, {0, 2}, {0, 2}, t, bells_, false, name());
  }
  ~RingConduit() override { ::munmap(memory_, Rings::bytes(2)); }
  const char* name() const noexcept override { return "rings"; }
  Status attach(const AttachInfo&) override { return Status::kOk; }
  Status am_send(Rank to, const AmPacket& packet) override { return sides_[0].send(to, packet); }
  unsigned poll(unsigned, AmSink&) override { return 0; }
  Status detach() override { return Status::kOk; }
  Rings* rings() noexcept override { return &sides_[0]; }
  // A packet that rank 1 publishes for rank 0. All of the header is sent but the reserved byte.
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
  // A well-formed packet runs its handler; the packets below get as far.
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
