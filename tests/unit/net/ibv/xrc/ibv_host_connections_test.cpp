// SPDX-License-Identifier: BSD-3-Clause
// Connections with hosts (XRC): the processes of some hosts connect with all others, by datagrams that get
// lost, are repeated and delayed. Time is virtual, and queue pairs are entries of a table.
#include "conduits/net/ibv/xrc/host_connections.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "conduits/net/ibv/connect/connect_state_machine.hpp"
#include "conduits/net/ibv/datagrams/attempts.hpp"

namespace upcr::ibv {
namespace {

using Action = ConnectStateMachine::Action;
using State = ConnectStateMachine::State;
constexpr ConnectStateMachine::TimeLimits kLimits{600'000, 4'000};
constexpr std::uint64_t kSecret = 77;

struct FakeQueuePair {
  ibv_qp qp{};
  Rank host = 0;
  bool is_target = false;
  std::uint32_t other = 0;  // an initiator: its target; a target: the initiator that it was made for
  std::uint32_t first_packet = 0;
};

// What all processes share: the network, and the queue pairs of all devices by their numbers.
struct Fabric {
  explicit Fabric(unsigned seed) : random(seed) {}
  unsigned draw(unsigned below) { return static_cast<unsigned>(random() % below); }
  void at(Millis when, std::function<void()> what) { events.emplace(when, std::move(what)); }

  std::minstd_rand random;
  std::multimap<Millis, std::function<void()>> events;
  Millis now = 0, delay = 1;
  unsigned loss = 0, repeats = 0;  // percent
  std::map<std::uint32_t, FakeQueuePair> queue_pairs;
  std::uint32_t last_number = 100;
  bool closing = false;
};

Hello hello_of(Rank rank) {
  Hello hello;
  hello.secret = kSecret;
  hello.rank = rank;
  return hello;
}

// What the service thread and the connector do (connect/service.hpp, datagrams/datagram_connector.hpp).
class Process final : public ConnectorEvents, public DatagramHost, public HostQueuePairs {
 public:
  Process(Fabric& fabric, std::vector<std::unique_ptr<Process>>& all, Rank rank, Rank size, Rank host_size)
      : fabric_(fabric),
        all_(all),
        rank_(rank),
        host_size_(host_size),
        machines(size),
        links(size),
        greeted(size),
        hosts(*this),
        attempts(hello_of(rank), size, 1000 * rank, *this, *this) {}

