// SPDX-License-Identifier: BSD-3-Clause
// The engine of atomic operations: every operation on every type, done here, by message and by the network.
#include "conduits/core/rma/atomic.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cstring>
#include <thread>
#include <vector>

#include "conduits/core/am/args.hpp"
#include "tests/support/simulated_ranks.hpp"

namespace upcr {
namespace {

using test::MemoryNet;
using test::SimulatedRanks;

struct Case {
  AtomType type;
  AtomOp op;
  std::uint64_t before;
  AtomWord a, b;
  std::uint64_t after;
};

std::uint64_t word(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t word(double x) { return std::bit_cast<std::uint64_t>(x); }
std::uint64_t word(std::int32_t x) { return static_cast<std::uint32_t>(x); }
std::uint64_t word(std::int64_t x) { return static_cast<std::uint64_t>(x); }

// Operations on integers of any width, signed or not; `ones`: all bits of the type.
void add_integer_cases(std::vector<Case>& cases, AtomType t, std::uint64_t ones) {
  const std::uint64_t v = 0xf0f0'1234'5678'9abc & ones;
  const auto add = [&](AtomOp op, AtomWord a, AtomWord b, std::uint64_t after) {
    cases.push_back({t, op, v, a, b, after & ones});
  };
  add(AtomOp::kGet, {5}, {6}, v);
  add(AtomOp::kSet, {5}, {6}, 5);
  add(AtomOp::kSwap, {1u << 20}, {}, 1u << 20);
  add(AtomOp::kCas, {v}, {42}, 42);
  add(AtomOp::kCas, {v + 1}, {42}, v);
  add(AtomOp::kMaskedSwap, {0xff00}, {0x1234'5678}, (v & ~std::uint64_t{0xff00}) | 0x5600);
  add(AtomOp::kAdd, {ones}, {}, v - 1);
  add(AtomOp::kMult, {3}, {}, v * 3);
  add(AtomOp::kAnd, {0xffff'0000'ffff'0000}, {}, v & 0xffff'0000'ffff'0000);
  add(AtomOp::kOr, {0xff}, {}, v | 0xff);
  add(AtomOp::kXor, {ones}, {}, ~v);
}

std::vector<Case> all_cases() {
  constexpr std::uint64_t k32 = 0xffff'ffff, k64 = ~std::uint64_t{0};
  std::vector<Case> cases;
  add_integer_cases(cases, AtomType::kU32, k32);
  add_integer_cases(cases, AtomType::kI32, k32);
  add_integer_cases(cases, AtomType::kU64, k64);
  add_integer_cases(cases, AtomType::kI64, k64);
  const std::vector<Case> rest = {
      // All bits set are the largest unsigned number, and -1.
      {AtomType::kU32, AtomOp::kMin, k32, {1}, {}, 1},
      {AtomType::kU32, AtomOp::kMax, k32, {1}, {}, k32},
      {AtomType::kI32, AtomOp::kMin, k32, {1}, {}, k32},
      {AtomType::kI32, AtomOp::kMax, k32, {1}, {}, 1},
      {AtomType::kU64, AtomOp::kMin, k64, {1}, {}, 1},
      {AtomType::kU64, AtomOp::kMax, k64, {1}, {}, k64},
      {AtomType::kI64, AtomOp::kMin, k64, {1}, {}, k64},
      {AtomType::kI64, AtomOp::kMax, k64, {1}, {}, 1},
      {AtomType::kI32, AtomOp::kMult, word(-7), {word(3)}, {}, word(-21)},
      {AtomType::kI64, AtomOp::kMult, word(std::int64_t{-7}), {3}, {}, word(std::int64_t{-21})},
      // Of 8 bytes the comparison may ignore some bits.
      {AtomType::kU64, AtomOp::kMaskedCas, 0xab00'0000'0000'0007, {7, k64 >> 8}, {9}, 9},
      {AtomType::kU64, AtomOp::kMaskedCas, 0xab00'0000'0000'0008, {7, k64 >> 8}, {9}, 0xab00'0000'0000'0008},
      {AtomType::kFloat, AtomOp::kGet, word(1.5f), {}, {}, word(1.5f)},
      {AtomType::kFloat, AtomOp::kSet, word(1.5f), {word(2.5f)}, {}, word(2.5f)},
      {AtomType::kFloat, AtomOp::kSwap, word(1.5f), {word(2.5f)}, {}, word(2.5f)},
      {AtomType::kFloat, AtomOp::kCas, word(1.5f), {word(1.5f)}, {word(2.5f)}, word(2.5f)},
      {AtomType::kFloat, AtomOp::kCas, word(0.0f), {word(-0.0f)}, {word(2.5f)}, word(0.0f)},
      {AtomType::kFloat, AtomOp::kAdd, word(1.5f), {word(-2.25f)}, {}, word(-0.75f)},
      {AtomType::kFloat, AtomOp::kMult, word(1.5f), {word(-2.0f)}, {}, word(-3.0f)},
      {AtomType::kFloat, AtomOp::kMin, word(1.5f), {word(-2.0f)}, {}, word(-2.0f)},
      {AtomType::kFloat, AtomOp::kMax, word(-1.5f), {word(-2.0f)}, {}, word(-1.5f)},
      {AtomType::kDouble, AtomOp::kGet, word(1.5), {}, {}, word(1.5)},
      {AtomType::kDouble, AtomOp::kSwap, word(1.5), {word(2.5)}, {}, word(2.5)},
      {AtomType::kDouble, AtomOp::kCas, word(1.5), {word(1.5)}, {word(2.5)}, word(2.5)},
      {AtomType::kDouble, AtomOp::kAdd, word(1.5), {word(-2.25)}, {}, word(-0.75)},
      {AtomType::kDouble, AtomOp::kMult, word(1.5), {word(-2.0)}, {}, word(-3.0)},
      {AtomType::kDouble, AtomOp::kMin, word(1.5), {word(-2.0)}, {}, word(-2.0)},
      {AtomType::kDouble, AtomOp::kMax, word(-1.5), {word(-2.0)}, {}, word(-1.5)},
  };
  cases.insert(cases.end(), rest.begin(), rest.end());
  return cases;
}

// The object between two that must stay as they are.
struct Objects {
  explicit Objects(const Case& c) : bytes(size_of(c.type)) {
    std::memset(memory, '#', sizeof memory);
    std::memcpy(memory + 8, &c.before, bytes);
  }
  void expect_after(const Case& c) const {
    SCOPED_TRACE(testing::Message() << "type " << int(c.type) << ", operation " << int(c.op));
    std::uint64_t now = 0;
    std::memcpy(&now, memory + 8, bytes);
    EXPECT_EQ(now, c.after);
    for (std::size_t i = 0; i < sizeof memory; ++i) {
      if (i < 8 || i >= 8 + bytes) {
        EXPECT_EQ(memory[i], '#') << i;
      }
    }
  }
  void* object() { return memory + 8; }
  const std::size_t bytes;
  alignas(8) char memory[24];
};

TEST(Atomic, EveryOperationHere) {
  for (const Case& c : all_cases()) {
    Objects o(c);
    const AtomWord old = Atomics().here(o.object(), c.type, c.op, c.a, c.b);
    EXPECT_EQ(old.low, c.before);
    o.expect_after(c);
  }
}

// Two ranks; `memory_` is the segment of both.
class AtomicMessages : public testing::Test {
 protected:
  void make(const MemoryNet::Options& options = {}, bool multithreaded = false) {
    ranks_ = std::make_unique<SimulatedRanks>(2, options, AmEngine::Config{.multithreaded = multithreaded});
    const std::uint64_t here = address(memory_);
    segments_.bytes = sizeof memory_;
    segments_.remote = {here, here};
    for (const Rank r : {0u, 1u}) {
      topology_[r] = {};
      topology_[r].rank = r;
      topology_[r].size = 2;
      topology_[r].first_slot = {0, 1, 2};
      topology_[r].rank_of = {0, 1};
      atomics_[r].attach(ranks_->conduit(r), ranks_->engine(r), progress_, {}, topology_[r], segments_);
    }
  }
  static std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

  std::unique_ptr<SimulatedRanks> ranks_;
  Topology topology_[2];
  SegmentMap segments_;
  ProgressEngine progress_;  // not used: the conduit has no atomics
  Atomics atomics_[2];
  alignas(64) char memory_[4096];
  Pending done_;
};

TEST_F(AtomicMessages, EveryOperation) {
  make();
  for (const Case& c : all_cases()) {
    for (const bool wants_old : {true, false}) {
      for (const Rank at : {1u, 0u}) {
        auto* const o = new (memory_) Objects(c);
        AtomWord old{99, 98};
        atomics_[0].start(at, address(o->object()), c.type, c.op, c.a, c.b, wants_old ? &old : nullptr,
                          done_);
        EXPECT_EQ(done_.done(), at == 0);
        ranks_->settle();
        EXPECT_TRUE(done_.done());
        EXPECT_EQ(old.low, wants_old ? c.before : 99);
        o->expect_after(c);
      }
    }
  }
}

TEST_F(AtomicMessages, CountThroughTinyQueues) {
  for (const unsigned refuse : {0u, 3u}) {
    make({.max_medium = 256, .requests = 2, .replies = 1, .reorder_seed = 5, .refuse_every = refuse}, true);
    auto* const counter = new (memory_) std::atomic<std::uint64_t>(0);
    std::atomic<bool> stop{false};
    std::thread owner([&] {  // serves requests, and counts itself
      for (int i = 0; i < 500; ++i) Atomics().here(counter, AtomType::kU64, AtomOp::kAdd, {1}, {});
      while (!stop)
        if (ranks_->engine(1).poll() == 0) std::this_thread::yield();
    });
    for (int i = 0; i < 500; ++i)
      atomics_[0].start(1, address(counter), AtomType::kU64, AtomOp::kAdd, {1}, {}, nullptr, done_);
    while (!done_.done())
      if (ranks_->engine(0).poll() == 0) std::this_thread::yield();
    stop = true;
    owner.join();
    EXPECT_EQ(counter->load(), 1000u);
    EXPECT_EQ(ranks_->net().on_wire(), 0u);
  }
}

using AtomicMessagesDeathTest = AtomicMessages;

TEST_F(AtomicMessagesDeathTest, AddressesOutsideTheSegmentAreNamed) {
  make();
  const auto update = [&](const void* p, AtomType type) {
    atomics_[0].start(1, address(p), type, AtomOp::kAdd, {1}, {}, nullptr, done_);
    ranks_->settle();
  };
  EXPECT_DEATH(update(memory_ + sizeof memory_ - 4, AtomType::kU64), "rank 0 wants to update 8 bytes");
  EXPECT_DEATH(update(memory_ - 4, AtomType::kU32), "rank 0 wants to update 4 bytes");
  update(memory_ + sizeof memory_ - 4, AtomType::kU32);
}

TEST_F(AtomicMessagesDeathTest, MalformedOnesAreNamed) {
  make();
  const auto send = [&](InternalHandler handler, std::span<const std::uint32_t> args) {
    ranks_->engine(0).request(1, internal_message(handler, args));
    ranks_->settle();
  };
  const std::uint32_t three[] = {1, 2, 3};
  EXPECT_DEATH(send(InternalHandler::kAtomic, three), "malformed atomic operation from rank 0: 3 arguments");
  EXPECT_DEATH(send(InternalHandler::kAtomicReply, three),
               "malformed result of an atomic operation from rank 0: 3 arguments");
  const auto with_code = [&](std::uint64_t code) {
    send(InternalHandler::kAtomic, to_args(std::array<std::uint64_t, 6>{address(memory_), 0, 0, code, 0, 0}));
  };
  EXPECT_DEATH(with_code(99), "malformed atomic operation from rank 0: code 0x63");
  EXPECT_DEATH(with_code(99 << 8), "malformed atomic operation from rank 0: code 0x6300");
}

// A network that has additions and compare-and-swap, and returns kNoResource as often as the test sets.
class AddingConduit final : public Conduit {
 public:
  AddingConduit() {
    caps_.amo64 = true;
    caps_.max_medium = 512;
  }
  const char* name() const noexcept override { return "adding"; }
  Status attach(const AttachInfo&) override { return Status::kOk; }
  Status detach() override { return Status::kOk; }
  Status am_send(Rank, const AmPacket&) override {
    ++messages;
    return Status::kOk;
  }
  unsigned poll(unsigned, AmSink&) override { return 0; }
  Status amo64(Rank, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b, std::uint64_t* old,
               Pending&) override {
    if (refusals != 0) return --refusals, Status::kNoResource;
    if (op != AtomOp::kAdd && op != AtomOp::kCas) return Status::kNotSupported;
    const AtomWord before = Atomics().here(reinterpret_cast<void*>(raddr), AtomType::kU64, op, {a}, {b});
    if (old != nullptr) *old = before.low;
    ++operations;
    return Status::kOk;
  }
  unsigned refusals = 0, operations = 0, messages = 0;
};

TEST(Atomic, ByTheNetworkWhereItCan) {
  AddingConduit c;
  AmEngine engine(c, AmEngine::Config{.rank = 0, .size = 2});
  Topology topology;
  topology.size = 2;
  const SegmentMap segments;
  Doorbells doorbells;
  ProgressEngine progress;
  progress.attach(engine, doorbells);
  Atomics atomics;
  atomics.attach(c, engine, progress, {}, topology, segments);
  alignas(8) std::uint64_t object = 10;
  Pending done;
  const auto update = [&](AtomType type, AtomOp op, AtomWord* old = nullptr) {
    atomics.start(1, reinterpret_cast<std::uint64_t>(&object), type, op, {10, ~std::uint64_t{0}}, {7}, old,
                  done);
  };
  AtomWord old{99, 98};
  update(AtomType::kU64, AtomOp::kAdd, &old);
  EXPECT_EQ(old.low, 10u);
  EXPECT_EQ(old.high, 98u);
  c.refusals = 3;
  update(AtomType::kI64, AtomOp::kAdd);
  EXPECT_EQ(object, 30u);
  EXPECT_EQ(c.refusals, 0u);
  object = 10;
  update(AtomType::kU64, AtomOp::kCas);
  EXPECT_EQ(object, 7u);
  EXPECT_EQ(c.operations, 3u);
  EXPECT_EQ(c.messages, 0u);
  EXPECT_TRUE(done.done());

  update(AtomType::kU64, AtomOp::kXor);  // it has none
  update(AtomType::kU32, AtomOp::kAdd);
  update(AtomType::kDouble, AtomOp::kAdd);
  update(AtomType::kI64, AtomOp::kMax);
  update(AtomType::kU64, AtomOp::kMaskedCas);
  EXPECT_EQ(c.operations, 3u);
  EXPECT_EQ(c.messages, 5u);
  EXPECT_FALSE(done.done());
}

}  // namespace
}  // namespace upcr
