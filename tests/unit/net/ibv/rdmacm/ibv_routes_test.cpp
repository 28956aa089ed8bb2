// SPDX-License-Identifier: BSD-3-Clause
// Who asks the subnet manager for a path, and when: connections by librdmacm in a fabric that counts the
// questions. Time is virtual, but between processes.
#include "tests/support/ibv_routes_fixture.hpp"

#include <algorithm>

namespace upcr::ibv {
namespace {

TEST_F(IbvRoutes, ThreeConnectionsOfAPairOfPortsAskOnce) {
  const auto process = make_process();
  for (const Rank peer : {1u, 2u, 3u}) process->connect(peer, 100);
  EXPECT_EQ(process->connected, 3u);
  EXPECT_EQ(questions(), 1);
  ASSERT_EQ(fabric_.set.size(), 2u);
  for (const ibv_path_data& path : fabric_.set) {
    EXPECT_EQ(ntohs(path.path.dlid), 22);
    EXPECT_EQ(ntohs(path.path.slid), 11);
    EXPECT_EQ(ntohs(path.path.pkey), 0xffff);
    EXPECT_EQ(path.path.mtu, 0x85);
  }
}

TEST_F(IbvRoutes, OtherPairsOfPortsAskForThemselves) {
  const auto process = make_process();
  process->connect(1, 100);
  process->connect(1, 100, 1);
  process->connect(4, 100);
  EXPECT_EQ(process->connected, 3u);
  EXPECT_EQ(questions(), 3);
}

TEST_F(IbvRoutes, ConnectionsThatBeginAtTheSameTimeWaitForOneAnswer) {
  const auto process = make_process();
  fabric_.answers = false;
  for (const Rank peer : {1u, 2u, 3u}) process->connect(peer, 100);
  EXPECT_EQ(questions(), 1);
  EXPECT_TRUE(process->waits());
  process->process(200);
  EXPECT_EQ(process->connected, 0u);
  fabric_.answer();
  process->process(201);
  process->process(process->waits() ? process->due() : 201);
  process->process(300);
  EXPECT_EQ(process->connected, 3u);
  EXPECT_EQ(questions(), 1);
  EXPECT_FALSE(process->waits());
}

TEST_F(IbvRoutes, TheNextProcessOfTheHostDoesNotAsk) {
  const auto first = make_process(), second = make_process();
  first->connect(1, 100);
  second->connect(2, 101);
  second->connect(3, 101);
  EXPECT_EQ(first->connected + second->connected, 3u);
  EXPECT_EQ(questions(), 1);
}

TEST_F(IbvRoutes, OfProcessesThatStartTogetherOneAsks) {
  auto* const here = shared_memory<std::atomic<int>>(4096);
  constexpr int kHere = 6;
  std::vector<pid_t> children;
  for (int i = 0; i < kHere; ++i)
    children.push_back(fork_process([&] {
      const auto process = make_process();
      fabric_.answers = false;
      ++*here;
      while (*here < kHere) ::usleep(100);
      for (const Rank peer : {1u, 2u, 3u}) process->connect(peer, now_ms());
      ::usleep(20'000);  // of the subnet manager
      while (process->connected < 3 && process->failures.empty()) {
        fabric_.answer();
        process->process(now_ms());
        ::usleep(1'000);
      }
      return process->connected == 3;
    }));
  for (const pid_t child : children) EXPECT_TRUE(joined(child));
  EXPECT_EQ(questions(), 1);
  ::munmap(here, 4096);
}

TEST_F(IbvRoutes, OneThatDiesWhileItAsksDoesNotBlockTheOthers) {
  fabric_.answers = false;
  // Without destructors: nothing is given back.
  ASSERT_TRUE(joined(fork_process([&] {
    make_process().release()->connect(1, 100);
    return questions() == 1;
  })));
  const auto process = make_process();
  fabric_.answers = true;
  process->connect(2, 200);
  process->connect(3, 200);
  process->process(100 + PathTable::kClaimLimit - 1);
  EXPECT_EQ(process->connected, 0u);
  process->process(process->due());
  process->process(200 + PathTable::kClaimLimit);
  process->process(300 + PathTable::kClaimLimit);
  EXPECT_EQ(process->connected, 2u);
  EXPECT_EQ(questions(), 2);
}

// Whatever the others do, an attempt asks when it has waited long enough.
TEST_F(IbvRoutes, WaitingHasALimit) {
  const auto dying = make_process(), waiting = make_process();
  fabric_.answers = false;
  constexpr Millis kLimit = PathTable::kClaimLimit, kBegin = 100 + kLimit - 1;
  dying->connect(1, 100);
  waiting->connect(2, kBegin);
  dying->connect(3, 100 + kLimit);  // claims the pair again and again
  dying->connect(1, 100 + 2 * kLimit);
  EXPECT_EQ(questions(), 3);
  fabric_.asking.clear();
  fabric_.answers = true;
  waiting->process(kBegin + RouteFinder::kWaitLimit - 1);
  EXPECT_EQ(questions(), 3);
  waiting->process(waiting->due());
  waiting->process(kBegin + RouteFinder::kWaitLimit + 100);
  EXPECT_EQ(questions(), 4);
  EXPECT_EQ(waiting->connected, 1u);
}

TEST_F(IbvRoutes, OneThatGetsNoAnswerLeavesTheQuestionToTheNext) {
  const auto process = make_process(), other = make_process();
  fabric_.answers = false;
  process->connect(1, 100);
  process->start(2);
  process->process(100);
  fabric_.fail();
  fabric_.answers = true;
  process->process(5'000);
  process->process(5'100);
  ASSERT_EQ(process->failures.size(), 1u);
  EXPECT_FALSE(process->failures[0].kept_path);
  EXPECT_EQ(process->connected, 1u);
  EXPECT_EQ(questions(), 2);
}

// The peer's request was faster.
TEST_F(IbvRoutes, AnAttemptThatIsDroppedWhileItAsksLeavesTheQuestionToTheNext) {
  const auto process = make_process();
  fabric_.answers = false;
  ConnectLink& asking = process->start(1);
  process->process(100);
  process->connect(2, 100);
  ConnectLink& waiting = process->start(3);
  process->process(100);
  fabric_.answers = true;
  process->release(waiting);
  process->release(asking);
  EXPECT_EQ(process->due(), 0u);
  process->process(101);
  process->process(101);
  EXPECT_EQ(process->connected, 1u);
  EXPECT_EQ(questions(), 2);
  EXPECT_FALSE(process->waits());
}

TEST_F(IbvRoutes, APathThatDoesNotWorkAnyMoreIsAskedForOnceMore) {
  const auto process = make_process(), other = make_process();
  process->connect(1, 100);
  fabric_.lids[2] = 24;
  process->connect(2, 101);
  ASSERT_EQ(process->failures.size(), 1u);
  EXPECT_TRUE(process->failures[0].kept_path);
  process->connect(2, 102);
  EXPECT_EQ(process->connected, 2u);
  EXPECT_EQ(questions(), 2);
  other->connect(3, 103);
  EXPECT_EQ(other->connected, 1u);
  EXPECT_EQ(questions(), 2);
  ASSERT_FALSE(fabric_.set.empty());
  EXPECT_EQ(ntohs(fabric_.set.back().path.dlid), 24);
}

// A peer's "no" has come by the path: both connect at once, or it takes no more rails.
TEST_F(IbvRoutes, APathByWhichThePeerRejectsIsKept) {
  const auto process = make_process();
  process->connect(1, 100);
  for (const RejectReason reason : {RejectReason::kRace, RejectReason::kUnknown}) {
    Rejection rejection;
    rejection.why = reason;
    const auto* bytes = reinterpret_cast<const unsigned char*>(&rejection);
    fabric_.rejection.assign(bytes, bytes + sizeof rejection);
    process->connect(2, 101);
    ASSERT_FALSE(process->failures.empty());
    EXPECT_EQ(process->failures.back().reason, reason);
    EXPECT_FALSE(process->failures.back().kept_path);
  }
  fabric_.rejection.clear();
  process->connect(2, 102);
  EXPECT_EQ(process->connected, 2u);
  EXPECT_EQ(questions(), 1);
}

// Where no process of this job is.
TEST_F(IbvRoutes, APathThatLeadsToAnotherHostByNowIsAskedForOnceMore) {
  const auto process = make_process();
  process->connect(1, 100);
  std::swap(fabric_.lids[2], fabric_.lids[3]);
  process->connect(2, 101);
  ASSERT_EQ(process->failures.size(), 1u);
  EXPECT_TRUE(process->failures[0].kept_path);
  process->connect(2, 102);
  EXPECT_EQ(process->connected, 2u);
  EXPECT_EQ(questions(), 2);
}

// Before the time of the connection is over. A peer that is slow is not given up again and again.
TEST_F(IbvRoutes, APathWithoutReplyIsAskedForOnceMoreInTime) {
  const auto process = make_process();
  process->connect(1, 100);
  fabric_.silent = true;
  process->connect(2, 1'000);
  const Millis due = process->due();
  EXPECT_LE(due, 1'000 + kConnectLimit / 2);
  process->process(due - 1);
  EXPECT_TRUE(process->failures.empty());
  process->process(due);
  ASSERT_EQ(process->failures.size(), 1u);
  EXPECT_TRUE(process->failures[0].kept_path);
  EXPECT_EQ(process->due(), kNever);
  process->connect(2, due);
  EXPECT_EQ(questions(), 2);
  process->process(due + kConnectLimit);
  process->connect(2, due + kConnectLimit);  // by the path that is kept
  EXPECT_EQ(questions(), 2);
  process->process(due + 2 * kConnectLimit);
  EXPECT_EQ(process->failures.size(), 1u);
}

TEST_F(IbvRoutes, APathThatTheKernelDoesNotConnectByIsAskedForOnceMore) {
  const auto process = make_process();
  process->connect(1, 100);
  fabric_.connect_error = EINVAL;
  process->connect(2, 101);
  EXPECT_EQ(process->failures.size(), 1u);
  fabric_.connect_error = 0;
  process->connect(2, 102);
  EXPECT_EQ(process->connected, 2u);
  EXPECT_EQ(questions(), 2);
}

// A failure with the subnet manager's own answer is not one of a kept path.
TEST_F(IbvRoutes, AFailureWithANewPathIsThePeers) {
  const auto process = make_process();
  fabric_.answers = false;
  process->connect(1, 100);
  fabric_.answer();
  fabric_.lids[2] = 24;  // too late for the answer
  process->process(101);
  ASSERT_EQ(process->failures.size(), 1u);
  EXPECT_FALSE(process->failures[0].kept_path);
}

TEST_F(IbvRoutes, WhereTheKernelTakesNoPathsEachConnectionAsks) {
  const auto process = make_process();
  fabric_.takes_paths = false;
  for (const Rank peer : {1u, 2u, 3u}) process->connect(peer, 100);
  EXPECT_EQ(process->connected, 3u);
  EXPECT_EQ(questions(), 3);
  EXPECT_EQ(fabric_.refused, 1u);
}

TEST_F(IbvRoutes, WherePathsThatAreSetNeverWorkEachConnectionAsks) {
  const auto process = make_process();
  fabric_.set_paths_work = false;
  for (int i = 0; i < 20; ++i) process->connect(1, 100);
  EXPECT_EQ(process->failures.size(), RouteFinder::kMostFailures);
  EXPECT_EQ(process->connected, 20 - RouteFinder::kMostFailures);
}

// One that has worked shows that they do.
TEST_F(IbvRoutes, PathsThatHaveWorkedAreKeptOn) {
  const auto process = make_process();
  process->connect(1, 100);
  process->connect(2, 100);
  for (int i = 0; i < 10; ++i) {
    ++fabric_.lids[2];
    process->connect(1, 100);  // fails
    process->connect(1, 100);  // asks
    process->connect(2, 100);  // by the new one
  }
  EXPECT_EQ(process->failures.size(), 10u);
  EXPECT_EQ(process->connected, 22u);
  EXPECT_EQ(questions(), 11);
}

TEST_F(IbvRoutes, AnAnswerOfSeveralRecordsIsNotKept) {
  const auto process = make_process();
  fabric_.records = 2;
  for (const Rank peer : {1u, 2u, 3u}) process->connect(peer, 100);
  EXPECT_EQ(process->connected, 3u);
  EXPECT_EQ(questions(), 3);
  EXPECT_TRUE(fabric_.set.empty());
}

TEST_F(IbvRoutes, OtherNetworksResolveEachRoute) {
  for (const Kind kind : {Kind::kRoce, Kind::kIwarp}) {
    set_kind(kind);
    *fabric_.questions = 0;
    const auto process = make_process();
    for (const Rank peer : {1u, 2u, 3u}) process->connect(peer, 100);
    EXPECT_EQ(process->connected, 3u);
    EXPECT_EQ(questions(), 3);
  }
  EXPECT_TRUE(fabric_.set.empty());
  EXPECT_EQ(fabric_.refused, 0u);
  EXPECT_TRUE(std::all_of(memory_, memory_ + bytes_, [](std::byte b) { return b == std::byte{0}; }));
}

TEST_F(IbvRoutes, EachPortIsTreatedAsItsNetworkNeeds) {
  ports_[1].kind = Kind::kRoce;
  const auto process = make_process();
  for (const Rank peer : {1u, 2u, 3u}) process->connect(peer, 100, 1);
  EXPECT_EQ(questions(), 3);
  for (const Rank peer : {1u, 2u, 3u}) process->connect(peer, 100, 0);
  EXPECT_EQ(questions(), 4);
  EXPECT_EQ(process->connected, 6u);
}

// Network interfaces may lead to another port than the address says.
TEST_F(IbvRoutes, ARouteByAnotherPortIsResolved) {
  const auto process = make_process();
  fabric_.numbers[0] = 7;
  for (const Rank peer : {1u, 2u}) process->connect(peer, 100);
  fabric_.numbers[0] = 1;
  ibv_context of_other{};
  fabric_.contexts[0] = &of_other;
  for (const Rank peer : {1u, 2u}) process->connect(peer, 100);
  EXPECT_EQ(process->connected, 4u);
  EXPECT_EQ(questions(), 4);
}

TEST_F(IbvRoutes, PathsOfAPortAreAskedForAgainAfterItsEvents) {
  const auto process = make_process();
  process->connect(1, 100);
  int expected = 1;
  for (const ibv_event_type type : {IBV_EVENT_SM_CHANGE, IBV_EVENT_LID_CHANGE, IBV_EVENT_CLIENT_REREGISTER,
                                    IBV_EVENT_PKEY_CHANGE, IBV_EVENT_GID_CHANGE}) {
    report_async(type, 1);
    process->connect(1, 100);
    process->connect(2, 100);
    EXPECT_EQ(questions(), ++expected) << type;
    report_async(type, 2);  // another port
    process->connect(3, 100);
    EXPECT_EQ(questions(), expected) << type;
  }
  EXPECT_EQ(process->connected, 16u);
}

}  // namespace
}  // namespace upcr::ibv
