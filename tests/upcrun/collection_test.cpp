// SPDX-License-Identifier: BSD-3-Clause
// The places that collect contributions of a collective: what one process sends in packets, what a place
// below sends in one piece, and mistakes of programs.
#include "tools/upcrun/exchange/collection.hpp"

#include <gtest/gtest.h>

#include <string>

namespace upcrun {
namespace {

using upcr::wire::Header;
using upcr::wire::Type;

TEST(Collection, PacketsOfProcessesInAnyOrder) {
  Collection all(0, 3, 3);
  EXPECT_EQ("", all.add(2, {Type::kGather, 0, 4}, "cc"));
  EXPECT_TRUE(all.begun());
  EXPECT_EQ("", all.add(0, {Type::kGather, 0, 4}, "aaaa"));
  EXPECT_EQ("", all.add(2, {Type::kGather, 0, 4}, "CC"));
  EXPECT_TRUE(all.arrived(2));
  EXPECT_FALSE(all.arrived(1));
  EXPECT_FALSE(all.complete());
  EXPECT_EQ("", all.add(1, {Type::kGather, 0, 4}, "bbbb"));
  ASSERT_TRUE(all.complete());
  const Contribution got = all.take();
  EXPECT_EQ("aaaabbbbccCC", got.bytes);
  EXPECT_EQ(4u, got.header.total);
  EXPECT_FALSE(all.begun());
  EXPECT_FALSE(all.complete());
}

TEST(Collection, APlaceCollectsForTheNextOne) {
  Collection left(0, 2, 5), right(2, 3, 5), root(0, 5, 5);
  for (unsigned i = 0; i < 2; ++i)
    EXPECT_EQ("", left.add(i, {Type::kGather, 0, 1}, std::string(1, static_cast<char>('0' + i))));
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ("", right.add(i, {Type::kGather, 0, 1}, std::string(1, static_cast<char>('2' + i))));
  const Contribution late = right.take(), early = left.take();
  EXPECT_EQ("", root.add_range(2, 3, late.header, late.bytes));
  EXPECT_FALSE(root.complete());
  EXPECT_EQ("", root.add_range(0, 2, early.header, early.bytes));
  ASSERT_TRUE(root.complete());
  EXPECT_EQ("01234", root.take().bytes);
}

TEST(Collection, ABroadcastCarriesTheRootsBytesAlone) {
  for (const int root : {0, 3}) {
    Collection left(0, 2, 4), right(2, 2, 4), all(0, 4, 4);
    const auto header = [root](unsigned rank) {
      return Header{Type::kBroadcast, root, static_cast<int>(rank) == root ? 5u : 0u};
    };
    const auto bytes = [root](unsigned rank) { return static_cast<int>(rank) == root ? "hello" : ""; };
    for (unsigned i = 0; i < 2; ++i) {
      EXPECT_EQ("", left.add(i, header(i), bytes(i)));
      EXPECT_EQ("", right.add(i, header(2 + i), bytes(2 + i)));
    }
    const Contribution one = left.take(), two = right.take();
    EXPECT_EQ(5u, one.bytes.size() + two.bytes.size());
    EXPECT_EQ("", all.add_range(2, 2, two.header, two.bytes));
    EXPECT_EQ("", all.add_range(0, 2, one.header, one.bytes));
    EXPECT_TRUE(all.complete());
    EXPECT_EQ("hello", all.take().bytes);
  }
}

TEST(Collection, Barriers) {
  Collection all(0, 2, 2);
  EXPECT_EQ("", all.add(0, {Type::kBarrier, 0, 0}, ""));
  EXPECT_EQ("", all.add(1, {Type::kBarrier, 0, 0}, ""));
  ASSERT_TRUE(all.complete());
  EXPECT_EQ(Type::kBarrier, all.take().header.type);
}

TEST(Collection, Mistakes) {
  const auto begun = [] {
    Collection all(0, 4, 4);
    (void)all.add(0, {Type::kGather, 0, 2}, "ab");
    return all;
  };
  EXPECT_NE("", begun().add(0, {Type::kGather, 0, 2}, "ab"));     // twice
  EXPECT_NE("", begun().add(1, {Type::kBarrier, 0, 0}, ""));      // another collective
  EXPECT_NE("", begun().add(1, {Type::kGather, 0, 3}, "abc"));    // another size
  EXPECT_NE("", begun().add(1, {Type::kGather, 0, 2}, "abc"));    // more than announced
  EXPECT_NE("", begun().add(1, {Type::kBroadcast, 0, 2}, "ab"));  // another collective
  EXPECT_NE("", begun().add_range(0, 2, {Type::kGather, 0, 2}, "abab"));
  EXPECT_NE("", begun().add_range(1, 2, {Type::kGather, 0, 2}, "aba"));
  EXPECT_NE("", begun().add_range(1, 2, {Type::kFinalize, 0, 0}, ""));
  EXPECT_NE("", Collection(0, 4, 4).add(0, {Type::kGather, 0, kMaxCollectiveBytes / 2}, ""));
  EXPECT_NE("", Collection(0, 4, 4).add(0, {Type::kBroadcast, 0, kMaxCollectiveBytes + 1}, ""));
  Collection broadcast(0, 2, 2);
  EXPECT_EQ("", broadcast.add(0, {Type::kBroadcast, 0, 1}, "x"));
  EXPECT_NE("", broadcast.add(1, {Type::kBroadcast, 1, 1}, "y"));  // another root
  EXPECT_NE("", broadcast.add(1, {Type::kBroadcast, 0, 1}, "y"));  // not the root
}

}  // namespace
}  // namespace upcrun
