// SPDX-License-Identifier: BSD-3-Clause
// A signal that a call of the runtime raises does not reach the program; its own does.
#include "conduits/core/base/system/signal_blocker.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

namespace upcr {
namespace {

volatile sig_atomic_t seen;

class SignalBlockerTest : public testing::Test {
 public:
  void SetUp() override {
    seen = 0;
    before_ = ::signal(SIGPIPE, [](int) { seen = seen + 1; });
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0);
    ::close(ends_[1]);
  }
  void TearDown() override {
    ::close(ends_[0]);
    (void)::signal(SIGPIPE, before_);
  }
  void send() const {
    EXPECT_EQ(::write(ends_[0], "x", 1), -1);
    EXPECT_EQ(errno, EPIPE);
  }
  static bool is_blocked() {
    sigset_t mask;
    return ::pthread_sigmask(SIG_BLOCK, nullptr, &mask) == 0 && ::sigismember(&mask, SIGPIPE) == 1;
  }

 private:
  int ends_[2] = {};
  void (*before_)(int) = SIG_DFL;
};

TEST_F(SignalBlockerTest, WhatIsRaisedMeanwhileIsNotSeen) {
  {
    const SignalBlocker blocker(SIGPIPE);
    send();
    EXPECT_TRUE(is_blocked());
    errno = EPIPE;
  }
  EXPECT_EQ(errno, EPIPE);
  EXPECT_FALSE(is_blocked());
  EXPECT_EQ(seen, 0);
  send();  // the program's own
  EXPECT_EQ(seen, 1);
}

TEST_F(SignalBlockerTest, OtherSignalsAreSeen) {
  const SignalBlocker blocker(SIGXFSZ);
  send();
  EXPECT_EQ(seen, 1);
}

TEST_F(SignalBlockerTest, AProgramThatBlocksItGetsItLater) {
  sigset_t pipe, before;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &pipe, &before), 0);
  send();
  {
    const SignalBlocker blocker(SIGPIPE);
    send();
  }
  EXPECT_TRUE(is_blocked()) << "by the program";
  EXPECT_EQ(seen, 0);
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace upcr
