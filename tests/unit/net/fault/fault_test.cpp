// SPDX-License-Identifier: BSD-3-Clause
// conduits/net/fault over the in-memory conduit: it injects the configured faults, and loses nothing.
#include "conduits/net/fault/fault.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "conduits/net/fault/hold.h"
#include "tests/support/memory_conduit.hpp"

namespace upcr {
namespace {

using test::MemoryNet;

class Pair {
 public:
  explicit Pair(const FaultOptions& options, const MemoryNet::Options& wires = {})
      : net(2, wires),
        sender(wrap_in_faults(net.conduit(0), options)),
        receiver(net.conduit(1)),
        from(*sender, {.rank = 0, .size = 2}),
        to(*receiver, {.rank = 1, .size = 2}) {
    to.set_handler(
        1,
        [](AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
           void* self) {
          auto& received = static_cast<Pair*>(self)->received;
          received.push_back(args[0]);
          EXPECT_EQ(std::string(static_cast<char*>(data), bytes), std::to_string(args[0]));
          AmMessage m;
          m.args = {args, nargs};
          token.engine.reply(token, m);
        },
        this);
    from.set_handler(
        0,
        [](AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void* n) {
          ++*static_cast<int*>(n);
        },
        &replies);
  }
  Status send(std::uint32_t i) {
    const std::string text = std::to_string(i);
    AmMessage m;
    m.category = AmCategory::kMedium;
    m.handler = 1;
    m.args = {&i, 1};
    m.data = text.data();
    m.bytes = text.size();
    return from.try_request(1, m);
  }

