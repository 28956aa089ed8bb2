// SPDX-License-Identifier: BSD-3-Clause
// How long upcrun waits for processes that SIGKILL does not end.
#include "tools/upcrun/base/unkillable.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace {

using upcrun::Milliseconds;
using upcrun::UnkillableDetector;

const upcrun::ProcessId kA{100, 7}, kB{101, 8}, kLaterA{100, 9};

TEST(UnkillableDetector, GivesUpWhenAllHaveBeenIdle) {
  UnkillableDetector watch(1000);
  EXPECT_FALSE(watch.all_unkillable({}, 0));
  for (Milliseconds now = 0; now < 1000; now += 100)
    EXPECT_FALSE(watch.all_unkillable({{kA, false}}, now)) << now;
  EXPECT_TRUE(watch.all_unkillable({{kA, false}}, 1000));
  EXPECT_FALSE(
      watch.all_unkillable({{kA, false}, {kB, false}}, 1100));  // a process that was just being forked
  EXPECT_TRUE(watch.all_unkillable({{kA, false}}, 1200));
  EXPECT_FALSE(watch.all_unkillable({{kLaterA, false}}, 1300));  // its pid was given to another process
  EXPECT_FALSE(watch.all_unkillable({}, 1400));
}

TEST(UnkillableDetector, WaitsWhileTheKernelFreesItsMemory) {
  UnkillableDetector watch(1000);
  for (Milliseconds now = 0; now < 20'000; now += 100)
    EXPECT_FALSE(watch.all_unkillable({{kA, true}}, now)) << now;
  for (Milliseconds now = 20'000; now < 20'900; now += 100)
    EXPECT_FALSE(watch.all_unkillable({{kA, false}}, now));
  EXPECT_TRUE(watch.all_unkillable({{kA, false}}, 20'900));
}

TEST(UnkillableDetector, TimeInWhichUpcrunWasStoppedHardlyCounts) {
  UnkillableDetector watch(5000);
  EXPECT_FALSE(watch.all_unkillable({{kA, false}}, 0));
  EXPECT_FALSE(watch.all_unkillable({{kA, false}}, 600'000));  // upcrun was stopped
}

// A process that its tracer stops just before its exit, on which SIGKILL has no effect.
TEST(UnkillableDetector, NamesWhatTheKernelDoesNotEnd) {
  const pid_t child = ::fork();
  if (child == 0)
    for (;;) ::pause();
  ASSERT_GT(child, 0);
  if (::ptrace(PTRACE_SEIZE, child, nullptr, PTRACE_O_TRACEEXIT) != 0) {
    const int error = errno;
    (void)::kill(child, SIGKILL);
    (void)::waitpid(child, nullptr, 0);
    GTEST_SKIP() << "no process may be traced here: " << std::strerror(error);
  }
  UnkillableDetector watch(100);
  const upcrun::ProcessId id = upcrun::identify(child);
  EXPECT_EQ(id.pid, child);
  const Milliseconds end = upcrun::now_ms() + 60'000;
  bool all_unkillable = false;
  while (!all_unkillable && upcrun::now_ms() < end) {
    all_unkillable = watch.kill({id});
    (void)::usleep(10'000);
  }
  EXPECT_TRUE(all_unkillable);
  const auto lines = watch.describe();
  ASSERT_EQ(lines.size(), 1u);
  const std::string start =
      "pid " + std::to_string(child) + " (upcrun_link), state t (stopped by a debugger)";
  EXPECT_EQ(lines[0].substr(0, start.size()), start) << lines[0];
  // The form for messages that name the process elsewhere.
  EXPECT_EQ(upcrun::describe_kernel_state(child).substr(0, 31), "state t (stopped by a debugger)");
  EXPECT_NE(lines[0].find("was killed, but the kernel has not ended it within 0 s"), std::string::npos)
      << lines[0];
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);  // the stop
  ASSERT_EQ(::ptrace(PTRACE_CONT, child, nullptr, 0), 0);
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

}  // namespace
