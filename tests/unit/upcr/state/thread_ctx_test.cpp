// SPDX-License-Identifier: BSD-3-Clause
// Where UPC calls are legal: on UPC threads, outside of handlers. The ends of programs and the order of
// start-up are tests/spmd/control's.
#include <gtest/gtest.h>

#include "include/upcr/layout.h"
#include "include/upcr/window.h"
#include "tests/support/simulated_ranks.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

class CallsDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { ::testing::FLAGS_gtest_death_test_style = "threadsafe"; }
  void TearDown() override {
    current_ctx = nullptr;
    runtime().stage = Stage::kNone;
  }
  static void at(Stage stage) { runtime().stage = stage; }
};

TEST_F(CallsDeathTest, SayWhatIsMissing) {
  EXPECT_DEATH(ctx("upcr_lock"), "UPC Runtime error: upcr_lock called before UPC runtime initialized");
  EXPECT_DEATH(upcri_check_started("upcr_mynode"), "upcr_mynode called before upcr_startup_init");
  at(Stage::kStarted);
  upcri_check_started("upcr_mynode");
  EXPECT_DEATH(ctx("upcr_lock"), "upcr_startup_attach\\(\\) has not been called yet");
  at(Stage::kAttached);
  EXPECT_DEATH(ctx("upcr_lock"), "upcr_startup_spawn\\(\\) has not been called yet");
  at(Stage::kRunning);
  EXPECT_DEATH(ctx("upcr_lock"), "upcr_lock called on a thread that is not a UPC thread");
  EXPECT_DEATH(upcri_begin_function(), "UPCR_BEGIN_FUNCTION called on a thread that is not a UPC thread");
}

// A thread of the program's own in a process of one UPC thread, which has got that one's number or has not.
TEST_F(CallsDeathTest, AreRefusedWithoutTheNumberOfTheProcess) {
  at(Stage::kRunning);
  runtime().contexts = std::make_unique<ThreadCtx[]>(1);
  runtime().contexts[0].thread = upcri_mythread_;
  upcri_begin_function();
  EXPECT_DEATH(upcri_check_thread("upcr_lock"), "upcr_lock called on a thread that is not a UPC thread");
  runtime().contexts[0].thread = upcri_mythread_ + 1;
  EXPECT_DEATH(upcri_begin_function(), "UPCR_BEGIN_FUNCTION called on a thread that is not a UPC thread");
  runtime().contexts.reset();
}

TEST_F(CallsDeathTest, AreRefusedInHandlers) {
  ThreadCtx c;
  current_ctx = &c;
  at(Stage::kRunning);
  upcri_begin_function();
  test::SimulatedRanks ranks(2);
  ranks.engine(1).set_internal(
      InternalHandler::kFirstAboveCore,
      [](AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void*) { upcri_begin_function(); },
      nullptr);
  AmMessage message;
  message.internal = true;
  message.handler = static_cast<std::uint8_t>(InternalHandler::kFirstAboveCore);
  ranks.engine(0).request(1, message);
  EXPECT_DEATH(ranks.engine(1).poll(), "UPCR_BEGIN_FUNCTION called in an active-message handler");
}

TEST_F(CallsDeathTest, TellTheSourcePosition) {
  upcri_set_srcpos("nowhere.upc", 1);  // no UPC thread: ignored
  ThreadCtx c;
  current_ctx = &c;
  upcri_set_srcpos("heat.upc", 12);
  EXPECT_STREQ(c.file, "heat.upc");
  EXPECT_EQ(c.line, 12);
}

}  // namespace
}  // namespace upcr
