// SPDX-License-Identifier: BSD-3-Clause
// Connections by datagrams: two processes, each with its state machine and its attempts, in a network that
// loses, repeats, delays and reorders datagrams. Time is virtual.
#include "conduits/net/ibv/datagrams/attempts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "conduits/net/ibv/connect/connect_state_machine.hpp"

namespace upcr::ibv {
namespace {

using Action = ConnectStateMachine::Action;
using State = ConnectStateMachine::State;
constexpr ConnectStateMachine::TimeLimits kLimits{600'000, 4'000};
constexpr std::uint64_t kSecret = 0x1234567890abcdef;

Hello hello_of(Rank rank) {
  Hello hello;
  hello.secret = kSecret;
  hello.rank = rank;
  return hello;
}

class Network {
 public:
  explicit Network(unsigned seed) : random_(seed) {}
  unsigned loss = 0, repeats = 0;  // percent
  Millis delay = 0;                // the longest
  Millis now = 0;
  unsigned sent = 0;

  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }
  void at(Millis when, std::function<void()> what) { events_.emplace(when, std::move(what)); }
  void carry(const std::function<void()>& arrive) {
    ++sent;
    for (unsigned copies = draw(100) < repeats ? 2 : 1; copies > 0; --copies)
      if (draw(100) >= loss) at(now + 1 + (delay != 0 ? draw(static_cast<unsigned>(delay)) : 0), arrive);
  }
  Millis due() const { return events_.empty() ? kNever : events_.begin()->first; }
  void run_next() {
    const auto first = events_.begin();
    const std::function<void()> what = first->second;
    now = std::max(now, first->first);
    events_.erase(first);
    what();
  }

 private:
  std::minstd_rand random_;
  std::multimap<Millis, std::function<void()>> events_;
};

// A process: what the service thread does (connect/service.hpp), without queue pairs.
class Side final : public ConnectorEvents, public DatagramHost {
 public:
  Side(Network& network, Rank rank)
      : network_(network), rank_(rank), attempts(hello_of(rank), 2, 100 + rank, *this, *this) {}

  void connect() {
    if (machine.connect(network_.now, kLimits) == Action::kStart) start();
  }
  void tick() {
    attempts.tick(network_.now);
    switch (machine.tick(network_.now)) {
      case Action::kStart:
        return start();
      case Action::kDrop:
        return drop();
      case Action::kTimedOut:
        timed_out = true;
        return drop();
      default:
        return;
    }
  }
  Millis due() const { return timed_out ? attempts.due() : std::min(machine.due(), attempts.due()); }
  bool close_evicted() {
    const bool accepted = machine.state() == State::kAccepted;
    if ((machine.state() != State::kConnected && !accepted) || !eviction_expected) return false;
    eviction_expected = false;
    machine.evicted();
    drop();
    return true;
  }
  void drop() {
    const std::unique_ptr<ConnectLink> dropped = std::move(link);
    if (dropped != nullptr && dropped->attempt != nullptr) attempts.release(*dropped, network_.now);
  }
  // The queue pair of the peer that this one's is connected with; 0: none.
  std::uint32_t joined() const {
    const auto at = joined_.find(own_.number);
    return link != nullptr && at != joined_.end() ? at->second : 0;
  }
  std::uint32_t number() const { return own_.number; }

  void route_found(ConnectLink& started) override {
    own_ = next_queue_pair();
    machine.request_sent();
    attempts.request(started, hello_of(rank_), own_, network_.now);
  }
  void requested(PeerRequest& request) override {
    ++requests;
    Hello hello;
    last_status = check_hello(request.data, request.bytes, kSecret, rank_, 2, &hello);
    if (last_status != HelloStatus::kValid) return attempts.reject(request, RejectReason::kUnauthenticated);
    (void)close_evicted();
    switch (machine.request_received(rank_ == 0, network_.now, kLimits)) {
      case Action::kRejectRace:
        return attempts.reject(request, RejectReason::kRace);
      case Action::kRejectConnected:
        return attempts.reject(request, RejectReason::kConnected);
      default:
        drop();
    }
    link = std::make_unique<ConnectLink>();
    link->connection.peer = hello.rank;
    own_ = next_queue_pair();
    if (!attempts.accept(*link, request, hello_of(rank_), own_, network_.now).empty()) fail();
  }
  void established(ConnectLink& which, const void* data, std::size_t bytes) override {
    Hello hello;
    EXPECT_EQ(check_hello(data, bytes, kSecret, rank_, 2, &hello), HelloStatus::kValid);
    EXPECT_EQ(&which, link.get());
    (void)machine.established();
  }
  void failed(ConnectLink& which, const ConnectFailure& failure) override {
    EXPECT_EQ(&which, link.get());
    last_failure = failure.why;
    fail();
  }
  void disconnected(ConnectLink& which) override {
    EXPECT_EQ(&which, link.get());
    ++disconnections;
    if (close_evicted()) return;
    if (machine.disconnected(network_.now, kLimits) == Action::kLost) lost = true;
    drop();
  }
  void device_removed(const Device*) override {}

