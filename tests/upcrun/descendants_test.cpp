// SPDX-License-Identifier: BSD-3-Clause
// Information from the kernel about processes, as upcrun reads it.
#include "tools/upcrun/base/descendants.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

TEST(Descendants, IsExiting) {
  EXPECT_FALSE(upcrun::is_exiting(::getpid()));
  const pid_t child = ::fork();
  if (child == 0) {
    (void)::prctl(PR_SET_NAME, ") R 1 (", 0, 0, 0);  // a name with the separators of /proc/PID/stat
    for (;;) ::pause();
  }
  ASSERT_GT(child, 0);
  EXPECT_FALSE(upcrun::is_exiting(child));
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);  // not reaped
  EXPECT_TRUE(upcrun::is_exiting(child));
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(upcrun::is_exiting(child));
}

}  // namespace
