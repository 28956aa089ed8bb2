// SPDX-License-Identifier: BSD-3-Clause
// Reports of fatal signals: the message, the alternate stack, the wait status.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include <cstring>
#include <string>
#include <thread>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/signal_report.hpp"
#include "conduits/core/base/system/text.hpp"
#include "tests/support/child.hpp"

namespace upcr {
namespace {

using test::ChildResult;
using test::run_child;

constexpr const char* kPrefix = "UPC Runtime error: ";

std::size_t test_identity(char* buf, std::size_t size) {
  std::strncpy(buf, "UPC thread 3 of 4", size);
  return std::strlen(buf);
}
bool never() { return false; }
constexpr ClientApi kApi{kPrefix, "UPC Runtime warning: ", test_identity, _exit, never};

// Runs `action` in a child with signal reports, and returns its output.
template <typename Action>
ChildResult report_of(Action&& action) {
  return run_child([&] {
    set_client_api(&kApi);
    install_signal_reports(nullptr);
    action();
  });
}

__attribute__((noinline, no_sanitize("undefined"))) void store_to(std::uintptr_t address) {
  *reinterpret_cast<volatile int*>(address) = 1;
}

__attribute__((noinline, no_sanitize("undefined"))) int divide(int a, int b) { return a / b; }

// Frames too large for the compiler to make a loop of it.
__attribute__((noinline)) int recurse(int depth) {  // NOLINT(misc-no-recursion)
  volatile char frame[4096];
  frame[depth % 4096] = static_cast<char>(depth);
  return depth < 0 ? 0 : recurse(depth + 1) + frame[depth % 4096];
}

TEST(SignalReport, NullPointer) {
  const ChildResult r = report_of([] { store_to(16); });
  EXPECT_TRUE(r.died_of(SIGSEGV));
  EXPECT_EQ(r.message(),
            "UPC Runtime error: SIGSEGV (invalid memory access) at address 0x10: nothing is mapped there "
            "(UPC thread 3 of 4, pid PID)\n");
  // The backtrace starts at the instruction that failed.
  const std::size_t frame = r.err.find("] #0 ");
  ASSERT_NE(frame, r.err.npos) << r.err;
  EXPECT_NE(r.err.substr(frame, r.err.find('\n', frame) - frame).find("store_to"), r.err.npos) << r.err;
}

TEST(SignalReport, ForbiddenAccess) {
  const ChildResult r = report_of([] {
    void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    store_to(reinterpret_cast<std::uintptr_t>(page));
  });
  EXPECT_TRUE(r.died_of(SIGSEGV));
  EXPECT_NE(r.err.find("the access is not permitted there"), r.err.npos) << r.err;
}

TEST(SignalReport, MemoryWithoutPages) {
  const ChildResult r = report_of([] {
    const int fd = memfd_create("test", 0);
    if (ftruncate(fd, 4096) != 0) _exit(1);
    void* at = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    store_to(reinterpret_cast<std::uintptr_t>(at) + 4096);
  });
  EXPECT_TRUE(r.died_of(SIGBUS));
  EXPECT_EQ(r.err.rfind("UPC Runtime error: SIGBUS (memory that cannot be had) at address 0x", 0), 0u)
      << r.err;
  EXPECT_NE(r.err.find("the host or its memory cgroup has no page for it"), r.err.npos) << r.err;
}

TEST(SignalReport, AddressDescribedByTheRuntime) {
  const ChildResult r = run_child([] {
    set_client_api(&kApi);
    install_signal_reports([](const void* address, char* buf, std::size_t size) {
      return static_cast<std::size_t>(
          std::snprintf(buf, size, "segment + %zu", reinterpret_cast<std::size_t>(address)));
    });
    store_to(24);
  });
  EXPECT_TRUE(r.died_of(SIGSEGV));
  EXPECT_EQ(r.message(),
            "UPC Runtime error: SIGSEGV (invalid memory access) at address 0x18: nothing is mapped there: "
            "segment + 24 (UPC thread 3 of 4, pid PID)\n");
}

TEST(SignalReport, StackOverflow) {
  const ChildResult r = report_of([] { _exit(recurse(0) == 1 ? 2 : 1); });
  EXPECT_TRUE(r.died_of(SIGSEGV)) << r.wait_status;
  EXPECT_NE(r.err.find("the stack is exhausted"), r.err.npos) << r.err;
  EXPECT_TRUE(r.has_backtrace());
  EXPECT_NE(r.err.find(" times more ...\n"), r.err.npos) << r.err;  // 64 frames in a few lines
}

TEST(SignalReport, StackOverflowInAnotherThread) {
  const ChildResult r = report_of([] {
    std::thread([] {
      use_signal_stack();
      _exit(recurse(0) == 1 ? 2 : 1);
    }).join();
  });
  EXPECT_TRUE(r.died_of(SIGSEGV)) << r.wait_status;
  EXPECT_NE(r.err.find("the stack is exhausted"), r.err.npos) << r.err;
}

TEST(SignalReport, ThreadsReturnTheirAlternateStack) {
  const ChildResult r = report_of([] {
    for (int i = 0; i < 100; ++i) std::thread([] { use_signal_stack(); }).join();
    stack_t now{};
    if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) != 0)
      _exit(1);  // this thread's is intact
    store_to(16);
  });
  EXPECT_TRUE(r.died_of(SIGSEGV)) << r.wait_status;
}

