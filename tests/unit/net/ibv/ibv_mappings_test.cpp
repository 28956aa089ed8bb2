// SPDX-License-Identifier: BSD-3-Clause
// The mappings of this process, as the kernel lists them.
#include "conduits/net/ibv/watch/mappings.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace upcr::ibv {
namespace {

const std::size_t kPage = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

TEST(Mappings, Lines) {
  Mapping m;
  ASSERT_TRUE(parse_mapping("7f1c2a600000-7f1c2a800000 rw-p 00000000 00:00 0 ", &m));
  EXPECT_EQ(m.begin, 0x7f1c2a600000u);
  EXPECT_EQ(m.end, 0x7f1c2a800000u);
  EXPECT_TRUE(m.anonymous);
  const auto anonymous = [&](const char* line) { return parse_mapping(line, &m) && m.anonymous; };
  EXPECT_TRUE(anonymous("55d0-55e0 rw-p 00000000 00:00 0                          [heap]"));
  EXPECT_TRUE(anonymous("55d0-55e0 r--p 00000000 00:0f 1234                       /anon_hugepage (deleted)"));
  EXPECT_FALSE(
      anonymous("55d0-55e0 rw-s 00000000 00:0f 1234                       /anon_hugepage (deleted)"));
  EXPECT_FALSE(anonymous("55d0-55e0 rw-s 00000000 00:01 77                         /dev/zero (deleted)"));
  EXPECT_FALSE(anonymous("55d0-55e0 r-xp 00002000 fe:00 77                         /usr/bin/cat"));
  EXPECT_FALSE(parse_mapping("", &m));
  EXPECT_FALSE(parse_mapping("VmFlags: rd wr", &m));
}

TEST(Mappings, OfARange) {
  char* at = static_cast<char*>(
      mmap(nullptr, 6 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(at + 2 * kPage, 2 * kPage, PROT_NONE);
  const auto a = reinterpret_cast<std::uintptr_t>(at);
  Mapping m[3];
  ASSERT_EQ(mappings_of(a + kPage, a + 5 * kPage, m, 3), 3u);
  EXPECT_LE(m[0].begin, a);
  EXPECT_EQ(m[1].begin, a + 2 * kPage);
  EXPECT_EQ(m[1].end, a + 4 * kPage);
  EXPECT_GE(m[2].end, a + 6 * kPage);
  EXPECT_EQ(mappings_of(a, a + 6 * kPage, m, 2), 0u) << "too many";
  EXPECT_EQ(mappings_of(a + 2 * kPage, a + 4 * kPage, m, 2), 1u);
  munmap(at + 3 * kPage, kPage);
  EXPECT_EQ(mappings_of(a, a + 6 * kPage, m, 3), 0u) << "a hole";
  munmap(at, 6 * kPage);
}

}  // namespace
}  // namespace upcr::ibv
