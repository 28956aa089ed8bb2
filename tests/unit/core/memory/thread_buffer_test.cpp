// SPDX-License-Identifier: BSD-3-Clause
// The memory in which a thread builds packets: kept between uses, freed at the thread's end, and usable after
// that by handlers of the program's end.
#include "conduits/core/memory/thread_buffer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "tests/support/child.hpp"

namespace upcr {
namespace {

constinit thread_local ThreadBuffer one, other;

TEST(ThreadBuffer, GrowsAndStays) {
  std::thread([] {
    char* const small = one.of(10);
    std::memset(small, 1, 10);
    EXPECT_EQ(one.of(10), small);
    EXPECT_EQ(one.of(1), small);
    std::memset(one.of(100'000), 2, 100'000);
    EXPECT_EQ(one.size(), 100'000u);
    EXPECT_NE(other.of(10), one.of(10));
  }).join();
  EXPECT_EQ(one.size(), 0u);  // this thread's
}

// At a process's end the main thread's objects are destroyed before the handlers of atexit() run.
TEST(ThreadBuffer, IsEmptyInHandlersOfTheEnd) {
  const test::ChildResult r = test::run_child([] {
    std::atexit([] {
      const bool empty = one.size() == 0 && other.size() == 0;
      std::memset(one.of(5000), 3, 5000);
      _exit(empty && one.size() == 5000 ? 7 : 8);
    });
    std::memset(one.of(4000), 1, 4000);
    std::memset(other.of(40), 1, 40);
    std::exit(0);
  });
  EXPECT_TRUE(r.exited(7)) << r.wait_status;
}

}  // namespace
}  // namespace upcr