  bool send(unsigned, Rank, unsigned, const Datagram& datagram) override {
    if (silent) return true;
    const Datagram copy = datagram;
    network_.carry([this, copy] { peer->attempts.received(&copy, sizeof copy, 0, "there", network_.now); });
    return true;
  }
  std::string connect_queue_pair(ConnectLink&, unsigned, QueuePairEnd* own,
                                 const QueuePairEnd& remote) override {
    EXPECT_FALSE(joined_.contains(own->number)) << "a queue pair is connected once";
    if (refuse_queue_pairs > 0 && refuse_queue_pairs-- > 0) return "refused";
    joined_[own->number] = remote.number;
    return "";
  }

 private:
  QueuePairEnd next_queue_pair() { return {(rank_ + 1) * 100'000 + ++queue_pairs_, queue_pairs_, 4}; }
  void start() {
    link = std::make_unique<ConnectLink>();
    link->connection.peer = 1 - rank_;
    link->connection.active = true;
    attempts.start(*link, {0, 0});
  }
  void fail() {
    if (machine.failed(false, network_.now, kLimits) == Action::kTimedOut) timed_out = true;
    drop();
  }

  Network& network_;
  Rank rank_;
  std::uint32_t queue_pairs_ = 0;
  QueuePairEnd own_;
  std::map<std::uint32_t, std::uint32_t> joined_;

 public:
  Side* peer = nullptr;
  ConnectStateMachine machine;
  std::unique_ptr<ConnectLink> link;
  DatagramAttempts attempts;
  bool eviction_expected = false, lost = false, timed_out = false, silent = false;
  unsigned requests = 0, disconnections = 0, refuse_queue_pairs = 0;
  HelloStatus last_status = HelloStatus::kValid;
  std::string last_failure;
};

class Job {
 public:
  explicit Job(unsigned seed = 1) : network(seed), a(network, 0), b(network, 1) { a.peer = &b, b.peer = &a; }

  // Until `done`, or nothing is left to happen; false: not by `end`.
  template <typename Done>
  bool run(Millis end, Done&& done) {
    for (a.tick(), b.tick(); !done();) {
      const Millis next = std::min({network.due(), a.due(), b.due()});
      if (next == kNever || next > end) return false;
      if (network.due() == next)
        network.run_next();
      else
        network.now = std::max(network.now, next);
      a.tick();
      b.tick();
    }
    return true;
  }
  bool connected() const {
    return a.machine.state() == State::kConnected && b.machine.state() == State::kConnected;
  }
  // The data path has them as soon as both queue pairs are connected with each other.
  bool joined() const {
    return a.joined() != 0 && a.joined() == b.number() && b.joined() == a.number() &&
           (a.machine.state() == State::kConnected || b.machine.state() == State::kConnected);
  }
  void let_all_happen() {
    (void)run(network.now + 60'000, [] { return false; });
  }

  Network network;
  Side a, b;
};

TEST(IbvDatagrams, ThreeDatagramsConnect) {
  Job job;
  job.a.connect();
  ASSERT_TRUE(job.run(1'000, [&] { return job.connected(); }));
  EXPECT_TRUE(job.joined());
  job.let_all_happen();
  EXPECT_EQ(job.network.sent, 3u);
  EXPECT_EQ(job.b.requests, 1u);
  EXPECT_LT(job.network.now, DatagramAttempts::kFirstWait);
}

TEST(IbvDatagrams, LossRepetitionAndDelayEndWithOneConnection) {
  for (unsigned seed = 1; seed <= 3'000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Job job(seed);
    job.network.loss = 10 * (seed % 6);
    job.network.repeats = 10 * (seed % 4);
    job.network.delay = seed % 2 != 0 ? 5 : 300;
    job.network.at(job.network.draw(30), [&] { job.a.connect(); });
    if (seed % 8 != 0) job.network.at(job.network.draw(30), [&] { job.b.connect(); });
    ASSERT_TRUE(job.run(500'000, [&] { return job.connected(); }));
    EXPECT_TRUE(job.joined());
    job.let_all_happen();  // what is late does no harm
    ASSERT_FALSE(job.a.lost || job.b.lost);
    ASSERT_TRUE(job.connected() && job.joined());
    ASSERT_EQ(job.a.attempts.count(), 1u);
    ASSERT_EQ(job.b.attempts.count(), 1u);
  }
}

// Connections are closed by agreement, each end at its time, and made again, from either side or both.
TEST(IbvDatagrams, EvictedConnectionsAreMadeAgain) {
  for (unsigned seed = 1; seed <= 1'000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Job job(seed);
    job.network.loss = 10 * (seed % 5);
    job.network.repeats = 20;
    job.network.delay = 40;
    job.a.connect();
    for (unsigned round = 0; round < 4; ++round) {
      ASSERT_TRUE(job.run(job.network.now + 500'000, [&] { return job.joined(); })) << "round " << round;
      job.a.eviction_expected = job.b.eviction_expected = true;
      unsigned closed = 0;
      for (Side* side : {&job.a, &job.b})
        job.network.at(job.network.now + job.network.draw(60), [side, &closed] {
          (void)side->close_evicted();
          ++closed;
        });
      ASSERT_TRUE(job.run(job.network.now + 500'000, [&] { return closed == 2; }));
      const unsigned who = job.network.draw(3);
      if (who != 0) job.network.at(job.network.now + job.network.draw(40), [&] { job.a.connect(); });
      if (who != 1) job.network.at(job.network.now + job.network.draw(40), [&] { job.b.connect(); });
      ASSERT_FALSE(job.a.lost || job.b.lost);
    }
    ASSERT_TRUE(job.run(job.network.now + 500'000, [&] { return job.connected(); }));
    job.let_all_happen();
    ASSERT_FALSE(job.a.lost || job.b.lost);
    ASSERT_TRUE(job.joined());
    ASSERT_EQ(job.a.attempts.count() + job.b.attempts.count(), 2u);
  }
}

TEST(IbvDatagrams, ARequestWithoutReplyFailsAndIsTriedAgainUntilTheDeadline) {
  Job job;
  job.network.loss = 100;
  job.a.connect();
  ASSERT_TRUE(job.run(2 * kLimits.connect, [&] { return job.a.timed_out; }));
  EXPECT_EQ(job.network.now, kLimits.connect);
  EXPECT_EQ(job.a.last_failure, "no reply to 12 requests");
  EXPECT_GT(job.a.machine.tries(), 1u);
  EXPECT_EQ(job.a.attempts.count(), 0u);
}

TEST(IbvDatagrams, AQueuePairThatCannotBeConnectedFailsTheAttemptOnly) {
  for (const bool passive : {false, true}) {
    Job job;
    (passive ? job.b : job.a).refuse_queue_pairs = 1;
    job.a.connect();
    ASSERT_TRUE(job.run(10'000, [&] { return job.connected(); }));
    EXPECT_TRUE(job.joined());
    EXPECT_EQ(job.b.requests, 2u);
    job.let_all_happen();
    EXPECT_EQ(job.a.attempts.count() + job.b.attempts.count(), 2u);
  }
}

TEST(IbvDatagrams, ADisconnectionIsReportedToBothOnce) {
  Job job;
  job.a.connect();
  ASSERT_TRUE(job.run(1'000, [&] { return job.connected(); }));
  job.network.repeats = 100;
  job.a.attempts.disconnect(*job.a.link, job.network.now);
  job.let_all_happen();
  EXPECT_EQ(job.a.disconnections, 1u);
  EXPECT_EQ(job.b.disconnections, 1u);
  EXPECT_EQ(job.a.attempts.count() + job.b.attempts.count(), 0u);
}

TEST(IbvDatagrams, ADisconnectionEndsThoughThePeerIsGone) {
  Job job;
  job.a.connect();
  ASSERT_TRUE(job.run(1'000, [&] { return job.connected(); }));
  job.b.silent = true;
  job.a.attempts.disconnect(*job.a.link, job.network.now);
  ASSERT_TRUE(job.run(job.network.now + 10'000, [&] { return job.a.disconnections == 1; }));
  EXPECT_EQ(job.a.attempts.count(), 0u);
}

// A copy of the first request arrives when that connection is long closed, and has been made again.
TEST(IbvDatagrams, ALateRequestIsIgnored) {
  Job job;
  Datagram late;
  late.hello = hello_of(0);
  late.active = 1;
  late.attempt = 100;  // the first of rank 0
  late.queue_pair = 1;
  job.a.connect();
  ASSERT_TRUE(job.run(1'000, [&] { return job.connected(); }));
  job.a.eviction_expected = job.b.eviction_expected = true;
  ASSERT_TRUE(job.a.close_evicted() && job.b.close_evicted());
  job.a.connect();
  ASSERT_TRUE(job.run(2'000, [&] { return job.connected(); }));
  job.a.eviction_expected = job.b.eviction_expected = true;
  ASSERT_TRUE(job.a.close_evicted() && job.b.close_evicted());
  job.let_all_happen();
  const unsigned before = job.b.requests;
  job.b.attempts.received(&late, sizeof late, 0, "there", job.network.now);
  EXPECT_EQ(job.b.requests, before);
  EXPECT_EQ(job.b.attempts.count(), 0u);
}

// A copy of the last request arrives when its connection is closed: no connection is made for it. It may be
// the request itself, repeated because the answer has got lost, so it is rejected.
TEST(IbvDatagrams, ACopyOfTheLastRequestIsRejected) {
  Job job;
  Datagram late;
  late.hello = hello_of(0);
  late.active = 1;
  late.attempt = 100;  // the first of rank 0
  late.queue_pair = 1;
  job.a.connect();
  ASSERT_TRUE(job.run(1'000, [&] { return job.connected(); }));
  job.a.eviction_expected = job.b.eviction_expected = true;
  ASSERT_TRUE(job.a.close_evicted() && job.b.close_evicted());
  job.let_all_happen();
  const unsigned requests = job.b.requests, sent = job.network.sent;
  job.b.attempts.received(&late, sizeof late, 0, "there", job.network.now);
  EXPECT_EQ(job.b.requests, requests);
  EXPECT_EQ(job.b.attempts.count(), 0u);
  EXPECT_EQ(job.network.sent, sent + 1);
  // Two are connected again after that.
  job.a.connect();
  ASSERT_TRUE(job.run(job.network.now + 1'000, [&] { return job.connected(); }));
}

// A process asks for several rails at once: each has its own last request.
TEST(IbvDatagrams, RequestsForRailsArriveInAnyOrder) {
  Job job;
  const auto arrives = [&job](std::uint8_t rail, std::uint32_t attempt) {
    Datagram request;
    request.hello = hello_of(0);
    request.hello.rail = rail;
    request.active = 1;
    request.attempt = attempt;
    request.queue_pair = 1;
    const unsigned before = job.b.requests;
    job.b.attempts.received(&request, sizeof request, 0, "there", job.network.now);
    return job.b.requests != before;
  };
  EXPECT_TRUE(arrives(2, 201));
  EXPECT_TRUE(arrives(1, 200));
  EXPECT_TRUE(arrives(0, 199));
  EXPECT_FALSE(arrives(2, 199));
  EXPECT_TRUE(arrives(2, 202));
}

// A process whose many peers answer at once, and whose send queue takes `room` datagrams a millisecond.
class Crowd final : public ConnectorEvents, public DatagramHost {
 public:
  static constexpr Rank kPeers = 1'000;
  static constexpr unsigned kRoom = 32;

  Crowd() : attempts(hello_of(0), kPeers + 1, 1, *this, *this), links(kPeers) {}
  // Until nothing is known any more; false: not within `limit` milliseconds.
  template <typename Done>
  bool run(Millis limit, Done&& done) {
    for (const Millis end = now + limit; now < end; ++now) {
      room_ = kRoom;
      for (const Datagram& answer : std::exchange(answers_, {}))
        attempts.received(&answer, sizeof answer, 0, "there", now);
      attempts.tick(now);
      if (done()) return true;
    }
    return false;
  }

  bool send(unsigned, Rank peer, unsigned, const Datagram& datagram) override {
    if (room_ == 0) return false;
    --room_;
    ++sent[datagram.kind];
    Datagram answer = datagram;
    answer.hello.rank = peer;
    answer.active = 0;
    answer.queue_pair = peer;
    answer.kind =
        datagram.kind == DatagramKind::kRequest ? DatagramKind::kReply : DatagramKind::kDisconnected;
    if (datagram.kind != DatagramKind::kReady) answers_.push_back(answer);
    return true;
  }
  std::string connect_queue_pair(ConnectLink&, unsigned, QueuePairEnd*, const QueuePairEnd&) override {
    return "";
  }
  void route_found(ConnectLink& link) override { attempts.request(link, hello_of(0), {1, 1, 1}, now); }
  void requested(PeerRequest&) override { ADD_FAILURE(); }
  void established(ConnectLink&, const void*, std::size_t) override { ++connected; }
  void failed(ConnectLink&, const ConnectFailure&) override { ADD_FAILURE(); }
  void disconnected(ConnectLink& link) override {
    ++ended;
    attempts.release(link, now);
  }
  void device_removed(const Device*) override {}

  Millis now = 0;
  DatagramAttempts attempts;
  std::vector<ConnectLink> links;
  std::map<DatagramKind, unsigned> sent;
  unsigned connected = 0, ended = 0;

 private:
  unsigned room_ = kRoom;
  std::vector<Datagram> answers_;
};

// What finds no room is sent as soon as there is some: it does not wait as if it had been sent and got lost.
TEST(IbvDatagrams, ManyPeersAreNotKeptWaitingByASmallSendQueue) {
  Crowd crowd;
  for (Rank peer = 1; peer <= Crowd::kPeers; ++peer) {
    ConnectLink& link = crowd.links[peer - 1];
    link.connection.peer = peer;
    link.connection.active = true;
    crowd.attempts.start(link, {0, 0});
  }
  ASSERT_TRUE(crowd.run(10'000, [&] { return crowd.connected == Crowd::kPeers; }));
  for (ConnectLink& link : crowd.links) crowd.attempts.disconnect(link, crowd.now);
  constexpr Millis kAtLeast = Crowd::kPeers / Crowd::kRoom;
  const unsigned requests = crowd.sent[DatagramKind::kRequest];
  EXPECT_TRUE(crowd.run(2 * kAtLeast, [&] { return crowd.ended == Crowd::kPeers; })) << crowd.ended;
  EXPECT_EQ(requests, Crowd::kPeers);
  EXPECT_EQ(crowd.sent[DatagramKind::kDisconnect], Crowd::kPeers);
  EXPECT_EQ(crowd.attempts.count(), 0u);
}

TEST(IbvDatagrams, DatagramsOfOthersAreReportedAndNotAnswered) {
  Job job;
  Datagram foreign;
  foreign.hello = hello_of(0);
  foreign.hello.secret = kSecret + 1;
  foreign.active = 1;
  job.b.attempts.received(&foreign, sizeof foreign, 0, "elsewhere", 0);
  EXPECT_EQ(job.b.last_status, HelloStatus::kWrongSecret);
  job.b.attempts.received("hello", 5, 0, "elsewhere", 0);
  EXPECT_EQ(job.b.last_status, HelloStatus::kMissing);
  foreign.hello.secret = kSecret;  // of this job, but cut off
  job.b.attempts.received(&foreign, sizeof foreign - 4, 0, "elsewhere", 0);
  EXPECT_EQ(job.b.requests, 3u);
  EXPECT_EQ(job.network.sent, 0u);
  EXPECT_EQ(job.b.attempts.count(), 0u);
}

}  // namespace
}  // namespace upcr::ibv
