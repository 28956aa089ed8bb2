// SPDX-License-Identifier: BSD-3-Clause
// There are no hooks in a program that has its own definition of a function that they would redirect, as some
// allocators do: its system calls would not be seen.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>

#include "conduits/net/ibv/watch/process_watch.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these define it themselves
extern "C" [[gnu::visibility("default")]] int munmap(void* at, std::size_t bytes) noexcept {
  return static_cast<int>(syscall(SYS_munmap, at, bytes));
}
#endif

namespace upcr::ibv {
namespace {

TEST(Hooks, WhereTheProgramDefinesAFunctionItself) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "there are no hooks with a sanitizer";
#endif
  std::string why;
  EXPECT_EQ(process_watch("hooks", &why), nullptr);
  EXPECT_NE(why.find("munmap"), std::string::npos) << why;
}

}  // namespace
}  // namespace upcr::ibv
