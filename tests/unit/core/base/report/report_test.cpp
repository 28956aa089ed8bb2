// SPDX-License-Identifier: BSD-3-Clause
// Fatal errors and warnings: their output, and the end of the process.
#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/debugger.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/process_end.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/fatal_filter.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/base/report/signal_report.hpp"
#include "tests/support/child.hpp"

static bool slept = false;  // sleep() returns at once

extern "C" volatile sig_atomic_t upcr_frozen;  // the name that the message tells users of debuggers

// Replaces the C library's.
extern "C" unsigned sleep(unsigned seconds) {
  if (!slept) usleep(seconds * 1000000);
  return 0;
}

namespace upcr {
namespace {

using test::ChildResult;
using test::run_child;

std::size_t test_identity(char* buf, std::size_t size) {
  return static_cast<std::size_t>(std::snprintf(buf, size, "UPC thread 3 of 4, rank 1"));
}
bool never() { return false; }
std::atomic<bool> asked{false};  // the filter has been called
bool always() { return true; }
void end_with_note(int status) {
  std::fprintf(stderr, "the job ends with %d\n", status);
  _exit(status);
}
constexpr ClientApi kApi{"UPC Runtime error: ", "UPC Runtime warning: ", test_identity, end_with_note, never};

TEST(Fatal, WithoutAClientApi) {
  const ChildResult r = run_child([] { fatal("barrier mismatch: %d and %d", 1, 2); });
  EXPECT_TRUE(r.exited(255));
  EXPECT_EQ(r.message(), "UPC Runtime error: barrier mismatch: 1 and 2 (pid PID)\n");
  EXPECT_TRUE(r.has_backtrace()) << r.err;
}

TEST(Fatal, TheClientApiGivesIdentityAndEndsTheJob) {
  const ChildResult r = run_child([] {
    set_client_api(&kApi);
    fatal("barrier mismatch");
  });
  EXPECT_TRUE(r.exited(255));
  EXPECT_EQ(
      r.message(),
      "UPC Runtime error: barrier mismatch (UPC thread 3 of 4, rank 1, pid PID)\nthe job ends with 255\n");
}

TEST(Fatal, ErrnoInWords) {
  const ChildResult r = run_child([] {
    errno = ENOENT;
    fatal_errno("cannot open %s", "x");
  });
  EXPECT_TRUE(r.exited(255));
  EXPECT_EQ(r.message(), "UPC Runtime error: cannot open x: No such file or directory (pid PID)\n");
}

TEST(Fatal, LongMessagesAreCut) {
  const ChildResult r = run_child([] { fatal("%s", std::string(100000, 'x').c_str()); });
  EXPECT_TRUE(r.exited(255));
  const std::size_t first_line = r.err.find('\n');
  ASSERT_NE(first_line, r.err.npos);
  EXPECT_GT(first_line, 4000u);
  EXPECT_LT(first_line, 5000u);
  EXPECT_EQ(r.err[first_line - 1], 'x');
}

// The symbol is the test program's own and static: names come from the file's full symbol table.
__attribute__((noinline)) void function_that_fails() { fatal("here"); }

TEST(Fatal, BacktraceStartsAtTheCallerAndNamesStaticFunctions) {
  const ChildResult r = run_child([] {
    set_log_rank(1, 4);
    function_that_fails();
  });
  const std::size_t frame = r.err.find("[upcr 1/4] #0 ");
  ASSERT_NE(frame, r.err.npos) << r.err;
  const std::string line = r.err.substr(frame, r.err.find('\n', frame) - frame);
  EXPECT_NE(line.find("#0 upcr::function_that_fails+0x"), line.npos) << line;
  EXPECT_NE(line.find("unit_report 0x"), line.npos) << line;
}

TEST(Fatal, BacktraceCanBeSwitchedOff) {
  for (const char* variable : {"UPCR_BACKTRACE", "GASNET_BACKTRACE"}) {
    for (const bool configured : {true, false}) {
      const ChildResult r = run_child([=] {
        setenv(variable, "no", 1);
        if (configured) configure();
        fatal("quiet");
      });
      EXPECT_TRUE(r.exited(255));
      EXPECT_EQ(r.message(), "UPC Runtime error: quiet (pid PID)\n");
      EXPECT_FALSE(r.has_backtrace()) << variable << r.err;
    }
  }
}

TEST(Fatal, InsideTheReportingOfAFatalError) {
  static constexpr ClientApi kFailing{"E: ", "W: ", test_identity,
                                      [](int status) { fatal("ending failed with %d", status); }, never};
  const ChildResult r = run_child([] {
    set_client_api(&kFailing);
    fatal("first");
  });
  EXPECT_TRUE(r.exited(255));
  EXPECT_EQ(r.message(),
            "E: first (UPC thread 3 of 4, rank 1, pid PID)\n"
            "E: ending failed with 255\n");
}

// One thread fails and may not print; then this one ends the process, as the control thread does when the job
// ends.
[[noreturn]] void fail_while_another_ends() {
  alarm(20);
  set_fatal_filter([] {
    asked.store(true);
    return false;
  });
  std::thread([] { fatal("said elsewhere"); }).detach();
  while (!asked.load()) usleep(1000);
  usleep(100000);
  claim_process_end();
  _exit(7);
}

// Another process of the job prints the error and ends the job; the control thread then ends this process.
TEST(Fatal, AFilteredErrorEndsWithTheJob) {
  const ChildResult r = run_child([] { fail_while_another_ends(); });
  EXPECT_TRUE(r.exited(7)) << r.wait_status;
  EXPECT_EQ(r.err, "");
}

// The ten seconds are over, see sleep() above.
TEST(Fatal, AFilteredErrorEndsByItselfWhenTheJobDoesNot) {
  const ChildResult r = run_child([] {
    slept = true;
    set_fatal_filter([] { return false; });
    fatal("said elsewhere");
  });
  EXPECT_TRUE(r.exited(255)) << r.wait_status;
  EXPECT_EQ(r.err, "");
}

// But not while the printing process is frozen: a launcher would end that one because of this one's end.
TEST(Fatal, AFilteredErrorWaitsForTheFrozenProcess) {
  const ChildResult r = run_child([] {
    setenv("UPCR_FREEZE_ON_ERROR", "1", 1);
    configure();
    slept = true;
    fail_while_another_ends();
  });
  EXPECT_TRUE(r.exited(7)) << r.wait_status;
  EXPECT_EQ(r.err, "");
}

TEST(Fatal, InSeveralThreads) {
  // Each prints its message; one of them ends the job, once.
  const ChildResult r = run_child([] {
    static constexpr ClientApi kSlow{"E: ", "W: ", test_identity,
                                     [](int status) {
                                       usleep(300000);  // time for the others to fail too
                                       end_with_note(status);
                                     },
                                     never};
    set_client_api(&kSlow);
    std::thread threads[3];
    for (int i = 0; i < 3; ++i) threads[i] = std::thread([i] { fatal("failure %d", i); });
    for (std::thread& t : threads) t.join();
  });
  EXPECT_TRUE(r.exited(255));
  const std::size_t end = r.err.find("the job ends with 255\n");
  ASSERT_NE(end, r.err.npos) << r.err;
  EXPECT_EQ(r.err.find("the job ends", end + 1), r.err.npos) << r.err;
  EXPECT_EQ(r.err.find("#0 "), r.err.rfind("#0 ")) << "one backtrace\n" << r.err;
  EXPECT_NE(r.err.find("E: failure "), r.err.npos);
}

TEST(Fatal, LinesOfThreadsAreWhole) {
  const ChildResult r = run_child([] {
    std::thread threads[4];
    for (int i = 0; i < 4; ++i)
      threads[i] = std::thread([i] {
        for (int k = 0; k < 200; ++k) warn("%s", std::string(60, static_cast<char>('a' + i)).c_str());
      });
    for (std::thread& t : threads) t.join();
  });
  EXPECT_TRUE(r.exited(0));
  int lines = 0;
  for (std::size_t at = 0; at < r.err.size(); ++lines) {
    const std::size_t end = r.err.find('\n', at);
    ASSERT_NE(end, r.err.npos);
    const std::string line = r.err.substr(at, end - at);
    ASSERT_EQ(line, "UPC Runtime warning: " + std::string(60, line.back()));
    at = end + 1;
  }
  EXPECT_EQ(lines, 800);
}

TEST(Warn, IsALineAndErrnoSurvives) {
  const ChildResult r = run_child([] {
    errno = EPERM;
    warn("only %s", "so");
    if (errno != EPERM) _exit(1);
    set_client_api(&kApi);
    warn("and now");
  });
  EXPECT_TRUE(r.exited(0));
  EXPECT_EQ(r.err,
            "UPC Runtime warning: only so\nUPC Runtime warning: and now (UPC thread 3 of 4, rank 1)\n");
}

TEST(Warn, EndsTheJobWhenTheClientApiSaysSo) {
  static constexpr ClientApi kStrict{"E: ", "W: ", test_identity, end_with_note, always};
  const ChildResult r = run_child([] {
    set_client_api(&kStrict);
    warn("careful");
    _exit(0);
  });
  EXPECT_TRUE(r.exited(255));
  EXPECT_EQ(r.message(),
            "W: careful (UPC thread 3 of 4, rank 1)\n"
            "E: the warning above ends the job (UPC_WARN_FATAL) (UPC thread 3 of 4, rank 1, pid PID)\n"
            "the job ends with 255\n");
}

TEST(Assert, IsAnInternalErrorInTheDebugLibrary) {
  const ChildResult r = run_child([] { UPCR_ASSERT(1 + 1 == 3); });
  EXPECT_TRUE(r.exited(255));
  EXPECT_NE(r.err.find("internal error: "), r.err.npos);
  EXPECT_NE(r.err.find("report_test.cpp"), r.err.npos);
  EXPECT_NE(r.err.find("'1 + 1 == 3' does not hold"), r.err.npos);
}

TEST(Freeze, WaitsUntilSigcont) {
  const ChildResult r = run_child([] {
    setenv("GASNET_FREEZE", "yes", 1);
    configure();
    int thawed[2];
    if (pipe(thawed) != 0) _exit(1);
    const int frozen = getpid();
    if (fork() == 0) {  // sends until the frozen process goes on and closes the pipe
      close(thawed[1]);
      fcntl(thawed[0], F_SETFL, O_NONBLOCK);
      char byte;
      while (read(thawed[0], &byte, 1) != 0) {
        usleep(50000);
        kill(frozen, SIGCONT);
      }
      _exit(0);
    }
    freeze_if_requested();
    std::printf("went on");
  });
  EXPECT_TRUE(r.exited(0));
  EXPECT_EQ(r.out, "went on");
  EXPECT_EQ(r.err.rfind("[upcr] frozen by UPCR_FREEZE on host ", 0), 0u) << r.err;
  EXPECT_NE(r.err.find("gdb -p " + std::to_string(r.pid)), r.err.npos) << r.err;
}

TEST(Freeze, OnError) {
  const ChildResult r = run_child([] {
    setenv("UPCR_FREEZE_ON_ERROR", "1", 1);
    configure();
    // It prints that it is frozen before it can be resumed, so the signal may come at any time from now on.
    std::thread([] {
      for (;;) {
        usleep(50000);
        kill(getpid(), SIGCONT);
      }
    }).detach();
    fatal("look at me");
  });
  EXPECT_TRUE(r.exited(255));
  EXPECT_NE(r.err.find("frozen by UPCR_FREEZE_ON_ERROR"), r.err.npos) << r.err;
}

// The report that is frozen is the one to look at: what other threads report meanwhile is printed, and ends
// nothing.
TEST(Freeze, ErrorsOfOtherThreadsWait) {
  const ChildResult r = run_child([] {
    alarm(60);
    setenv("UPCR_FREEZE_ON_ERROR", "1", 1);
    configure();
    use_signal_stack();
    install_signal_reports(nullptr);
    std::thread([] { fatal("look at me"); }).detach();
    while (upcr_frozen == 0) usleep(1000);
    std::thread([] { fatal("a second error"); }).detach();
    std::thread([] { raise(SIGABRT); }).detach();
    usleep(500000);
    std::printf("still here");
    std::fflush(stdout);
    kill(getpid(), SIGCONT);
    for (;;) pause();
  });
  EXPECT_TRUE(r.exited(255)) << r.wait_status;
  EXPECT_EQ(r.out, "still here");
  EXPECT_NE(r.err.find("a second error"), r.err.npos) << r.err;
  EXPECT_NE(r.err.find("SIGABRT"), r.err.npos) << r.err;
  const std::size_t frozen = r.err.find("frozen by UPCR_FREEZE_ON_ERROR");
  ASSERT_NE(frozen, r.err.npos) << r.err;
  EXPECT_EQ(r.err.find("frozen by", frozen + 1), r.err.npos) << "once\n" << r.err;
}

TEST(Freeze, NotUnlessRequested) {
  const ChildResult r = run_child([] {
    configure();
    freeze_if_requested();
  });
  EXPECT_TRUE(r.exited(0));
  EXPECT_EQ(r.err, "");
}

}  // namespace
}  // namespace upcr
