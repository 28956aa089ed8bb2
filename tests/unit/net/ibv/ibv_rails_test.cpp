// SPDX-License-Identifier: BSD-3-Clause
// Large transfers over several connections: how they are cut, when they are complete, and the order that
// messages keep with them. Over queue pairs without a device (tests/support/ibv_queue_pair.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "conduits/net/ibv/endpoint/post_parts.hpp"
#include "conduits/net/ibv/rails/distribute.hpp"
#include "conduits/net/ibv/rails/rail_set.hpp"
#include "tests/support/ibv_queue_pair.hpp"

namespace upcr::ibv {
namespace {

constexpr std::size_t kPage = 4096;

TEST(IbvRails, PartsCoverTheTransferAndAreCutAtPages) {
  std::minstd_rand random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uintptr_t address = 0x10000 + random() % (4 * kPage);
    const std::size_t bytes = 1 + random() % (i % 2 == 0 ? 6 * kPage : 1000 * kPage);
    const unsigned most = 1 + static_cast<unsigned>(random() % kMaxPorts);
    const Parts parts = distribute(address, bytes, most);
    ASSERT_GE(parts.count, 1u);
    ASSERT_LE(parts.count, most);
    std::size_t at = 0, least = SIZE_MAX, largest = 0;
    for (unsigned k = 0; k < parts.count; ++k) {
      ASSERT_EQ(parts.begin(k), at);
      // Short ones are misread by siw.
      if (parts.count > 1) {
        ASSERT_GT(parts.bytes(k), kPage);
      }
      at += parts.bytes(k);
      if (k + 1 < parts.count) {
        ASSERT_EQ((address + at) % kPage, 0u);
      }
      least = std::min(least, parts.bytes(k));
      largest = std::max(largest, parts.bytes(k));
    }
    ASSERT_EQ(at, bytes);
    // The first and the last page may be touched in part only.
    ASSERT_LT(largest - least, 3 * kPage);
    // All take part where there are pages for all.
    if (bytes >= 2 * most * kPage) {
      ASSERT_EQ(parts.count, most);
    }
  }
}

TEST(IbvRails, AlignedTransfersAreCutInEqualParts) {
  const Parts parts = distribute(16 * kPage, 1 << 20, 4);
  ASSERT_EQ(parts.count, 4u);
  for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(parts.bytes(k), std::size_t{1 << 18});
}

// Of three connections the first one is the pair's, the others are rails.
struct Transfers {
  Transfers() {
    room.open(1000);
    for (unsigned i = 0; i < 3; ++i) {
      pairs.push_back(std::make_unique<FakeQueuePair>(path, room, 64));
      Link& link = pairs.back()->link;
      link.rank = 7;
      link.rails = &rails;
      link.connection.port = i;
      link.connection.rail = static_cast<std::uint8_t>(i == 0 ? 0 : i + 1);
      if (i != 0) rails.add(link);
    }
  }
  void start(OperationKind kind, unsigned parts, Pending* local = nullptr) {
    std::vector<Part> all(parts);
    for (unsigned i = 0; i < parts; ++i) {
      all[i].link = &pairs[i]->link;
      all[i].piece = {0x1000 * (i + 1), 100 * (i + 1), 0};
    }
    post_parts(path, rails, all, kind, done, local, [this](Link& link, ibv_send_wr& request, Operation* op) {
      path.post_signalled(link, request, op);
    });
  }
  void process(unsigned nth) {
    const auto completion = pairs[nth]->process_one();
    ASSERT_TRUE(completion.has_value());  // of each part
    path.retire(*pointer_of<Operation>(*completion), [&](Operation* op) {
      note_complete(*op);
      if (op->local != nullptr) op->local->complete();
      op->done->complete();
      path.end(*op);
    });
  }

