// SPDX-License-Identifier: BSD-3-Clause
// Rma::put and Rma::get over a conduit with limits: which pieces the conduit is called with, and what travels
// as messages.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "conduits/core/rma/rma.hpp"

namespace upcr {
namespace {

struct Access {
  std::uint64_t at;
  std::size_t bytes;
};

// Copies at once, and records the accesses. Transfers that it refuses arrive as messages, which it records
// too.
class NotingConduit final : public Conduit {
 public:
  NotingConduit(std::size_t max_rma, std::size_t max_inline) {
    caps_.rma_put = caps_.rma_get = true;
    caps_.max_medium = 512;
    caps_.max_rma = max_rma;
    caps_.max_inline = max_inline;
  }
  const char* name() const noexcept override { return "noting"; }
  Status attach(const AttachInfo&) override { return Status::kOk; }
  Status detach() override { return Status::kOk; }
  Status am_send(Rank, const AmPacket& p) override {
    message_bytes += p.body_bytes;
    ++messages;
    return Status::kOk;
  }
  unsigned poll(unsigned, AmSink&) override {
    ++polls;
    return 0;
  }
  Status put(Rank, std::uint64_t raddr, const void* src, std::size_t bytes, Pending&,
             Pending* local) override {
    const Status status = access(raddr, bytes);
    if (status == Status::kOk) std::memcpy(reinterpret_cast<void*>(raddr), src, bytes);
    locals += local != nullptr ? 1 : 0;
    return status;
  }
  Status get(Rank, void* dst, std::uint64_t raddr, std::size_t bytes, Pending&) override {
    const Status status = access(raddr, bytes);
    if (status == Status::kOk) std::memcpy(dst, reinterpret_cast<const void*>(raddr), bytes);
    return status;
  }

  void begin_batch(Rank peer) override {
    EXPECT_EQ(peer, 1u);
    EXPECT_FALSE(std::exchange(in_batch_, true));
    ++batches;
  }
  void end_batch(Rank peer) override {
    EXPECT_EQ(peer, 1u);
    EXPECT_TRUE(std::exchange(in_batch_, false));
  }

  std::function<Status(std::size_t bytes)> decide = [](std::size_t) { return Status::kOk; };
  std::vector<Access> accesses;
  std::size_t message_bytes = 0, in_batches = 0;
  unsigned messages = 0, polls = 0, locals = 0, batches = 0;

 private:
  Status access(std::uint64_t raddr, std::size_t bytes) {
    const Status status = decide(bytes);
    if (status == Status::kOk) accesses.push_back({raddr, bytes});
    if (status == Status::kOk && in_batch_) ++in_batches;
    return status;
  }

  bool in_batch_ = false;
};

class RmaPieces : public testing::Test {
 protected:
  NotingConduit& over(std::size_t max_rma, std::size_t max_inline) {
    conduit_ = std::make_unique<NotingConduit>(max_rma, max_inline);
    engine_ = std::make_unique<AmEngine>(*conduit_, AmEngine::Config{.rank = 0, .size = 2});
    progress_.attach(*engine_, doorbells_);
    rma_.attach(*conduit_, *engine_, progress_, 0, {});
    std::iota(here_, here_ + sizeof here_, 0);
    std::memset(there_, 0, sizeof there_);
    return *conduit_;
  }
  std::uint64_t remote() const { return reinterpret_cast<std::uint64_t>(there_); }
  bool arrived(std::size_t n) const { return std::memcmp(here_, there_, n) == 0 && there_[n] == 0; }

