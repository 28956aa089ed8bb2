// SPDX-License-Identifier: BSD-3-Clause
// Copies of thread-local data. This program contains what upcc would generate: its variables are in the
// section, whose address it publishes to the library.
#include "upcr/statics/tld.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "include/upcr/forall.h"
#include "include/upcr/tld.h"

#define IN_SECTION __attribute__((section("upcr_tld"), used))

extern "C" {
extern char __start_upcr_tld[], __stop_upcr_tld[];
struct upcri_tld_image upcri_tld_image = {__start_upcr_tld, __stop_upcr_tld, nullptr, 0};
int upcri_tld_objects = 1;
}

IN_SECTION int UPCR_TLD_DEFINE(scalar, 4, 4) = 41;
alignas(512) IN_SECTION double UPCR_TLD_DEFINE(array, 80, 512)[10] = {1.5, 2.5};
IN_SECTION int* UPCR_TLD_DEFINE(pointer, 8, 8) = &scalar;
alignas(4096) IN_SECTION char UPCR_TLD_DEFINE(paged, 1, 4096) = 'p';
int outside = 7;

namespace {

TEST(Tld, EveryThreadHasItsOwnAndTheFirstHasTheOriginal) {
  constexpr int kThreads = 4;
  upcr::tld_process_init(kThreads);
  std::vector<void*> at(kThreads), blocks(kThreads);
  std::vector<std::thread> threads;
  for (int i = kThreads - 1; i >= 0; --i) {
    threads.emplace_back([i, &at, &blocks] {
      upcr::tld_thread_init(i);
      int* mine = static_cast<int*>(UPCR_TLD_ADDR(scalar));
      EXPECT_EQ(*mine, 41);
      *mine += i + 1;
      auto* row = static_cast<double*>(UPCR_TLD_ADDR(array));
      EXPECT_EQ(row[1], 2.5);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(row) % 512, 0U);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(UPCR_TLD_ADDR(paged)) % 4096, 0U);
      EXPECT_EQ(*static_cast<char*>(UPCR_TLD_ADDR(paged)), 'p');
      EXPECT_EQ(*static_cast<int**>(UPCR_TLD_ADDR(pointer)), &scalar);
      at[static_cast<std::size_t>(i)] = mine;
      const upcri_tld_t* block = upcri_linkergenerated_tld_init();
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(block->upcri_pthreadinfo.mypthread, i);
      blocks[static_cast<std::size_t>(i)] = block->upcri_pthreadinfo.tld;
    });
    threads.back().join();
  }
  EXPECT_EQ(at[0], &scalar);
  EXPECT_EQ(scalar, 42);
  EXPECT_EQ(blocks[0], __start_upcr_tld);
  for (int i = 1; i < kThreads; ++i) {
    EXPECT_EQ(*static_cast<int*>(at[static_cast<std::size_t>(i)]), 42 + i);
    EXPECT_NE(blocks[static_cast<std::size_t>(i)], blocks[static_cast<std::size_t>(i - 1)]);
  }
}

TEST(Tld, AddressExpandsItsArgument) { EXPECT_EQ(UPCR_TLD_ADDR(upcr_forall_control), &upcrt_forall_control); }

TEST(Tld, VariableOutsideIsNamed) {
  EXPECT_EXIT(
      {
        upcr::tld_process_init(2);
        upcr::tld_thread_init(1);
        *static_cast<int*>(UPCR_TLD_ADDR(outside)) = 1;
      },
      testing::ExitedWithCode(255), "UPC Runtime error: .*'outside'.*upcc");
}

TEST(Tld, PlainUsesAreNamedAndAreNoMatterForOneThread) {
  static const upcri_tld_plain kUses[] = {{"counter", "a.c", 12}, {"table", "b.o", 0}};
  upcri_tld_image.plain = kUses;
  upcri_tld_image.plain_count = 2;
  upcr::tld_check(1);
  EXPECT_EXIT(upcr::tld_check(2), testing::ExitedWithCode(255), "'counter' in a.c:12, 'table' in b.o");
  upcri_tld_image.plain_count = 0;
}

TEST(Tld, ObjectsWithoutTheirLinkerAreRefused) {
  EXPECT_EXIT(
      {
        upcri_tld_image.start = upcri_tld_image.stop = nullptr;
        upcr::tld_check(2);
      },
      testing::ExitedWithCode(255), "not linked by upcc");
}

TEST(Tld, ThreadThatIsNoUpcThreadHasNoBlock) {
  std::thread([] { EXPECT_EQ(upcri_linkergenerated_tld_init(), nullptr); }).join();
}

}  // namespace