  SendPath path;
  CompletionRoom room;
  RailSet rails{7};
  std::vector<std::unique_ptr<FakeQueuePair>> pairs;
  Pending done;
};

TEST(IbvRails, ATransferIsCompleteWhenItsLastPartIs) {
  unsigned order[] = {0, 1, 2};
  do {
    Transfers t;
    Pending local;
    t.start(OperationKind::kPut, 3, &local);
    for (unsigned i = 0; i < 3; ++i) {
      EXPECT_FALSE(t.done.done());
      EXPECT_FALSE(local.done());
      t.process(order[i]);
    }
    EXPECT_TRUE(t.done.done());
    EXPECT_TRUE(local.done());
    EXPECT_TRUE(t.pairs[0]->link.queue.empty() && t.pairs[2]->link.queue.empty());
    EXPECT_EQ(t.room.room(), 1000u);
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

// What is left for the reply to a request is not taken: each part alone would leave it.
TEST(IbvRails, PartsLeaveRoomInTheCompletionQueueThatTheyShare) {
  for (unsigned room = 2; room < 8; ++room) {
    Transfers t;
    t.room.open(room);
    Link* links[kMaxPorts];
    const unsigned count = links_with_room(t.path, t.pairs[0]->link, t.rails, links);
    EXPECT_EQ(count, std::min(3u, room - kReplyReserve));
    if (count == 1) continue;
    t.start(OperationKind::kPut, count);
    EXPECT_EQ(t.room.room(), room - count);
    EXPECT_TRUE(t.path.has_room_for_reply(t.pairs[0]->link));
  }
}

// A completion queue of each device: one that is full does not keep the other's rail from taking part.
TEST(IbvRails, RailsOfAnotherDeviceHaveRoomOfTheirOwn) {
  Transfers t;
  CompletionRoom other;
  other.open(2);
  t.pairs[2]->link.room = &other;
  t.room.open(2);
  Link* links[kMaxPorts];
  ASSERT_EQ(links_with_room(t.path, t.pairs[0]->link, t.rails, links), 2u);
  EXPECT_EQ(links[0], &t.pairs[0]->link);
  EXPECT_EQ(links[1], &t.pairs[2]->link);
}

TEST(IbvRails, EachPartIsARequestOfItsConnection) {
  Transfers t;
  t.start(OperationKind::kPut, 3);
  t.start(OperationKind::kGet, 2);
  for (unsigned i = 0; i < 3; ++i) {
    ASSERT_EQ(t.pairs[i]->posted.size(), i < 2 ? 2u : 1u);
    EXPECT_EQ(t.pairs[i]->posted[0].opcode, IBV_WR_RDMA_WRITE);
    EXPECT_TRUE(t.pairs[i]->posted[0].signalled);
    EXPECT_EQ(t.rails.moved(i).parts, i < 2 ? 2u : 1u);
    EXPECT_EQ(t.rails.moved(i).bytes, (i < 2 ? 2 : 1) * 100 * (i + 1));
  }
  EXPECT_EQ(t.pairs[1]->posted[1].opcode, IBV_WR_RDMA_READ);
}

// A request that is sent after a put finds all of it in place, and so leaves when the rails' parts are there:
// what is on its own connection is before it anyway.
TEST(IbvRails, MessagesWaitForPutsOnRails) {
  Transfers t;
  EXPECT_FALSE(t.rails.holds_message());
  t.start(OperationKind::kPut, 3);
  EXPECT_TRUE(t.rails.holds_message());
  t.process(2);
  EXPECT_TRUE(t.rails.holds_message());
  t.process(1);
  EXPECT_FALSE(t.rails.holds_message());
  EXPECT_FALSE(t.done.done());
}

TEST(IbvRails, MessagesDoNotWaitForGets) {
  Transfers t;
  t.start(OperationKind::kGet, 3);
  EXPECT_FALSE(t.rails.holds_message());
}

// A thread that puts without end does not keep another one's message waiting.
TEST(IbvRails, PutsAreNotDistributedWhileAMessageWaits) {
  Transfers t;
  t.start(OperationKind::kPut, 2);
  t.start(OperationKind::kPut, 2);
  EXPECT_TRUE(t.rails.may_distribute());
  EXPECT_TRUE(t.rails.holds_message());
  EXPECT_FALSE(t.rails.may_distribute());
  t.process(1);
  EXPECT_FALSE(t.rails.may_distribute());
  t.process(1);
  EXPECT_FALSE(t.rails.may_distribute());  // the message comes first
  EXPECT_FALSE(t.rails.holds_message());
  EXPECT_EQ(t.rails.send_behind_puts([] { return Status::kNoResource; }), Status::kNoResource);
  EXPECT_FALSE(t.rails.may_distribute());  // it could not leave for another reason
  EXPECT_EQ(t.rails.send_behind_puts([] { return Status::kOk; }), Status::kOk);
  EXPECT_TRUE(t.rails.may_distribute());
}

TEST(IbvRails, AMessageIsNotSentBeforeThePuts) {
  Transfers t;
  t.start(OperationKind::kPut, 2);
  bool sent = false;
  const auto send = [&] {
    sent = true;
    return Status::kOk;
  };
  EXPECT_EQ(t.rails.send_behind_puts(send), Status::kNoResource);
  EXPECT_FALSE(sent);
  t.process(1);
  EXPECT_EQ(t.rails.send_behind_puts(send), Status::kOk);
  EXPECT_TRUE(sent);
}

// Its sender may have given up.
TEST(IbvRails, PutsAreDistributedAgainIfTheMessageDoesNotCome) {
  Transfers t;
  t.start(OperationKind::kPut, 2);
  EXPECT_TRUE(t.rails.holds_message());
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(t.rails.may_distribute());
  t.process(1);
  int refused = 0;
  while (!t.rails.may_distribute()) ASSERT_LT(++refused, 10);
  EXPECT_GT(refused, 0);
}

TEST(IbvRails, ClosedRailsAreNotUsed) {
  Transfers t;
  EXPECT_EQ(t.rails.links().size(), 2u);
  EXPECT_TRUE(t.rails.remove(t.pairs[1]->link));
  EXPECT_FALSE(t.rails.remove(t.pairs[1]->link));
  EXPECT_FALSE(t.rails.remove(t.pairs[0]->link));
  ASSERT_EQ(t.rails.links().size(), 1u);
  EXPECT_EQ(t.rails.links()[0], &t.pairs[2]->link);
  EXPECT_FALSE(t.rails.is_full());
}

}  // namespace
}  // namespace upcr::ibv
