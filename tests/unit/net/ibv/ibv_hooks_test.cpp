// SPDX-License-Identifier: BSD-3-Clause
// How functions are redirected, and when hooks are installed: where userfaultfd is forbidden, not where code
// may not be changed; and that they are not trusted any more once another library has taken a function over.
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "conduits/net/ibv/hooks/code_patch.hpp"
#include "conduits/net/ibv/watch/process_watch.hpp"
#include "tests/support/child.hpp"

namespace upcr::ibv {
namespace {

#if defined(__x86_64__)
// Functions that return 1, each with 16 bytes of code.
asm(R"(
  .text
  .balign 64
plain:    mov $1, %eax
          ret
          .skip 10, 0x90
with_pad: .byte 0xf3, 0x0f, 0x1e, 0xfa
          mov $1, %eax
          ret
          .skip 6, 0x90
jumping:  jmp plain
          .balign 16, 0x90
          .skip 12, 0x90
across:   mov $1, %eax
          ret
          .skip 30, 0x90
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .balign 64
plain:    mov w0, #1
          ret
          nop
          nop
with_pad: hint #34
          mov w0, #1
          ret
          nop
jumping:  b plain
          nop
          nop
          nop
across:   mov w0, #1
          ret
          nop
          nop
)");
#endif
extern "C" {
int plain();
int with_pad();
int jumping();
int across();  // its first instruction crosses cache lines
}
constexpr std::size_t kBytes = 16;
int replacement() { return 2; }

class CodePatchTest : public testing::Test {
 public:
  void SetUp() override {
    ASSERT_TRUE(stubs.open(address(plain)));
    stub = stubs.add(address(replacement));
    ASSERT_NE(stub, nullptr);
    ASSERT_TRUE(stubs.seal());
  }
  static void* address(int (*function)()) { return reinterpret_cast<void*>(function); }
  // Through a pointer that the compiler does not see through.
  static int call(int (*function)()) {
    int (*volatile hidden)() = function;
    return hidden();
  }
  CodeStubs stubs;
  const void* stub = nullptr;
  CodePatch patch;
};

TEST_F(CodePatchTest, ThereAndBack) {
  ASSERT_TRUE(patch.prepare(address(plain), kBytes, stub));
  EXPECT_FALSE(patch.is_there());
  EXPECT_EQ(call(plain), 1);
  ASSERT_TRUE(patch.apply());
  EXPECT_TRUE(patch.is_there());
  EXPECT_EQ(call(plain), 2);
  EXPECT_EQ(call(jumping), 2) << "calls within the library, too";
  EXPECT_EQ(call(with_pad), 1) << "its neighbour is as it was";
  CodePatch second;
  EXPECT_FALSE(second.prepare(address(plain), kBytes, stub)) << "it is redirected already";
  ASSERT_TRUE(patch.revert());
  EXPECT_FALSE(patch.is_there());
  EXPECT_EQ(call(plain), 1);
}

TEST_F(CodePatchTest, LandingPadStays) {
  char before[4], after[4];
  std::memcpy(before, address(with_pad), 4);
  ASSERT_TRUE(patch.prepare(address(with_pad), kBytes, stub));
  ASSERT_TRUE(patch.apply());
  std::memcpy(after, address(with_pad), 4);
  EXPECT_EQ(std::memcmp(before, after, 4), 0);
  EXPECT_EQ(call(with_pad), 2);
  ASSERT_TRUE(patch.revert());
  EXPECT_EQ(call(with_pad), 1);
}

TEST_F(CodePatchTest, WhatCannotBeRedirected) {
  EXPECT_FALSE(patch.prepare(address(jumping), kBytes, stub));
  EXPECT_FALSE(patch.prepare(address(plain), 5, stub)) << "shorter than what is written";
  EXPECT_FALSE(patch.prepare(address(plain), kBytes, reinterpret_cast<void*>(16))) << "out of reach";
#if defined(__x86_64__)
  EXPECT_FALSE(patch.prepare(address(across), kBytes, stub)) << "cannot be written at once";
#endif
}

// The code stays executable and never writable for longer than it takes.
TEST_F(CodePatchTest, TheCodeIsNotWritableAfterwards) {
  ASSERT_TRUE(patch.prepare(address(plain), kBytes, stub));
  ASSERT_TRUE(patch.apply());
  // A process that writes there dies (of a signal, or of its sanitizer).
  const auto writable = [](const void* at) {
    return test::run_child([at] { *static_cast<volatile char*>(const_cast<void*>(at)) = 0; }).exited(0);
  };
  EXPECT_FALSE(writable(address(plain)));
  EXPECT_FALSE(writable(stub));
  ASSERT_TRUE(patch.revert());
  EXPECT_FALSE(writable(address(plain)));
}

TEST_F(CodePatchTest, WhileOtherThreadsCallIt) {
  ASSERT_TRUE(patch.prepare(address(plain), kBytes, stub));
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> seen[3] = {};
  std::thread other([&] {
    while (!stop) {
      const int got = call(plain);
      ++seen[got == 1 || got == 2 ? got : 0];
    }
  });
  for (unsigned i = 0; i < 2000 || seen[1] == 0 || seen[2] == 0; ++i) {
    ASSERT_TRUE(patch.apply());
    synchronize_code();
    if (i % 100 == 0) std::this_thread::yield();
    ASSERT_TRUE(patch.revert());
    synchronize_code();
    if (i % 100 == 0) std::this_thread::yield();
  }
  stop = true;
  other.join();
  EXPECT_EQ(seen[0], 0u);
}

// -- the hooks, in children, because a process installs them once

const char* expect_watch(const char* setting, const char* name) {
  static std::string why;
  ProcessWatch* watch = process_watch(setting, &why);
  const std::string got = watch == nullptr ? "none" : watch->name();
  if (got != name) {
    std::fprintf(stderr, "%s and not %s: %s\n", got.c_str(), name, why.c_str());
    _exit(1);
  }
  return why.c_str();
}

bool has_sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

// As Docker's default profile does.
void forbid_userfaultfd() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit(77);
}

TEST(Hooks, WhereUserfaultfdIsForbidden) {
  const test::ChildResult child = test::run_child([] {
    forbid_userfaultfd();
    expect_watch("userfaultfd", "none");
    std::fputs(expect_watch("auto", has_sanitizer() ? "none" : "hooks"), stdout);
  });
  if (child.exited(77)) GTEST_SKIP() << "seccomp filters cannot be installed here";
  EXPECT_TRUE(child.exited(0)) << child.err;
  EXPECT_NE(child.out.find("userfaultfd: Operation not permitted"), std::string::npos) << child.out;
}

TEST(Hooks, WhereTheyAreNotWanted) {
  const test::ChildResult child = test::run_child([] {
    const char* const code = reinterpret_cast<const char*>(&munmap);
    char before[16];
    std::memcpy(before, code, sizeof before);
    std::fputs(expect_watch("no", "none"), stdout);
    if (std::memcmp(before, code, sizeof before) != 0) _exit(2);
  });
  EXPECT_TRUE(child.exited(0)) << child.err;
  EXPECT_EQ(child.out, "UPCR_IBV_WATCH=no");
}

TEST(Hooks, WhereCodeMayNotBeChanged) {
  constexpr int kSetMdwe = 65, kRefuseExecGain = 1;  // Linux 6.3; systemd's MemoryDenyWriteExecute
  const test::ChildResult child = test::run_child([] {
    if (prctl(kSetMdwe, kRefuseExecGain, 0, 0, 0) != 0) _exit(77);
    std::fputs(expect_watch("hooks", "none"), stdout);
    void* at = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || munmap(at, 4096) != 0 || munmap(at, 0) != -1) _exit(2);
  });
  if (child.exited(77)) GTEST_SKIP() << "this kernel cannot refuse it";
  EXPECT_TRUE(child.exited(0)) << child.err;
  if (!has_sanitizer()) EXPECT_NE(child.out.find("cannot be changed"), std::string::npos) << child.out;
}

