// SPDX-License-Identifier: BSD-3-Clause
// Which work requests the ibv conduit posts, and when it takes them for complete, over queue pairs without a
// device (tests/support/ibv_queue_pair.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conduits/net/ibv/sending/send_path.hpp"
#include "tests/support/ibv_queue_pair.hpp"

namespace upcr::ibv {
namespace {

constexpr unsigned kCompletions = 1000;

enum class How { kAlone, kInRun, kInBatch };

struct Sender {
  explicit Sender(unsigned links = 1, unsigned depth = 64, unsigned room = kCompletions) {
    completions.open(room);
    for (unsigned i = 0; i < links; ++i) {
      pairs.push_back(std::make_unique<FakeQueuePair>(path, completions, depth));
      pairs.back()->link.rank = i;
    }
  }

  // A put, which is complete when the device has processed its request and that is known here.
  Operation* put(FakeQueuePair& pair, How how = How::kInRun, std::string data = "data") {
    Operation* op = path.begin(pair.link, OperationKind::kPut);
    ibv_sge piece{reinterpret_cast<std::uintptr_t>(data.data()), static_cast<std::uint32_t>(data.size()), 0};
    ibv_send_wr write{};
    write.opcode = IBV_WR_RDMA_WRITE;
    write.sg_list = &piece;
    write.num_sge = 1;
    write.send_flags = IBV_SEND_INLINE;
    op->done = &done;
    done.add();
    if (how == How::kAlone)
      path.post_signalled(pair.link, write, op);
    else if (how == How::kInRun)
      path.post_in_run(pair.link, write, op);
    else
      path.post_in_batch(pair.link, write, op);
    return op;  // what was sent inline is gone
  }
  // A packet that is sent inline.
  void message(FakeQueuePair& pair) {
    ibv_send_wr send{};
    send.opcode = IBV_WR_SEND;
    if (path.post_unsignalled(pair.link, send)) return;
    path.post_signalled(pair.link, send, path.begin(pair.link, OperationKind::kMessage));
  }
  // The device processes one request. Returns the operations that are complete by that.
  std::vector<Operation*> process_one(FakeQueuePair& pair) {
    std::vector<Operation*> over;
    const auto completion = pair.process_one();
    if (!completion) return over;
    EXPECT_EQ(tag_of(*completion), WorkRequestTag::kOperation);
    path.retire(*pointer_of<Operation>(*completion), [&](Operation* op) {
      if (op->done != nullptr) op->done->complete();
      over.push_back(op);
      path.end(*op);
    });
    return over;
  }
  void poll_idle() {
    path.signal_last(true);
    path.signal_last(true);
  }

