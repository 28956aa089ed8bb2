// SPDX-License-Identifier: BSD-3-Clause
// Backtraces and the names in them.
#include "conduits/core/base/report/backtrace.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "conduits/core/base/symbols/source_lines.hpp"
#include "conduits/core/base/symbols/symbols.hpp"

namespace upcr {
namespace {

// Static functions are in the file's full symbol table only.
__attribute__((noinline, noclone)) const void* return_address() { return __builtin_return_address(0); }

std::string location_of(const void* pc, bool is_return) {
  char buf[512];
  SafeText text(buf, sizeof buf);
  add_code_location(text, pc, is_return);
  return text.data();
}

TEST(Symbols, NamesAStaticFunctionItsFileAndTheOffset) {
  const std::string text = location_of(reinterpret_cast<const void*>(&return_address), false);
  EXPECT_EQ(text.rfind("upcr::return_address+0x0 (", 0), 0u) << text;
  EXPECT_NE(text.find("unit_backtrace 0x"), std::string::npos) << text;
}

TEST(Symbols, NamesAFunctionOfALibrary) {
  const std::string text = location_of(reinterpret_cast<const void*>(&::getpid), false);
  EXPECT_NE(text.find("libc"), std::string::npos) << text;
}

TEST(Symbols, AReturnAddressBelongsToTheCallBeforeIt) {
  // The first byte of a function, as a return address, follows the last call of the function before it.
  const std::string text = location_of(reinterpret_cast<const void*>(&return_address), true);
  EXPECT_EQ(text.find("return_address"), std::string::npos) << text;
}

TEST(Symbols, AnAddressWithoutAFileIsANumber) {
  EXPECT_EQ(location_of(reinterpret_cast<const void*>(std::size_t{0x10}), false), "0x10");
}

// What print_backtrace() and the like write.
template <typename Print>
std::string written_by(Print&& print) {
  int fds[2];
  EXPECT_EQ(::pipe(fds), 0);
  print(fds[1]);
  ::close(fds[1]);
  std::string text(64 << 10, '\0');
  std::size_t size = 0;
  for (ssize_t n; (n = ::read(fds[0], text.data() + size, text.size() - size)) > 0;)
    size += static_cast<std::size_t>(n);
  ::close(fds[0]);
  text.resize(size);
  return text;
}

TEST(Backtrace, StartsAtItsCaller) {
  const std::string text = written_by([](int fd) { print_backtrace(fd); });
  EXPECT_NE(text.substr(0, text.find('\n')).find("] #0 "), std::string::npos) << text;
  EXPECT_NE(text.find("StartsAtItsCaller"), std::string::npos) << text;
}

TEST(Backtrace, EndsAtMain) {
  const std::string text = written_by([](int fd) { print_backtrace(fd); });
  const std::string last = text.substr(text.rfind("] #"));
  EXPECT_NE(last.find(" main+0x"), std::string::npos) << text;
}

bool has_addr2line() {
  return ::access("/usr/bin/addr2line", X_OK) == 0 || ::access("/usr/local/bin/addr2line", X_OK) == 0;
}

int inlined_line = 0, outer_line = 0;
__attribute__((always_inline)) inline void inlined_caller(int fd) {
  inlined_line = __LINE__ + 1;
  print_backtrace(fd);
}
__attribute__((noinline)) void outer_function(int fd) {
  outer_line = __LINE__ + 1;
  inlined_caller(fd);
  asm volatile("" ::: "memory");
}

TEST(Backtrace, NamesLinesAlsoOfInlinedFunctions) {
  if (!has_addr2line()) GTEST_SKIP() << "there is no addr2line here";
  const std::string text = written_by([](int fd) { outer_function(fd); });
  const std::string inlined = text.substr(0, text.find('\n'));
  EXPECT_TRUE(inlined.ends_with(" (inlined)")) << text;
  EXPECT_NE(inlined.find("backtrace_test.cpp:" + std::to_string(inlined_line)), std::string::npos) << text;
  const std::size_t second = inlined.size() + 1;
  const std::string outer = text.substr(second, text.find('\n', second) - second);
  EXPECT_NE(outer.find("] #1 "), std::string::npos) << text;
  EXPECT_NE(outer.find("outer_function+0x"), std::string::npos) << text;
  EXPECT_NE(outer.find("backtrace_test.cpp:" + std::to_string(outer_line)), std::string::npos) << text;
}

TEST(SourceLines, KnowsNothingOfAnAddressWithoutCode) {
  if (!has_addr2line()) GTEST_SKIP() << "there is no addr2line here";
  const auto lines = std::make_unique<SourceLines>();
  const std::uint64_t addresses[] = {1, 2};
  EXPECT_TRUE(lines->ask("/proc/self/exe", addresses, 2));
  SourceLines::Place place;
  EXPECT_FALSE(lines->place(0, 0, &place) && !place.line.empty());
  EXPECT_FALSE(lines->place(2, 0, &place));
}

TEST(SourceLines, AFileThatIsNoneHasNoLines) {
  const auto lines = std::make_unique<SourceLines>();
  const std::uint64_t address = 1;
  (void)lines->ask("/dev/null", &address, 1);
  SourceLines::Place place;
  EXPECT_FALSE(lines->place(0, 0, &place));
}

}  // namespace
}  // namespace upcr
