// SPDX-License-Identifier: BSD-3-Clause
// rand() of UPC threads: the C library's sequence, one per thread.
#include "include/upcr/rand.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace {

std::vector<int> next(int count) {
  std::vector<int> values;
  for (int i = 0; i < count; i++) values.push_back(upcri_rand());
  return values;
}

std::vector<int> next_of_library(int count) {
  std::vector<int> values;
  for (int i = 0; i < count; i++) values.push_back(rand());
  return values;
}

TEST(Rand, IsTheLibrarysSequence) {
  std::vector<int> unseeded;
  std::thread([&] { unseeded = next(1000); }).join();
  srand(1);
  EXPECT_EQ(unseeded, next_of_library(1000));
  for (unsigned seed : {0u, 1u, 42u, 0xffffffffu}) {
    srand(seed);
    upcri_srand(seed);
    EXPECT_EQ(next(1000), next_of_library(1000)) << "seed " << seed;
  }
}

TEST(Rand, ThreadsDoNotShare) {
  upcri_srand(7);
  const int first = upcri_rand();
  upcri_srand(7);
  std::thread([] { upcri_srand(99), next(10); }).join();
  EXPECT_EQ(upcri_rand(), first);
}

}  // namespace