  std::unique_ptr<NotingConduit> conduit_;
  std::unique_ptr<AmEngine> engine_;
  Doorbells doorbells_;
  ProgressEngine progress_;
  Rma rma_;
  alignas(64) unsigned char here_[5000];
  alignas(64) unsigned char there_[5000];
  Pending done_, local_;
};

// Every piece but the last has the size, and they follow on.
void expect_pieces(const NotingConduit& c, std::uint64_t start, std::size_t bytes, std::size_t piece) {
  ASSERT_EQ(c.accesses.size(), (bytes + piece - 1) / piece);
  for (const Access& a : c.accesses) {
    EXPECT_EQ(a.at, start);
    EXPECT_EQ(a.bytes, std::min(piece, bytes));
    start += a.bytes;
    bytes -= a.bytes;
  }
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(c.messages, 0u);
}

// The pieces of one transfer may be started together; what is one piece is started at once.
TEST_F(RmaPieces, ABatchIsOneTransfer) {
  NotingConduit& c = over(1024, 256);
  rma_.put(1, remote(), here_, 1024, done_, &local_);
  rma_.get(1, here_, remote(), 1024, done_);
  EXPECT_EQ(c.batches, 0u);
  rma_.put(1, remote(), here_, 4096, done_, &local_);
  EXPECT_EQ(c.batches, 1u);
  EXPECT_EQ(c.in_batches, 4u);
  rma_.get(1, here_, remote(), 2000, done_);
  EXPECT_EQ(c.batches, 2u);
  EXPECT_EQ(c.in_batches, 6u);
}

TEST_F(RmaPieces, WithinTheLimitsOnePiece) {
  NotingConduit& c = over(1024, 256);
  rma_.put(1, remote(), here_, 1024, done_, &local_);
  EXPECT_TRUE(arrived(1024));
  rma_.put(1, remote(), here_, 256, done_, nullptr);
  rma_.get(1, here_, remote(), 1024, done_);
  ASSERT_EQ(c.accesses.size(), 3u);
  EXPECT_EQ(c.messages, 0u);
}

TEST_F(RmaPieces, LargeOnesInPiecesOfMaxRma) {
  for (const std::size_t bytes : {1025u, 2048u, 4999u}) {
    NotingConduit& c = over(1024, 0);
    rma_.put(1, remote(), here_, bytes, done_, &local_);
    expect_pieces(c, remote(), bytes, 1024);
    EXPECT_EQ(c.locals, c.accesses.size());
    EXPECT_TRUE(arrived(bytes));
    c.accesses.clear();
    std::memset(here_, 0, sizeof here_);
    rma_.get(1, here_, remote(), bytes, done_);
    expect_pieces(c, remote(), bytes, 1024);
    EXPECT_TRUE(arrived(bytes));
  }
}

TEST_F(RmaPieces, PiecesAreWholeLines) {
  NotingConduit& c = over(1000, 80);
  rma_.put(1, remote(), here_, 2000, done_, &local_);
  expect_pieces(c, remote(), 2000, 960);
  c.accesses.clear();
  rma_.put(1, remote(), here_, 200, done_, nullptr);
  expect_pieces(c, remote(), 200, 64);
  EXPECT_TRUE(arrived(2000));
}

TEST_F(RmaPieces, ASourceThatIsWantedBackInPiecesOfMaxInline) {
  NotingConduit& c = over(4096, 512);
  rma_.put(1, remote(), here_, 3000, done_, nullptr);
  expect_pieces(c, remote(), 3000, 512);
  EXPECT_TRUE(arrived(3000));
  EXPECT_EQ(c.locals, 0u);
  c.accesses.clear();
  rma_.put(1, remote(), here_, 3000, done_, &local_);
  expect_pieces(c, remote(), 3000, 4096);
}

TEST_F(RmaPieces, WithoutMaxInlineMaxRmaHolds) {
  NotingConduit& c = over(1024, 0);
  rma_.put(1, remote(), here_, 1500, done_, nullptr);
  expect_pieces(c, remote(), 1500, 1024);
  EXPECT_TRUE(arrived(1500));
}

TEST_F(RmaPieces, AWordIsNeverCut) {
  for (const std::size_t bytes : {1u, 2u, 4u, 8u}) {
    NotingConduit& c = over(3, 1);
    rma_.put(1, remote(), here_, bytes, done_, nullptr);
    rma_.put(1, remote(), here_, bytes, done_, &local_);
    rma_.get(1, here_, remote(), bytes, done_);
    ASSERT_EQ(c.accesses.size(), 3u);
    for (const Access& a : c.accesses) EXPECT_EQ(a.bytes, bytes);
  }
}

TEST_F(RmaPieces, NoResourceIsTriedAgain) {
  NotingConduit& c = over(1024, 0);
  unsigned tries = 0;
  c.decide = [&](std::size_t) { return ++tries % 3 == 0 ? Status::kOk : Status::kNoResource; };
  rma_.put(1, remote(), here_, 3000, done_, &local_);
  expect_pieces(c, remote(), 3000, 1024);
  EXPECT_EQ(c.polls, 6u);
  EXPECT_TRUE(arrived(3000));
}

// The conduit does not do the last piece: only that one travels as messages.
TEST_F(RmaPieces, APieceThatTheConduitDoesNotDoIsMessages) {
  NotingConduit& c = over(1024, 0);
  c.decide = [](std::size_t bytes) { return bytes == 8 ? Status::kNotSupported : Status::kOk; };
  rma_.put(1, remote(), here_, 2056, done_, &local_);
  EXPECT_EQ(c.accesses.size(), 2u);
  EXPECT_EQ(c.messages, 1u);
  EXPECT_EQ(c.message_bytes, 8u);
  EXPECT_FALSE(done_.done());  // of the message
  EXPECT_TRUE(arrived(2048));
  done_.n = 0;
  rma_.get(1, here_, remote(), 2056, done_);
  EXPECT_EQ(c.accesses.size(), 4u);
  EXPECT_EQ(c.messages, 2u);
}

}  // namespace
}  // namespace upcr