  MemoryNet net;
  std::unique_ptr<Conduit> sender, receiver;
  AmEngine from, to;
  std::vector<std::uint32_t> received;
  int replies = 0;
};

TEST(Fault, DelaysReordersAndLosesNothing) {
  Pair p({.delay = 5, .reorder = 3}, {.requests = 2, .replies = 1});
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(p.send(i), Status::kOk);
  EXPECT_EQ(p.net.on_wire(), 0u);  // all of it is held back
  EXPECT_TRUE(p.from.pending());   // so no thread sleeps while it is held
  for (int i = 0; i < 200; ++i) {
    p.from.poll();
    p.to.poll();
  }
  EXPECT_FALSE(p.from.pending());
  EXPECT_EQ(p.replies, 40);
  EXPECT_FALSE(std::is_sorted(p.received.begin(), p.received.end()));
  std::sort(p.received.begin(), p.received.end());
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(p.received.at(i), i);
}

// A peer that accepts nothing: requests to it are held up to a limit, then refused. Another one's requests
// are accepted and arrive all the same.
TEST(Fault, RequestsHeldForOnePeerDoNotDelayAnothers) {
  MemoryNet net(3, {.requests = 1});
  const auto conduit = wrap_in_faults(net.conduit(0), {.delay = 2});
  const auto other = net.conduit(2);
  AmEngine engine(*conduit, {.rank = 0, .size = 3}), receiver(*other, {.rank = 2, .size = 3});
  std::vector<std::uint32_t> received;
  receiver.set_handler(
      1,
      [](AmToken&, const std::uint32_t* args, unsigned, void*, std::size_t, void* to) {
        static_cast<std::vector<std::uint32_t>*>(to)->push_back(args[0]);
      },
      &received);
  const auto send = [&](Rank to, std::uint32_t i) {
    AmMessage m;
    m.handler = 1;
    m.args = {&i, 1};
    return engine.try_request(to, m);
  };
  std::uint32_t accepted = 0;
  for (int i = 0; i < 1000 && send(1, accepted) == Status::kOk; ++i, ++accepted) engine.poll();
  EXPECT_LT(accepted, 1000u);
  EXPECT_EQ(send(1, accepted), Status::kNoResource);
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_EQ(send(2, i), Status::kOk) << i;
    for (int polls = 0; polls < 20; ++polls) engine.poll(), receiver.poll();
    ASSERT_EQ(received.size(), i + 1);
    EXPECT_EQ(received.back(), i);
  }
  EXPECT_EQ(send(1, accepted), Status::kNoResource);
}

TEST(Fault, RefusesEveryNth) {
  Pair p({.refuse = 3});
  unsigned refused = 0;
  for (std::uint32_t i = 0; i < 12; ++i) refused += p.send(i) == Status::kNoResource;
  EXPECT_EQ(refused, 4u);
  EXPECT_EQ(p.net.on_wire(0, 1), 8u);
}

TEST(Fault, DetachSendsWhatIsHeld) {
  Pair p({.delay = 1000});
  for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(p.send(i), Status::kOk);
  EXPECT_EQ(p.sender->detach(), Status::kOk);
  EXPECT_EQ(p.net.on_wire(0, 1), 10u);
}

TEST(Fault, KeepsRequestsUntilTheyAreReleased) {
  Pair p({.am_only = true});
  const unsigned long sent = upcri_fault_sent();
  EXPECT_EQ(p.send(0), Status::kOk);
  upcri_fault_keep_next(2);
  for (std::uint32_t i = 1; i < 5; ++i) EXPECT_EQ(p.send(i), Status::kOk);
  EXPECT_EQ(upcri_fault_kept(), 2u);
  EXPECT_EQ(upcri_fault_sent(), sent + 3);
  const auto serve = [&p] {
    for (int i = 0; i < 100; ++i) {
      p.from.poll();
      p.to.poll();
    }
  };
  serve();
  EXPECT_EQ(p.received, (std::vector<std::uint32_t>{0, 3, 4}));  // the others are not held up by them
  EXPECT_TRUE(p.from.pending());
  upcri_fault_release();
  serve();
  EXPECT_EQ(p.received, (std::vector<std::uint32_t>{0, 3, 4, 1, 2}));
  EXPECT_EQ(upcri_fault_kept(), 0u);
  EXPECT_EQ(upcri_fault_sent(), sent + 3);
  EXPECT_GE(upcri_fault_polls(), 200u);
}

// A conduit with remote access, to be hidden.
class Direct final : public Conduit {
 public:
  Direct() {
    caps_.rma_put = caps_.rma_get = caps_.amo64 = true;
    caps_.max_medium = 100;
  }
  const char* name() const noexcept override { return "direct"; }
  Status attach(const AttachInfo&) override { return Status::kOk; }
  Status am_send(Rank, const AmPacket&) override { return Status::kOk; }
  unsigned poll(unsigned, AmSink&) override { return 0; }
  Status detach() override { return Status::kOk; }
  Status put(Rank, std::uint64_t, const void*, std::size_t, Pending&, Pending*) override {
    return Status::kOk;
  }
  Status get(Rank, void*, std::uint64_t, std::size_t, Pending&) override { return Status::kOk; }
  Status amo64(Rank, std::uint64_t, AtomOp, std::uint64_t, std::uint64_t, std::uint64_t*, Pending&) override {
    return Status::kOk;
  }
};

TEST(Fault, HidesOrRefusesRemoteAccess) {
  Pending pending;
  const auto open = wrap_in_faults(std::make_unique<Direct>(), {});
  EXPECT_TRUE(open->caps().rma_put && open->caps().rma_get && open->caps().amo64);
  EXPECT_EQ(open->put(0, 0, nullptr, 0, pending, nullptr), Status::kOk);
  const auto hidden = wrap_in_faults(std::make_unique<Direct>(), {.am_only = true});
  EXPECT_FALSE(hidden->caps().rma_put || hidden->caps().rma_get || hidden->caps().amo64);
  EXPECT_EQ(hidden->caps().max_medium, 100u);
  EXPECT_EQ(hidden->put(0, 0, nullptr, 0, pending, nullptr), Status::kNotSupported);
  EXPECT_EQ(hidden->get(0, nullptr, 0, 0, pending), Status::kNotSupported);
  EXPECT_EQ(hidden->amo64(0, 0, AtomOp::kAdd, 0, 0, nullptr, pending), Status::kNotSupported);
  const auto refusing = wrap_in_faults(std::make_unique<Direct>(), {.refuse = 2});
  EXPECT_EQ(refusing->put(0, 0, nullptr, 0, pending, nullptr), Status::kOk);
  EXPECT_EQ(refusing->get(0, nullptr, 0, 0, pending), Status::kNoResource);
  EXPECT_EQ(refusing->amo64(0, 0, AtomOp::kAdd, 0, 0, nullptr, pending), Status::kOk);
}

TEST(Fault, Options) {
  FaultOptions o;
  EXPECT_TRUE(FaultOptions::parse("delay=20,reorder=7,refuse=5,amonly", &o));
  EXPECT_EQ(o.delay, 20u);
  EXPECT_EQ(o.reorder, 7u);
  EXPECT_EQ(o.refuse, 5u);
  EXPECT_TRUE(o.am_only);
  EXPECT_FALSE(o.late_puts);
  EXPECT_TRUE(FaultOptions::parse("lateputs", &o));
  EXPECT_TRUE(o.late_puts);
  EXPECT_TRUE(FaultOptions::parse("flip=100:37", &o));
  EXPECT_EQ(o.flip_packet, 100u);
  EXPECT_EQ(o.flip_bit, 37u);
  for (const char* wrong : {"", "delay", "delay=", "delay=x", "delay=1,", "refuse=1", "amonly=1", "Delay=1",
                            "delay=-1", "flip", "flip=1", "flip=0:1", "flip=1:", "flip=:1", "flip=1:2:3"})
    EXPECT_FALSE(FaultOptions::parse(wrong, &o)) << wrong;
}

}  // namespace
}  // namespace upcr
