// SPDX-License-Identifier: BSD-3-Clause
// What a collective has gathered: memory of the process, or a mapping, which goes with the last owner.
#include "conduits/core/bootstrap/table.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace upcr {
namespace {

bool is_mapped(const void* at) {
  unsigned char resident = 0;
  return ::mincore(const_cast<void*>(at), 1, &resident) == 0;
}

TEST(Table, OwnMemory) {
  std::vector<char> bytes(8);
  bytes[4] = 7;
  const Table table(std::move(bytes));
  EXPECT_FALSE(table.shared());
  ASSERT_EQ(2u, table.of<std::uint32_t>().size());
  EXPECT_EQ(7u, table.of<std::uint32_t>()[1]);
  EXPECT_EQ(0u, Table().bytes());
}

TEST(Table, AMappingLivesAsLongAsItsOwner) {
  void* const at = ::mmap(nullptr, 100, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(MAP_FAILED, at);
  Table outer;
  {
    Table inner(at, 100);
    EXPECT_TRUE(inner.shared());
    outer = std::move(inner);
  }
  EXPECT_TRUE(is_mapped(at));
  EXPECT_EQ(at, outer.data());
  EXPECT_EQ(100u, outer.bytes());
  outer = Table();
  EXPECT_FALSE(is_mapped(at));
}

}  // namespace
}  // namespace upcr
