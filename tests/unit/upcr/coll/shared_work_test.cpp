// SPDX-License-Identifier: BSD-3-Clause
// Work in pieces that two threads claim: each piece once, and none of another call.
#include "upcr/coll/call/shared_work.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace upcr::coll {
namespace {

unsigned claim_all(SharedWork& work, SharedWork::Call call, SharedWork::Count pieces) {
  unsigned claimed = 0;
  while (work.claim(call, pieces)) ++claimed;
  return claimed;
}

TEST(SharedWork, IsTakenOnce) {
  SharedWork work{};
  work.offer(1);
  EXPECT_TRUE(work.claim(1, 3));
  EXPECT_EQ(claim_all(work, 1, 3), 2u);
  EXPECT_FALSE(work.claim(1, 3));
}

// A helper that is late claims nothing of the call that its owner is in by then. Nor does one that is early,
// before the owner has offered the work of its call.
TEST(SharedWork, IsOfOneCall) {
  constexpr SharedWork::Count kMax = SharedWork::kMaxPieces;
  SharedWork work{};
  EXPECT_FALSE(work.claim(1, kMax));
  for (SharedWork::Call call = 1; call < 10; ++call) {
    work.offer(call);
    EXPECT_FALSE(work.claim(call - 1, kMax));
    EXPECT_FALSE(work.claim(call + 1, kMax));
    EXPECT_EQ(claim_all(work, call, kMax), kMax);
    EXPECT_FALSE(work.claim(call - 1, kMax));
    EXPECT_FALSE(work.claim(call + 1, kMax));
  }
}

TEST(SharedWork, LandsAnewInEachCall) {
  SharedWork work{};
  work.offer(1);
  EXPECT_TRUE(work.helper_done(0));
  work.set_helper_done(2);
  EXPECT_TRUE(work.helper_done(2));
  work.offer(2);
  EXPECT_TRUE(work.helper_done(0));
}

// Owner from the front, helper from the back, call after call; the helper sees by itself which call it is.
TEST(SharedWork, ByTwoThreads) {
  constexpr SharedWork::Count kPieces = 9;
  constexpr SharedWork::Call kCalls = 20000;
  SharedWork work{};
  std::vector<unsigned> pieces(kPieces);  // of one call: its number, by the thread that did the piece
  std::atomic<SharedWork::Call> entered{0};
  std::thread helper([&] {
    for (SharedWork::Call call = 0; call < kCalls;) {
      call = entered.load(std::memory_order_acquire);
      SharedWork::Count own = 0;
      while (call != 0 && work.claim(call, kPieces)) {
        pieces[kPieces - ++own] += 1;
        work.set_helper_done(own);
      }
      std::this_thread::yield();
    }
  });
  bool once = true;
  for (SharedWork::Call call = 1; call <= kCalls; ++call) {
    work.offer(call);
    entered.store(call, std::memory_order_release);
    SharedWork::Count own = 0;
    while (work.claim(call, kPieces)) pieces[own++] += 1;
    while (!work.helper_done(kPieces - own)) std::this_thread::yield();
    for (const unsigned times : pieces) once &= times == call;
  }
  helper.join();
  EXPECT_TRUE(once);
}

}  // namespace
}  // namespace upcr::coll
