// SPDX-License-Identifier: BSD-3-Clause
// The state machine of a connection between two processes: alone, and two of them in a network that delivers
// in any order.
#include "conduits/net/ibv/connect/connect_state_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace upcr::ibv {
namespace {

using Action = ConnectStateMachine::Action;
using State = ConnectStateMachine::State;
constexpr ConnectStateMachine::TimeLimits kLimits{1000, 100};

TEST(IbvConnectStateMachine, RequestedAndEstablished) {
  ConnectStateMachine a;
  EXPECT_EQ(a.connect(0, kLimits), Action::kStart);
  EXPECT_EQ(a.connect(0, kLimits), Action::kNone);  // in progress
  a.request_sent();
  EXPECT_EQ(a.established(), Action::kReport);
  EXPECT_EQ(a.state(), State::kConnected);
  EXPECT_EQ(a.due(), ConnectStateMachine::kNever);
  EXPECT_EQ(a.connect(1, kLimits), Action::kNone);
  EXPECT_EQ(a.disconnected(2, kLimits), Action::kLost);
}

// As if there had been none: both ends may connect again, with all of the time for it.
TEST(IbvConnectStateMachine, AnEvictedConnectionIsMadeAgain) {
  ConnectStateMachine a;
  (void)a.connect(0, kLimits);
  (void)a.failed(false, 1, kLimits);  // a first try
  (void)a.tick(a.due());
  a.request_sent();
  (void)a.established();
  a.evicted();
  EXPECT_EQ(a.state(), State::kIdle);
  EXPECT_FALSE(a.current());
  EXPECT_EQ(a.tries(), 0u);
  EXPECT_EQ(a.due(), ConnectStateMachine::kNever);
  EXPECT_EQ(a.request_received(true, 5'000, kLimits), Action::kAccept);
  (void)a.established();
  a.evicted();
  EXPECT_EQ(a.connect(10'000, kLimits), Action::kStart);
  EXPECT_EQ(a.due(), 10'000 + kLimits.connect);
}

TEST(IbvConnectStateMachine, AnAttemptThatWasNotSentIsDroppedForTheRequestOfThePeer) {
  for (const bool lower : {true, false}) {
    ConnectStateMachine a;
    (void)a.connect(0, kLimits);
    EXPECT_EQ(a.request_received(lower, 0, kLimits), Action::kDropAndAccept);
    EXPECT_EQ(a.state(), State::kAccepted);
  }
}

TEST(IbvConnectStateMachine, OfTwoThatWereSentTheOneOfTheLowerRankIsKept) {
  ConnectStateMachine low, high;
  (void)low.connect(0, kLimits), low.request_sent();
  (void)high.connect(0, kLimits), high.request_sent();
  EXPECT_EQ(low.request_received(true, 0, kLimits), Action::kRejectRace);
  EXPECT_EQ(low.state(), State::kRequestSent);
  EXPECT_EQ(high.request_received(false, 0, kLimits), Action::kDropAndAccept);
  EXPECT_EQ(high.state(), State::kAccepted);
}

TEST(IbvConnectStateMachine, ARequestWhileConnectedIsRejected) {
  ConnectStateMachine a;
  (void)a.connect(0, kLimits), a.request_sent(), (void)a.established();
  EXPECT_EQ(a.request_received(true, 5, kLimits), Action::kRejectConnected);
  EXPECT_EQ(a.state(), State::kConnected);
}

TEST(IbvConnectStateMachine, FailuresAreRepeatedUntilTheDeadline) {
  ConnectStateMachine a;
  Millis now = 10;
  (void)a.connect(now, kLimits);
  unsigned starts = 1;
  Action what = a.failed(false, now, kLimits);
  while (what == Action::kDrop) {
    ASSERT_NE(a.due(), ConnectStateMachine::kNever);
    ASSERT_GE(a.due(), now);
    EXPECT_EQ(a.tick(a.due() - 1), Action::kNone);
    now = a.due();
    what = a.tick(now);
    if (what != Action::kStart) break;
    ++starts;
    what = a.failed(false, now, kLimits);
  }
  EXPECT_EQ(what, Action::kTimedOut);
  EXPECT_EQ(now, 10 + kLimits.connect);
  EXPECT_GT(starts, 4u);
  EXPECT_LT(starts, 20u);
}

TEST(IbvConnectStateMachine, NoReplyFailsAtTheDeadline) {
  ConnectStateMachine a;
  (void)a.connect(10, kLimits), a.request_sent();
  EXPECT_EQ(a.due(), 10 + kLimits.connect);
  EXPECT_EQ(a.tick(9 + kLimits.connect), Action::kNone);
  EXPECT_EQ(a.tick(10 + kLimits.connect), Action::kTimedOut);
}

TEST(IbvConnectStateMachine, NoListenerFailsSooner) {
  ConnectStateMachine a;
  (void)a.connect(0, kLimits);
  EXPECT_EQ(a.failed(true, 50, kLimits), Action::kDrop);
  EXPECT_EQ(a.tick(a.due()), Action::kStart);
  EXPECT_EQ(a.failed(true, 50 + kLimits.no_listener, kLimits), Action::kTimedOut);
  ConnectStateMachine b;  // but not when another error was reported between
  (void)b.connect(0, kLimits);
  EXPECT_EQ(b.failed(true, 50, kLimits), Action::kDrop);
  EXPECT_EQ(b.tick(b.due()), Action::kStart);
  EXPECT_EQ(b.failed(false, 100, kLimits), Action::kDrop);
  EXPECT_EQ(b.tick(b.due()), Action::kStart);
  EXPECT_EQ(b.failed(true, 50 + kLimits.no_listener, kLimits), Action::kDrop);
}

TEST(IbvConnectStateMachine, AFailedRequestOfThePeerLeavesNoState) {
  ConnectStateMachine a;
  EXPECT_EQ(a.request_received(true, 0, kLimits), Action::kAccept);
  EXPECT_EQ(a.failed(false, 1, kLimits), Action::kDrop);
  EXPECT_EQ(a.state(), State::kIdle);
  EXPECT_EQ(a.due(), ConnectStateMachine::kNever);
  EXPECT_EQ(a.request_received(true, 5, kLimits), Action::kAccept);  // and if its sender never confirms
  EXPECT_EQ(a.tick(5 + kLimits.connect), Action::kDrop);
  EXPECT_EQ(a.state(), State::kIdle);
  EXPECT_EQ(a.connect(5000, kLimits), Action::kStart);  // with a deadline of its own
  EXPECT_EQ(a.due(), 5000 + kLimits.connect);
}

TEST(IbvConnectStateMachine, ARequestDuringAnAcceptedOneIsKept) {
  ConnectStateMachine a;
  (void)a.request_received(true, 0, kLimits);
  EXPECT_EQ(a.connect(1, kLimits), Action::kNone);
  EXPECT_EQ(a.failed(false, 2, kLimits), Action::kDrop);
  EXPECT_EQ(a.state(), State::kBackoff);
  EXPECT_EQ(a.tick(a.due()), Action::kStart);
}

// Two processes and all messages in flight between them. A link that its active side drops may be known to
// the other side already, or its request arrive later. `at_once`: the accepting side counts as connected when
// it has accepted (iWARP), not when the active side confirms it (InfiniBand).
class Pair {
 public:
  Pair(unsigned seed, bool at_once) : random_(seed), at_once_(at_once) {}

  void run(bool both) {
    const int first = static_cast<int>(random_() % 2);
    flight_.push_back({What::kConnect, first, -1});
    if (both) flight_.push_back({What::kConnect, 1 - first, -1});
    for (unsigned step = 0; step < 1000 && !(flight_.empty() && events_drained()); ++step) {
      if (flight_.empty()) {
        pass_time();
        continue;
      }
      const std::size_t pick = random_() % flight_.size();
      const Event e = flight_[pick];
      flight_.erase(flight_.begin() + static_cast<std::ptrdiff_t>(pick));
      arrive(e);
      ASSERT_FALSE(lost_) << "a connection that counted was dropped";
    }
    EXPECT_EQ(side_[0].a.state(), State::kConnected);
    EXPECT_EQ(side_[1].a.state(), State::kConnected);
    EXPECT_EQ(side_[0].link, side_[1].link);
  }

 private:
  enum class What { kConnect, kRouteResolved, kRequest, kAccept, kConfirm, kReject, kDisconnected };
  struct Event {
    What what;
    int to, link;
  };
  struct Side {
    ConnectStateMachine a;
    int link = -1;
  };

  bool events_drained() const {
    return side_[0].a.state() == State::kConnected && side_[1].a.state() == State::kConnected;
  }
  void start(int who) {
    side_[who].link = links_++;
    flight_.push_back({What::kRouteResolved, who, side_[who].link});
  }
  void drop(int who) {
    flight_.push_back({What::kDisconnected, 1 - who, side_[who].link});
    side_[who].link = -1;
  }
  void fail(int who) {
    const Action what = side_[who].a.failed(false, now_, kLong);
    ASSERT_EQ(what, Action::kDrop);
    drop(who);
  }
  void pass_time() {
    now_ = std::min(side_[0].a.due(), side_[1].a.due());
    ASSERT_NE(now_, ConnectStateMachine::kNever) << "no event would ever follow";
    for (int who : {0, 1}) {
      const Action what = side_[who].a.tick(now_);
      ASSERT_TRUE(what == Action::kNone || what == Action::kStart);
      if (what == Action::kStart) start(who);
    }
  }
  void arrive(const Event& e) {
    Side& me = side_[e.to];
    const bool mine = me.link == e.link;
    switch (e.what) {
      case What::kConnect:
        if (me.a.connect(now_, kLong) == Action::kStart) start(e.to);
        return;
      case What::kRouteResolved:
        if (!mine) return;
        me.a.request_sent();
        flight_.push_back({What::kRequest, 1 - e.to, e.link});
        return;
      case What::kRequest: {
        const Action what = me.a.request_received(e.to == 0, now_, kLong);
        if (what == Action::kRejectRace || what == Action::kRejectConnected) {
          flight_.push_back({What::kReject, 1 - e.to, e.link});
          return;
        }
        if (what == Action::kDropAndAccept) drop(e.to);
        me.link = e.link;
        flight_.push_back({What::kAccept, 1 - e.to, e.link});
        if (at_once_) (void)me.a.established();
        return;
      }
      case What::kAccept:
        if (!mine) return flight_.push_back({What::kDisconnected, 1 - e.to, e.link});
        (void)me.a.established();
        flight_.push_back({What::kConfirm, 1 - e.to, e.link});
        return;
      case What::kConfirm:
        if (mine && me.a.state() != State::kConnected) (void)me.a.established();
        return;
      case What::kReject:
        if (mine) fail(e.to);
        return;
      case What::kDisconnected:
        if (!mine) return;
        if (me.a.state() == State::kConnected)
          lost_ = true;
        else
          fail(e.to);
        return;
    }
  }

  static constexpr ConnectStateMachine::TimeLimits kLong{100'000, 50'000};
  std::minstd_rand random_;
  bool at_once_, lost_ = false;
  Side side_[2];
  std::vector<Event> flight_;
  int links_ = 0;
  Millis now_ = 0;
};

TEST(IbvConnectStateMachine, TwoAtOnceEndWithOneConnection) {
  for (unsigned seed = 1; seed <= 5000; ++seed)
    for (const bool at_once : {false, true}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << (at_once ? ", iWARP" : ", InfiniBand"));
      Pair(seed, at_once).run(seed % 8 != 0);
      if (testing::Test::HasFailure()) return;
    }
}

}  // namespace
}  // namespace upcr::ibv