TEST(Hooks, WhatAnotherLibraryTakesOver) {
  if (has_sanitizer()) GTEST_SKIP() << "there are no hooks with a sanitizer";
  const test::ChildResult child = test::run_child([] {
    expect_watch("hooks", "hooks");
    std::string why;
    ProcessWatch* watch = process_watch("hooks", &why);
    if (!watch->events_drained()) _exit(2);
    class Range final : public ChangeListener {
     public:
      void changed(std::uintptr_t first, std::uintptr_t last) noexcept override { begin = first, end = last; }
      std::uintptr_t begin = 1, end = 1;
    } everything;
    watch->add(everything);
    // A far jump over the entry point, as other libraries write it. It is never executed here.
    const auto at = reinterpret_cast<std::uintptr_t>(&madvise);
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    void* const pages = reinterpret_cast<void*>(at / page * page);
    if (syscall(SYS_mprotect, pages, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) _exit(3);
    char ours[13];
    std::memcpy(ours, reinterpret_cast<void*>(at), sizeof ours);
    std::memset(reinterpret_cast<void*>(at), 0x49, sizeof ours);
    if (watch->events_drained()) _exit(4);
    if (everything.begin != 0 || everything.end < UINTPTR_MAX / 2) _exit(5);  // all of it may have changed
    // What was called meanwhile has not been seen.
    std::memcpy(reinterpret_cast<void*>(at), ours, sizeof ours);
    if (watch->events_drained()) _exit(6);
  });
  EXPECT_TRUE(child.exited(0)) << child.wait_status << child.err;
}

TEST(Hooks, WhatAnotherLibraryHasTakenOverBefore) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the code below is x86-64's";
#endif
  if (has_sanitizer()) GTEST_SKIP() << "there are no hooks with a sanitizer";
  const test::ChildResult child = test::run_child([] {
    const auto at = reinterpret_cast<std::uintptr_t>(&mremap);
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    void* const pages = reinterpret_cast<void*>(at / page * page);
    if (syscall(SYS_mprotect, pages, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) _exit(3);
    static const char kFarJump[] = "\x49\xbb\0\0\0\0\0\0\0\0\x41\xff\xe3";  // mov r11, 0; jmp *r11
    std::memcpy(reinterpret_cast<void*>(at), kFarJump, 13);
    char munmap_code[16];
    std::memcpy(munmap_code, reinterpret_cast<const void*>(&munmap), sizeof munmap_code);
    std::fputs(expect_watch("hooks", "none"), stdout);
    if (std::memcmp(munmap_code, reinterpret_cast<const void*>(&munmap), sizeof munmap_code) != 0) _exit(2);
  });
  EXPECT_TRUE(child.exited(0)) << child.wait_status << child.err;
  EXPECT_NE(child.out.find("mremap"), std::string::npos) << child.out;
  EXPECT_NE(child.out.find("another library"), std::string::npos) << child.out;
}

}  // namespace
}  // namespace upcr::ibv
