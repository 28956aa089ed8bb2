// SPDX-License-Identifier: BSD-3-Clause
// Backtraces and the names in them.
#include "conduits/core/base/report/backtrace.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <string>

#include "conduits/core/base/system/symbols.hpp"

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

TEST(Backtrace, StartsAtItsCaller) {
  int fds[2];
  ASSERT_EQ(::pipe(fds), 0);
  print_backtrace(fds[1]);
  ::close(fds[1]);
  std::string text(64 << 10, '\0');
  std::size_t size = 0;
  for (ssize_t n; (n = ::read(fds[0], text.data() + size, text.size() - size)) > 0;)
    size += static_cast<std::size_t>(n);
  ::close(fds[0]);
  text.resize(size);
  const std::string first = text.substr(0, text.find('\n'));
  EXPECT_NE(first.find("] #0 "), std::string::npos) << text;
  EXPECT_NE(first.find("StartsAtItsCaller"), std::string::npos) << text;
}

}  // namespace
}  // namespace upcr