  Connections connections;
  SendPath path;
  CompletionRoom completions;
  std::vector<std::unique_ptr<FakeQueuePair>> pairs;
  Pending done;
};

TEST(IbvSendPath, CompletesManyPutsByFewCompletions) {
  Sender sender;
  FakeQueuePair& pair = *sender.pairs[0];
  std::vector<Operation*> puts, over;
  for (int i = 0; i < 60; ++i) puts.push_back(sender.put(pair));
  EXPECT_EQ(pair.posted.size(), 60u);  // on their way at once, signalled or not
  sender.poll_idle();
  EXPECT_FALSE(sender.path.needs_poll());
  while (!pair.posted.empty()) {
    for (Operation* op : sender.process_one(pair)) over.push_back(op);
    // None before the device has processed it; of the empty write there is no put.
    ASSERT_LE(std::min(over.size(), puts.size()), pair.processed.size());
  }
  ASSERT_EQ(over.size(), puts.size() + 1);
  EXPECT_TRUE(std::equal(puts.begin(), puts.end(), over.begin()));
  EXPECT_TRUE(sender.done.done());
  EXPECT_LE(pair.signalled(), 60 / 15 + 1u);
  EXPECT_TRUE(pair.link.queue.empty());
  EXPECT_EQ(sender.completions.room(), kCompletions);
}

// Whoever waits for the puts polls; nothing else would ever complete them.
TEST(IbvSendPath, SignalsBehindTheLastPuts) {
  Sender sender;
  FakeQueuePair& pair = *sender.pairs[0];
  EXPECT_FALSE(sender.path.needs_poll());
  sender.put(pair);
  EXPECT_TRUE(sender.path.needs_poll());  // so nobody may sleep now
  EXPECT_EQ(pair.signalled(), 0u);
  sender.poll_idle();
  EXPECT_FALSE(sender.path.needs_poll());
  ASSERT_EQ(pair.posted.size(), 2u);
  const FakeQueuePair::Request last = pair.posted.back();
  EXPECT_TRUE(last.signalled);
  EXPECT_EQ(last.pieces, 0);  // it moves nothing
  EXPECT_EQ(last.opcode, IBV_WR_RDMA_WRITE);
  for (int i = 0; i < 10; ++i) sender.poll_idle();
  EXPECT_EQ(pair.posted.size(), 2u);  // one is enough
  (void)sender.process_one(pair);
  EXPECT_FALSE(sender.done.done());
  (void)sender.process_one(pair);
  EXPECT_TRUE(sender.done.done());
}

// A process that is never idle, because its peers send all the time, completes its puts, too.
TEST(IbvSendPath, SignalsInABusyProcess) {
  Sender sender;
  sender.put(*sender.pairs[0]);
  for (int i = 0; i < 100; ++i) sender.path.signal_last(false);
  EXPECT_FALSE(sender.path.needs_poll());
}

// One thread waits for its put, another one puts to another process between any two polls.
TEST(IbvSendPath, SignalsBehindTheLastPutWhileOthersPutElsewhere) {
  Sender sender(2);
  FakeQueuePair &waited = *sender.pairs[0], &stream = *sender.pairs[1];
  sender.put(waited);
  std::size_t puts = 0;
  for (int poll = 0; poll < 100; ++poll) {
    sender.put(stream);
    ++puts;
    sender.path.signal_last(poll % 2 == 0);
    if (poll >= 8) {
      ASSERT_EQ(waited.signalled(), 1u);
    }
    if (stream.posted.size() > 32)
      while (!stream.posted.empty()) (void)sender.process_one(stream);
  }
  EXPECT_EQ(stream.posted.size() + stream.processed.size(), puts);  // its run has gone on
  while (!waited.posted.empty()) (void)sender.process_one(waited);
  EXPECT_TRUE(waited.link.queue.empty());
}

// However short the completion queue is: there is room for the signal.
TEST(IbvSendPath, SignalsBehindTheLastPutsWithLittleRoom) {
  for (unsigned room = 2; room <= 80; ++room) {
    Sender sender(2, 64, room);
    for (const auto& pair : sender.pairs)
      while (sender.path.has_room(pair->link)) sender.put(*pair);
    sender.poll_idle();
    for (int round = 0; round < 2; ++round) {
      for (const auto& pair : sender.pairs)
        while (!pair->posted.empty()) (void)sender.process_one(*pair);
      sender.poll_idle();
    }
    EXPECT_TRUE(sender.done.done()) << room;
    EXPECT_EQ(sender.completions.room(), room);
  }
}

TEST(IbvSendPath, NeedsNoSignalOfItsOwnBehindWhatIsSignalled) {
  Sender sender;
  FakeQueuePair& pair = *sender.pairs[0];
  sender.put(pair);
  sender.put(pair, How::kAlone);
  EXPECT_FALSE(sender.path.needs_poll());
  sender.poll_idle();
  EXPECT_EQ(pair.posted.size(), 2u);
  EXPECT_TRUE(sender.process_one(pair).empty());
  EXPECT_EQ(sender.process_one(pair).size(), 2u);
  EXPECT_TRUE(sender.done.done());
}

// The completion of a message is that of the puts before it, not of those behind it.
TEST(IbvSendPath, CompletesPutsByAMessage) {
  Sender sender;
  FakeQueuePair& pair = *sender.pairs[0];
  sender.put(pair);
  pair.link.queue.request_signal();
  sender.message(pair);
  EXPECT_FALSE(sender.path.needs_poll());
  Operation* const late = sender.put(pair);
  EXPECT_TRUE(sender.process_one(pair).empty());
  const auto over = sender.process_one(pair);
  ASSERT_EQ(over.size(), 2u);  // the put and the message
  EXPECT_EQ(std::count(over.begin(), over.end(), late), 0);
  EXPECT_EQ(sender.done.n.load(), 1u);
}

// Puts to many peers in turn: all complete, and what poll() has to look at stays short.
TEST(IbvSendPath, SignalsPutsToMoreThanAFewLinks) {
  Sender sender(UnsignalledLinks::kMost + 3);
  for (int round = 0; round < 3; ++round)
    for (const auto& pair : sender.pairs) sender.put(*pair);
  for (std::size_t i = 0; i < sender.pairs.size(); ++i)
    EXPECT_EQ(sender.pairs[i]->signalled(), i < UnsignalledLinks::kMost ? 0u : 3u);
  sender.poll_idle();
  for (const auto& pair : sender.pairs)
    while (!pair->posted.empty()) (void)sender.process_one(*pair);
  EXPECT_TRUE(sender.done.done());
  EXPECT_EQ(sender.completions.room(), kCompletions);
}

// Against a model: whatever is posted in which order on which link, with send queues of any depth, an
// operation completes after the device has processed it, none is forgotten, and all room comes back.
TEST(IbvSendPath, CompletesEveryOperationOnce) {
  for (const auto& [depth, room] : {std::pair(2u, 16u), std::pair(5u, 16u), std::pair(8u, 64u),
                                    std::pair(64u, 64u), std::pair(64u, 640u), std::pair(4096u, 2048u)}) {
    std::mt19937 random(depth);
    Sender sender(11, depth, room);
    struct Put {
      Operation* op;
      std::size_t nth;  // request of its queue pair
    };
    std::vector<std::vector<Put>> under_way(sender.pairs.size());
    const auto process = [&](std::size_t at) {
      FakeQueuePair& pair = *sender.pairs[at];
      for (Operation* op : sender.process_one(pair)) {
        auto& puts = under_way[at];
        const auto found = std::find_if(puts.begin(), puts.end(), [&](const Put& p) { return p.op == op; });
        if (found == puts.end()) continue;  // a message, or an empty write
        ASSERT_LT(found->nth, pair.processed.size());
        puts.erase(found);
      }
    };
    unsigned posts = 0;
    for (int step = 0; step < 50'000; ++step) {
      const std::size_t at = random() % sender.pairs.size();
      FakeQueuePair& pair = *sender.pairs[at];
      if (random() % 2 == 0 && sender.path.has_room(pair.link)) {
        ++posts;
        if (random() % 4 == 0) {
          sender.message(pair);
        } else {
          const std::size_t nth = pair.processed.size() + pair.posted.size();
          const auto how = static_cast<How>(random() % 3);
          const std::size_t kept = static_cast<std::uint16_t>(pair.link.queue.last() - pair.next);
          under_way[at].push_back({sender.put(pair, how), nth + kept});
        }
      } else if (!pair.posted.empty()) {
        process(at);
      }
      if (random() % 8 == 0) sender.path.begin_batch(static_cast<Rank>(at));
      if (random() % 8 == 0) sender.path.end_batch(static_cast<Rank>(at));
      if (random() % 16 == 0) sender.path.signal_last(random() % 2 == 0);
    }
    sender.path.post_batch();  // as poll() does
    for (int round = 0; round < 3; ++round) {
      for (std::size_t at = 0; at < sender.pairs.size(); ++at)
        while (!sender.pairs[at]->posted.empty()) process(at);
      sender.poll_idle();
    }
    EXPECT_TRUE(sender.done.done()) << depth;
    EXPECT_LE(room - sender.completions.room(), room / 2);  // some packets wait for the next signalled one
    EXPECT_FALSE(sender.completions.is_busy());
    for (const auto& puts : under_way) EXPECT_TRUE(puts.empty());
    EXPECT_GT(posts, 10'000u);  // there is room again and again
  }
}

TEST(IbvSendPath, PostsABatchByOneCall) {
  Sender sender(2);
  FakeQueuePair &pair = *sender.pairs[0], &other = *sender.pairs[1];
  sender.path.begin_batch(0);
  for (const char* data : {"first", "second", "third"}) sender.put(pair, How::kInBatch, data);
  EXPECT_EQ(pair.calls, 0u);
  EXPECT_TRUE(sender.path.needs_poll());   // nobody may sleep now
  EXPECT_EQ(pair.link.queue.room(), 61u);  // they have their room
  sender.put(other, How::kInBatch);        // of no batch
  EXPECT_EQ(other.calls, 1u);
  sender.path.end_batch(0);
  EXPECT_FALSE(sender.path.needs_poll());
  EXPECT_EQ(pair.calls, 1u);
  ASSERT_EQ(pair.posted.size(), 3u);
  EXPECT_EQ(pair.posted[0].data, "first");
  EXPECT_EQ(pair.posted[1].data, "second");
  EXPECT_EQ(pair.posted[2].data, "third");
  EXPECT_EQ(pair.signalled(), 1u);
  for (int i = 0; i < 3; ++i) (void)sender.process_one(pair);
  EXPECT_EQ(sender.done.n.load(), 1u);  // that of the other link
  sender.put(pair, How::kInBatch);      // the batch is over
  EXPECT_EQ(pair.calls, 2u);
}

TEST(IbvSendPath, PostsALongBatchBySeveralCalls) {
  Sender sender(1, 200);
  FakeQueuePair& pair = *sender.pairs[0];
  sender.path.begin_batch(0);
  for (int i = 0; i < 100; ++i) sender.put(pair, How::kInBatch, std::to_string(i));
  sender.path.end_batch(0);
  ASSERT_EQ(pair.posted.size(), 100u);
  EXPECT_LE(pair.calls, 8u);
  EXPECT_LE(pair.signalled(), 8u);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(pair.posted.front().data, std::to_string(i));
    (void)sender.process_one(pair);
  }
  EXPECT_TRUE(sender.done.done());
  EXPECT_TRUE(pair.link.queue.empty());
}

// A message that is sent meanwhile, by a handler or another thread, is not delayed, nor before the puts.
TEST(IbvSendPath, KeepsTheOrderOfABatchAndOthers) {
  Sender sender;
  FakeQueuePair& pair = *sender.pairs[0];
  sender.path.begin_batch(0);
  sender.put(pair, How::kInBatch, "first");
  sender.message(pair);
  EXPECT_EQ(pair.calls, 1u);
  ASSERT_EQ(pair.posted.size(), 2u);
  EXPECT_EQ(pair.posted[0].opcode, IBV_WR_RDMA_WRITE);
  EXPECT_EQ(pair.posted[1].opcode, IBV_WR_SEND);
  sender.put(pair, How::kInBatch, "second");
  sender.put(pair, How::kAlone, "third");
  EXPECT_EQ(pair.calls, 2u);
  ASSERT_EQ(pair.posted.size(), 4u);
  EXPECT_EQ(pair.posted[2].data, "second");
  EXPECT_EQ(pair.posted[3].data, "third");
  sender.path.end_batch(0);
  EXPECT_EQ(pair.calls, 2u);
  while (!pair.posted.empty()) (void)sender.process_one(pair);
  EXPECT_TRUE(sender.done.done());
}

// A thread that finds no room polls, and what it has started leaves; as does the batch of a thread that is
// interrupted by another one's.
TEST(IbvSendPath, KeepsNoBatchBeyondAPollOrAnotherBatch) {
  Sender sender(2);
  FakeQueuePair& pair = *sender.pairs[0];
  sender.path.begin_batch(0);
  sender.put(pair, How::kInBatch);
  sender.path.post_batch();  // in poll()
  EXPECT_EQ(pair.posted.size(), 1u);
  sender.put(pair, How::kInBatch);
  EXPECT_EQ(pair.posted.size(), 1u);  // it goes on
  sender.path.begin_batch(1);
  EXPECT_EQ(pair.posted.size(), 2u);
  sender.put(pair, How::kInBatch);
  EXPECT_EQ(pair.posted.size(), 3u);
  sender.path.end_batch(0);  // not that of rank 1
  sender.put(*sender.pairs[1], How::kInBatch);
  EXPECT_EQ(sender.pairs[1]->calls, 0u);
  sender.path.end_batch(1);
  EXPECT_EQ(sender.pairs[1]->calls, 1u);
}

// Who has begun no batch does not know when one ends: what it starts leaves at once, behind what waits.
TEST(IbvSendPath, KeepsInABatchOnlyWhatItsThreadStarts) {
  Sender sender;
  FakeQueuePair& pair = *sender.pairs[0];
  sender.path.begin_batch(0);
  std::thread([&] { sender.put(pair, How::kInBatch, "alone"); }).join();
  EXPECT_EQ(pair.calls, 1u);
  sender.put(pair, How::kInBatch, "kept");
  EXPECT_EQ(pair.calls, 1u);
  std::thread([&] { sender.path.end_batch(0); }).join();  // of one that this thread's has ended
  EXPECT_EQ(pair.calls, 1u);
  std::thread([&] { sender.put(pair, How::kInBatch, "behind"); }).join();
  EXPECT_EQ(pair.calls, 2u);
  ASSERT_EQ(pair.posted.size(), 3u);
  EXPECT_EQ(pair.posted[1].data, "kept");
  EXPECT_EQ(pair.posted[2].data, "behind");
  EXPECT_TRUE(pair.posted[2].signalled);
  sender.put(pair, How::kInBatch, "last");
  EXPECT_EQ(pair.calls, 2u);
  sender.path.end_batch(0);
  EXPECT_EQ(pair.calls, 3u);
  while (!pair.posted.empty()) (void)sender.process_one(pair);
  EXPECT_TRUE(sender.done.done());
}

// A list of pieces for one process, within which another list, for the same process or another, is sent.
TEST(IbvSendPath, NestsBatches) {
  for (const Rank inner : {0u, 1u}) {
    Sender sender(2);
    const auto posted = [&sender] { return sender.pairs[0]->posted.size() + sender.pairs[1]->posted.size(); };
    sender.path.begin_batch(0);
    sender.put(*sender.pairs[0], How::kInBatch);
    sender.path.begin_batch(inner);
    sender.put(*sender.pairs[inner], How::kInBatch);
    sender.path.end_batch(inner);
    EXPECT_EQ(posted(), 2u);
    sender.put(*sender.pairs[0], How::kInBatch);
    sender.path.end_batch(0);
    EXPECT_EQ(posted(), 3u);
    EXPECT_FALSE(sender.path.needs_poll());
  }
}

// The queue pair of a connection that has been closed may be gone.
TEST(IbvSendPath, PostsNothingOnADiscardedLink) {
  Sender sender(2);
  FakeQueuePair &batched = *sender.pairs[0], &in_run = *sender.pairs[1];
  sender.put(in_run);
  sender.path.begin_batch(0);
  sender.put(batched, How::kInBatch);
  batched.link.discarded = in_run.link.discarded = true;
  EXPECT_FALSE(sender.path.has_room(in_run.link));
  sender.path.post_batch();  // as poll() does
  sender.poll_idle();
  sender.path.end_batch(0);
  EXPECT_EQ(batched.calls, 0u);
  EXPECT_EQ(in_run.calls, 1u);
  EXPECT_FALSE(sender.path.needs_poll());  // nothing to be done: the process may sleep
}

// The device refuses a put. Later ones are not posted: the completion of one would be taken for that of the
// refused one as well.
TEST(IbvSendPath, CompletesNoRefusedPutByALaterOne) {
  Sender sender;
  FakeQueuePair& pair = *sender.pairs[0];
  pair.link.broken = true;  // reported already: there is no service thread here that would be told
  pair.error = ENOMEM;
  sender.put(pair, How::kAlone);
  sender.put(pair, How::kAlone);
  sender.path.begin_batch(0);
  sender.put(pair, How::kInBatch);
  sender.path.end_batch(0);
  EXPECT_TRUE(pair.posted.empty());
  EXPECT_EQ(sender.done.n.load(), 3u);
}

// iWARP: writes complete in an order of their own, each by itself.
TEST(IbvSendPath, CompletesNothingByLaterRequestsOnIwarp) {
  Sender sender;
  sender.path.open(sender.connections, true, false, 0);
  FakeQueuePair& pair = *sender.pairs[0];
  Operation* write = sender.path.begin(pair.link, OperationKind::kPut);
  sender.path.count(pair.link, write, false);
  pair.link.queue.request_signal();
  sender.message(pair);
  EXPECT_EQ(sender.process_one(pair).size(), 1u);  // the message
  EXPECT_TRUE(pair.link.covered.empty());
  EXPECT_FALSE(sender.path.needs_poll());
  sender.poll_idle();
  EXPECT_EQ(pair.calls, 1u);
  sender.path.end(*write);
  EXPECT_TRUE(pair.link.queue.empty());
}

}  // namespace
}  // namespace upcr::ibv
