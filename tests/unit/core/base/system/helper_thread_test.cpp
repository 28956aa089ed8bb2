// SPDX-License-Identifier: BSD-3-Clause
// The library's own threads: the size of their stacks where default ones are small (ulimit -s 64), and their
// signal mask.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include "conduits/core/base/system/helper_thread.hpp"

namespace upcr {
namespace {

struct Seen {
  std::size_t stack = 0;
  bool receives_a_signal = false;
};

void* inspect(void* out) {
  auto& seen = *static_cast<Seen*>(out);
  pthread_attr_t attributes;
  void* start = nullptr;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    (void)pthread_attr_getstack(&attributes, &start, &seen.stack);
    pthread_attr_destroy(&attributes);
  }
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (const int number : {SIGINT, SIGTERM, SIGCHLD, SIGUSR1, SIGALRM})
    seen.receives_a_signal = seen.receives_a_signal || sigismember(&blocked, number) == 0;
  return nullptr;
}

Seen start(HelperStack stack) {
  Seen seen;
  pthread_t thread;
  const int error = start_helper_thread(&thread, stack, inspect, &seen);
  EXPECT_EQ(error, 0);
  if (error == 0) EXPECT_EQ(pthread_join(thread, nullptr), 0);
  return seen;
}

// As with this `ulimit -s`, which the C library reads before main().
void set_default(std::size_t bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  ASSERT_EQ(pthread_setattr_default_np(&attributes), 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace

TEST(HelperThread, StackIsNotTheDefaultsWhereThatIsSmall) {
  set_default(64 * 1024);
  EXPECT_GE(start(HelperStack::kOwn).stack, 256u * 1024);
  EXPECT_GE(start(HelperStack::kClient).stack, 1024u * 1024);
}

TEST(HelperThread, OwnStackIsSmallAndAClientsIsTheDefault) {
  set_default(16 << 20);
  EXPECT_LT(start(HelperStack::kOwn).stack, 16u << 20);
  EXPECT_GE(start(HelperStack::kClient).stack, 16u << 20);
}

TEST(HelperThread, DefaultMayBeLargerThanTheLimitOfRetries) {
  if (sizeof(void*) < 8) GTEST_SKIP() << "no room for a stack of 2 GiB";
  set_default(std::size_t{2} << 30);  // ulimit -s 2097152
  EXPECT_GE(start(HelperStack::kClient).stack, std::size_t{2} << 30);
  EXPECT_LT(start(HelperStack::kOwn).stack, std::size_t{1} << 30);
}

TEST(HelperThread, BlocksAllSignals) {
  EXPECT_FALSE(start(HelperStack::kOwn).receives_a_signal);
  sigset_t mine;
  pthread_sigmask(SIG_SETMASK, nullptr, &mine);
  EXPECT_EQ(sigismember(&mine, SIGUSR1), 0);  // the caller's mask is as it was
}

}  // namespace upcr