TEST(SignalReport, Division) {
  const ChildResult r = report_of([] {
    volatile int zero = 0;
    volatile int result = divide(100, zero);
    (void)result;
    raise(SIGFPE);  // processors that do not trap
  });
  EXPECT_TRUE(r.died_of(SIGFPE));
  EXPECT_EQ(r.err.rfind("UPC Runtime error: SIGFPE (arithmetic error)", 0), 0u) << r.err;
#if defined(__x86_64__)
  EXPECT_NE(r.err.find("integer division by zero"), r.err.npos) << r.err;
#endif
}

TEST(SignalReport, IllegalInstruction) {
#if defined(__x86_64__)
  const ChildResult r = report_of([] { __asm__ volatile("ud2"); });
  EXPECT_EQ(
      r.message(),
      "UPC Runtime error: SIGILL (illegal instruction): illegal operand (UPC thread 3 of 4, pid PID)\n");
#else
  const ChildResult r = report_of([] { raise(SIGILL); });
#endif
  EXPECT_TRUE(r.died_of(SIGILL));
}

TEST(SignalReport, Abort) {
  const ChildResult r = report_of([] { abort(); });
  EXPECT_TRUE(r.died_of(SIGABRT));
  EXPECT_EQ(r.message(),
            "UPC Runtime error: SIGABRT (abort) raised by the program itself (UPC thread 3 of 4, pid PID)\n");
  EXPECT_TRUE(r.has_backtrace());
}

TEST(SignalReport, QuitFromOutside) {
  int ready[2];
  ASSERT_EQ(pipe2(ready, O_CLOEXEC), 0);
  const ChildResult r = run_child(
      [&] {
        install_signal_reports(nullptr);
        (void)!write(ready[1], "x", 1);
        for (;;) pause();
      },
      [&](int pid) {
        char byte;
        ASSERT_EQ(read(ready[0], &byte, 1), 1);
        kill(pid, SIGQUIT);
      });
  close(ready[0]);
  close(ready[1]);
  EXPECT_TRUE(r.died_of(SIGQUIT));
  EXPECT_EQ(r.message(),
            "UPC Runtime error: SIGQUIT (quit) sent by process " + std::to_string(getpid()) + " (pid PID)\n");
}

TEST(SignalReport, TheLauncherIsNotified) {
  const ChildResult r = run_child([] {
    set_crash_notice([](int signal) noexcept {
      write_all(STDERR_FILENO, signal == SIGSEGV ? "dying of SIGSEGV\n" : "wrong\n",
                signal == SIGSEGV ? 17 : 6);
    });
    install_signal_reports(nullptr);
    store_to(16);
  });
  EXPECT_TRUE(r.died_of(SIGSEGV));
  EXPECT_NE(r.message().find("pid PID)\ndying of SIGSEGV\n"), r.err.npos) << r.err;
}

#if !defined(__SANITIZE_THREAD__)  // which blocks all signals in handlers
TEST(SignalReport, CrashWhileReporting) {
  static constexpr ClientApi kCrashing{kPrefix, "",
                                       [](char*, std::size_t) -> std::size_t {
                                         store_to(32);
                                         return 0;
                                       },
                                       _exit, never};
  for (const bool by_fatal : {true, false}) {
    const ChildResult r = run_child([=] {
      set_client_api(&kCrashing);
      install_signal_reports(nullptr);
      if (by_fatal)
        fatal("first");
      else
        abort();
    });
    // The client's identity() is at fault, so it is not called again; the process ends of the crash.
    EXPECT_TRUE(r.died_of(SIGSEGV)) << r.err;
    EXPECT_NE(r.err.find("SIGSEGV (invalid memory access) at address 0x20"), r.err.npos) << r.err;
  }
}
#endif

TEST(SignalReport, CrashesInSeveralThreads) {
  const ChildResult r = report_of([] {
    std::thread threads[4];
    std::uintptr_t address = 0;  // each its own, for ThreadSanitizer
    for (std::thread& t : threads)
      t = std::thread([to = address += 16] {
        use_signal_stack();
        store_to(to);
      });
    for (std::thread& t : threads) t.join();
  });
  EXPECT_TRUE(r.died_of(SIGSEGV));
  EXPECT_EQ(r.err.find("#0 "), r.err.rfind("#0 ")) << "one backtrace\n" << r.err;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(SignalReport, AnEarlierHandlerStays) {
  const ChildResult r = run_child([] {
    signal(SIGSEGV, [](int) { _exit(42); });
    signal(SIGQUIT, SIG_IGN);
    install_signal_reports(nullptr);
    raise(SIGQUIT);
    store_to(16);
  });
  EXPECT_TRUE(r.exited(42));
  EXPECT_EQ(r.err, "");
}
#endif

TEST(SignalReport, AHandlerInstalledLaterReplacesThisOne) {
  const ChildResult r = report_of([] {
    signal(SIGSEGV, [](int) { _exit(42); });
    store_to(16);
  });
  EXPECT_TRUE(r.exited(42));
  EXPECT_EQ(r.err, "");
}

}  // namespace
}  // namespace upcr