  Rank host_of(Rank rank) const { return rank - rank % host_size_; }
  std::uint32_t srq_of(Rank rank) const { return 5'000 + rank; }
  void connect(Rank peer) {
    if (machines[peer].connect(fabric_.now, kLimits) == Action::kStart) start(peer);
  }
  void tick() {
    attempts.tick(fabric_.now);
    for (Rank peer = 0; peer < machines.size(); ++peer) {
      const Action what = machines[peer].tick(fabric_.now);
      if (what == Action::kStart) start(peer);
      if (what == Action::kDrop) drop(peer);
      ASSERT_NE(what, Action::kTimedOut);
    }
    if (is_computing) return;
    for (const auto& link : retired_) hosts.leave(*link);
    retired_.clear();
  }
  Millis due() const {
    Millis due = attempts.due();
    for (const ConnectStateMachine& machine : machines) due = std::min(due, machine.due());
    return due;
  }
  bool is_connected(Rank peer) const { return machines[peer].state() == State::kConnected; }
  void close() {
    for (Rank peer = 0; peer < links.size(); ++peer) drop(peer);
    tick();
  }

  void route_found(ConnectLink& link) override {
    const int error = make_queue_pair(link);
    if (error != 0) return fail(link.connection.peer);
    machines[link.connection.peer].request_sent();
    attempts.request(link, hello_of(rank_), hosts.end_of(link), fabric_.now);
  }
  void requested(PeerRequest& request) override {
    Hello hello;
    ASSERT_EQ(
        check_hello(request.data, request.bytes, kSecret, rank_, static_cast<Rank>(machines.size()), &hello),
        HelloStatus::kValid);
    const Rank peer = hello.rank;
    switch (machines[peer].request_received(rank_ < peer, fabric_.now, kLimits)) {
      case Action::kRejectRace:
        return attempts.reject(request, RejectReason::kRace);
      case Action::kRejectConnected:
        return attempts.reject(request, RejectReason::kConnected);
      default:
        drop(peer);
    }
    links[peer] = std::make_unique<ConnectLink>();
    ConnectLink& link = *links[peer];
    link.connection.peer = peer;
    ASSERT_EQ(make_queue_pair(link), 0);
    if (!attempts.accept(link, request, hello_of(rank_), hosts.end_of(link), fabric_.now).empty()) fail(peer);
  }
  // The data path may send as soon as this has returned, and the side that greets does so.
  void established(ConnectLink& link, const void*, std::size_t) override {
    const Rank peer = link.connection.peer;
    (void)machines[peer].established();
    EXPECT_EQ(&link, links[peer].get());
    EXPECT_EQ(link.connection.remote_srq, srq_of(peer));
    EXPECT_TRUE(is_received(link.host->qp->qp_num, peer)) << rank_ << " cannot send to " << peer;
    if (!link.connection.speaks_first()) return;
    fabric_.at(fabric_.now, [this, peer] { all_[peer]->greet(rank_); });
  }
  void greet(Rank peer) {
    EXPECT_TRUE(is_connected(peer)) << rank_ << " does not know what " << peer << " needs";
    greeted[peer] = true;
  }
  void failed(ConnectLink& link, const ConnectFailure& failure) override {
    last_failure = failure.why;
    fail(link.connection.peer);
  }
  void disconnected(ConnectLink& link) override {
    EXPECT_TRUE(fabric_.closing || !is_connected(link.connection.peer)) << rank_;
    (void)machines[link.connection.peer].disconnected(fabric_.now, kLimits);
    drop(link.connection.peer);
  }
  void device_removed(const Device*) override {}

  bool send(unsigned, Rank peer, unsigned, const Datagram& datagram) override {
    ++sent;
    if (datagram.kind == loses) return true;
    for (unsigned copies = fabric_.draw(100) < fabric_.repeats ? 2 : 1; copies > 0; --copies)
      if (fabric_.draw(100) >= fabric_.loss)
        fabric_.at(fabric_.now + 1 + fabric_.draw(static_cast<unsigned>(fabric_.delay)),
                   [this, peer, datagram] {
                     all_[peer]->attempts.received(&datagram, sizeof datagram, 0, "there", fabric_.now);
                   });
    return true;
  }
  std::string connect_queue_pair(ConnectLink& link, unsigned port, QueuePairEnd* own,
                                 const QueuePairEnd& remote) override {
    return hosts.connect(link, port, own, remote);
  }
  bool can_send(ConnectLink& link, QueuePairEnd* own) override {
    return link.host == nullptr || hosts.can_send(link, own);
  }

  ibv_qp* create_initiator(const Connection&, ibv_qp_init_attr* attributes) override {
    if (refuse_initiators > 0 && refuse_initiators-- > 0) return errno = ENOMEM, nullptr;
    attributes->cap.max_inline_data = 64;
    return add(false, 0, 0);
  }
  std::string connect_initiator(const Connection& connection, unsigned, const QueuePairEnd& own,
                                const QueuePairEnd& target) override {
    if (refuse_connects > 0 && refuse_connects-- > 0) return "no way there";
    FakeQueuePair& initiator = fabric_.queue_pairs.at(connection.qp->qp_num);
    EXPECT_EQ(initiator.other, 0u) << "a queue pair is connected once";
    EXPECT_EQ(initiator.first_packet, 0u);
    initiator.first_packet = own.first_packet;
    initiator.other = target.number;
    return "";
  }
  ibv_qp* create_target(const Connection&, unsigned, const QueuePairEnd&, const QueuePairEnd& remote,
                        std::string* error) override {
    if (refuse_targets > 0 && refuse_targets-- > 0) return *error = "no target", nullptr;
    return add(true, remote.number, remote.first_packet);
  }
  void destroy(ibv_qp* queue_pair) override {
    const std::uint32_t number = queue_pair->qp_num;
    for (const auto& [other, qp] : fabric_.queue_pairs)
      EXPECT_FALSE(!fabric_.closing && !qp.is_target && qp.other == number) << number << " is in use";
    EXPECT_EQ(fabric_.queue_pairs.erase(number), 1u);
  }

 private:
  ibv_qp* add(bool is_target, std::uint32_t other, std::uint32_t first_packet) {
    FakeQueuePair& made = fabric_.queue_pairs[++fabric_.last_number];
    made.qp.qp_num = fabric_.last_number;
    made.host = host_of(rank_);
    made.is_target = is_target;
    made.other = other;
    made.first_packet = first_packet;
    return &made.qp;
  }
  // Is what this initiator sends received at the host of `peer`?
  bool is_received(std::uint32_t initiator, Rank peer) const {
    const FakeQueuePair& from = fabric_.queue_pairs.at(initiator);
    const auto to = fabric_.queue_pairs.find(from.other);
    return to != fabric_.queue_pairs.end() && to->second.is_target && to->second.other == initiator &&
           to->second.first_packet == from.first_packet && to->second.host == host_of(peer);
  }
  int make_queue_pair(ConnectLink& link) {
    QueuePairEnd end{0, 1 + fabric_.draw(1'000'000), 4, srq_of(rank_)};
    HostKey key;
    key.host = host_of(link.connection.peer);
    ibv_qp_init_attr attributes{};
    const int error = hosts.join(link, key, end, &attributes);
    if (error == 0) EXPECT_EQ(attributes.cap.max_inline_data, 64u);
    return error;
  }
  void start(Rank peer) {
    links[peer] = std::make_unique<ConnectLink>();
    links[peer]->connection.peer = peer;
    links[peer]->connection.active = true;
    attempts.start(*links[peer], {0, 0});
  }
  void drop(Rank peer) {
    if (links[peer] == nullptr) return;
    hosts.release(*links[peer]);
    if (links[peer]->attempt != nullptr) attempts.release(*links[peer], fabric_.now);
    retired_.push_back(std::move(links[peer]));
  }
  void fail(Rank peer) {
    EXPECT_NE(machines[peer].failed(false, fabric_.now, kLimits), Action::kTimedOut);
    drop(peer);
  }

  Fabric& fabric_;
  std::vector<std::unique_ptr<Process>>& all_;
  Rank rank_, host_size_;
  std::vector<std::unique_ptr<ConnectLink>> retired_;

 public:
  std::vector<ConnectStateMachine> machines;
  std::vector<std::unique_ptr<ConnectLink>> links;
  std::vector<bool> greeted;
  HostConnections hosts;
  DatagramAttempts attempts;
  unsigned refuse_initiators = 0, refuse_targets = 0, refuse_connects = 0, sent = 0;
  std::optional<DatagramKind> loses;
  bool is_computing = false;  // it does not poll, so links that were dropped stay
  std::string last_failure;
};

struct Job {
  Job(unsigned seed, Rank hosts, Rank host_size) : fabric(seed) {
    for (Rank r = 0; r < hosts * host_size; ++r)
      processes.push_back(std::make_unique<Process>(fabric, processes, r, hosts * host_size, host_size));
  }
  ~Job() { fabric.closing = true; }
  Process& operator[](Rank rank) { return *processes[rank]; }
  // Until `done`, or nothing is left to happen; false: not by `end`.
  template <typename Done>
  bool run(Millis end, Done&& done) {
    while (!done()) {
      Millis next = fabric.events.empty() ? kNever : fabric.events.begin()->first;
      for (const auto& process : processes) next = std::min(next, process->due());
      if (next == kNever || next > end) return false;
      fabric.now = std::max(fabric.now, next);
      if (const auto first = fabric.events.begin();
          first != fabric.events.end() && first->first <= fabric.now) {
        const std::function<void()> what = first->second;
        fabric.events.erase(first);
        what();
      }
      for (const auto& process : processes) process->tick();
    }
    return true;
  }
  void let_all_happen() {
    (void)run(fabric.now + 60'000, [] { return false; });
  }
  bool connected(Rank a, Rank b) const {
    return processes[a]->is_connected(b) && processes[b]->is_connected(a);
  }
  bool all_connected(Rank host_size) const {
    for (Rank a = 0; a < processes.size(); ++a)
      for (Rank b = 0; b < a; ++b)
        if (a / host_size != b / host_size && !connected(a, b)) return false;
    return true;
  }
  void close() {
    fabric.closing = true;
    for (const auto& process : processes) process->close();
  }
  std::size_t targets() const {
    return static_cast<std::size_t>(std::count_if(fabric.queue_pairs.begin(), fabric.queue_pairs.end(),
                                                  [](const auto& entry) { return entry.second.is_target; }));
  }

  Fabric fabric;
  std::vector<std::unique_ptr<Process>> processes;
};

TEST(IbvHostConnections, OneQueuePairForEachHostAndOneWhereItEnds) {
  constexpr Rank kHosts = 3, kHostSize = 4;
  Job job(1, kHosts, kHostSize);
  for (Rank a = 0; a < kHosts * kHostSize; ++a)
    for (Rank b = 0; b < a; ++b)
      if (a / kHostSize != b / kHostSize) job[a].connect(b);
  ASSERT_TRUE(job.run(10'000, [&] { return job.all_connected(kHostSize); }));
  job.let_all_happen();
  for (const auto& process : job.processes) EXPECT_EQ(process->hosts.initiators(), kHosts - 1);
  EXPECT_EQ(job.targets(), kHosts * kHostSize * (kHosts - 1));
  EXPECT_EQ(job.fabric.queue_pairs.size(), 2 * job.targets());
  job.close();
  EXPECT_TRUE(job.fabric.queue_pairs.empty() || job.targets() == job.fabric.queue_pairs.size());
}

// A second connection with a host takes no queue pair.
TEST(IbvHostConnections, TheSecondProcessOfAHostIsReachedByTheFirstOnesQueuePair) {
  Job job(1, 2, 2);
  job[0].connect(2);
  ASSERT_TRUE(job.run(1'000, [&] { return job.connected(0, 2); }));
  EXPECT_EQ(job.fabric.queue_pairs.size(), 4u);  // of each an initiator, and a target for the other's
  job[3].connect(0);
  ASSERT_TRUE(job.run(2'000, [&] { return job.connected(0, 3); }));
  EXPECT_EQ(job.fabric.queue_pairs.size(), 6u);  // 3's initiator, and its target
  job[1].connect(3);
  ASSERT_TRUE(job.run(3'000, [&] { return job.connected(1, 3); }));
  EXPECT_EQ(job.fabric.queue_pairs.size(), 8u);  // 1's; 3 has one for this host
  job[2].connect(1);
  ASSERT_TRUE(job.run(4'000, [&] { return job.connected(1, 2); }));
  EXPECT_EQ(job.fabric.queue_pairs.size(), 8u);
  job.let_all_happen();
  EXPECT_EQ(job[0].sent + job[1].sent + job[2].sent + job[3].sent, 12u);  // three for each
}

TEST(IbvHostConnections, LossRepetitionAndDelay) {
  constexpr Rank kHosts = 2;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Rank host_size = 1 + seed % 4;
    Job job(seed, kHosts, host_size);
    job.fabric.loss = 10 * (seed % 6);
    job.fabric.repeats = 10 * (seed % 4);
    job.fabric.delay = seed % 2 != 0 ? 5 : 300;
    for (Rank a = 0; a < kHosts * host_size; ++a)
      for (Rank b = 0; b < kHosts * host_size; ++b)
        if (a / host_size != b / host_size && (a < b || job.fabric.draw(2) != 0))
          job.fabric.at(job.fabric.draw(60), [&job, a, b] { job[a].connect(b); });
    ASSERT_TRUE(job.run(500'000, [&] { return job.all_connected(host_size); }));
    job.let_all_happen();  // what is late does no harm
    ASSERT_TRUE(job.all_connected(host_size));
    ASSERT_EQ(job.targets(), kHosts * host_size);
    ASSERT_FALSE(testing::Test::HasFailure());
    for (Rank a = 0; a < kHosts * host_size; ++a) {
      ASSERT_EQ(job[a].hosts.initiators(), 1u);
      for (Rank b = 0; b < kHosts * host_size; ++b)
        if (a / host_size != b / host_size) ASSERT_NE(job[a].greeted[b], job[b].greeted[a]);
    }
  }
}

TEST(IbvHostConnections, WhatCannotBeMadeFailsTheAttemptOnly) {
  for (unsigned what = 0; what < 3; ++what) {
    SCOPED_TRACE(what);
    Job job(1, 2, 2);
    job[0].refuse_initiators = what == 0 ? 1 : 0;
    job[2].refuse_targets = what == 1 ? 1 : 0;
    job[0].refuse_targets = what == 2 ? 1 : 0;
    job[0].connect(2);
    job[0].connect(3);
    ASSERT_TRUE(job.run(10'000, [&] { return job.connected(0, 2) && job.connected(0, 3); }));
    job.let_all_happen();
    EXPECT_EQ(job[0].hosts.initiators(), 1u);
    EXPECT_GE(job.targets(), 3u);  // 0's, 2's and 3's
    EXPECT_LE(job.targets(), 4u);
  }
}

// The other attempts with that host do not wait for its end.
TEST(IbvHostConnections, AnAttemptThatIsGivenUpLeavesItsTurnToOthers) {
  Job job(1, 2, 2);
  job[2].refuse_targets = 1'000;
  job[0].connect(2);
  job.fabric.at(2, [&] { job[0].connect(3); });  // while 2 is asked
  EXPECT_TRUE(job.run(10'000, [&] { return job.connected(0, 3); }));
  // By then rank 2 need not make one.
  EXPECT_TRUE(job.run(20'000, [&] { return job.connected(0, 2); }));
  EXPECT_EQ(job[0].last_failure, "rejected: it could not prepare its queue pair");
}

// Rank 0 gives its first attempt up, and rank 2 gets to know of that by the second one. Then its program
// computes, which keeps what the first one has left, but no connection from being made.
TEST(IbvHostConnections, AnAttemptThatHasEndedAsksForNothing) {
  Job job(1, 2, 2);
  job[0].refuse_targets = 1;
  job[0].loses = DatagramKind::kReject;
  job[2].is_computing = true;
  job[0].connect(2);
  EXPECT_TRUE(job.run(10'000, [&] { return job.connected(0, 2); }));
  EXPECT_EQ(job[0].last_failure, "no target");
}

// Rank 0 takes the connection for made when rank 2 finds out that it cannot send yet. It is not to wait for
// ever.
TEST(IbvHostConnections, APassiveSideThatCannotConnectYetTriesAgain) {
  Job job(1, 2, 2);
  job[2].refuse_connects = 1;
  job[0].connect(2);
  EXPECT_TRUE(job.run(10'000, [&] { return job.connected(0, 2); }));
  job.let_all_happen();
  EXPECT_TRUE(job.connected(0, 2));
  EXPECT_EQ(job.targets(), 2u);
}

TEST(IbvHostConnections, PortsAndHostsHaveQueuePairsOfTheirOwn) {
  HostKey key;
  key.host = 4;
  HostKey other = key;
  EXPECT_FALSE(key < other || other < key);
  other.port = 1;
  EXPECT_TRUE(key < other);
  other = key;
  other.remote.bytes[15] = 1;
  EXPECT_TRUE(key < other && !(other < key));
  other = key;
  other.host = 8;
  EXPECT_TRUE(key < other);
  other = key;
  other.remote_lid = 7;
  EXPECT_TRUE(key < other);
}

}  // namespace
}  // namespace upcr::ibv
