// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/type/compat.hpp"

#include <gtest/gtest.h>

#include "tools/upc2c/type/layout.hpp"
#include "tools/upc2c/type/print.hpp"

namespace upc2c {
namespace {

class Compat : public ::testing::Test {
 protected:
  QualType basic(TypeKind kind) { return types_.basic(kind); }
  QualType shared(QualType type, std::int64_t block = -1) {
    return block < 0 ? types_.qualify(type, kShared)
                     : types_.qualify(type, kShared | kExplicitLayout, static_cast<std::uint32_t>(block));
  }
  QualType pts(TypeKind kind, std::int64_t block = -1) {
    return types_.pointer_to(shared(basic(kind), block));
  }
  Types types_;
};

TEST_F(Compat, EqualTypesAreOneObject) {
  const QualType p = types_.pointer_to(shared(types_.int_type(), 4));
  EXPECT_EQ(p, types_.pointer_to(shared(types_.int_type(), 4)));
  EXPECT_NE(p, types_.pointer_to(shared(types_.int_type(), 5)));
  const QualType params[] = {p, types_.int_type()};
  EXPECT_EQ(types_.function(p, params, false, true), types_.function(p, params, false, true));
  EXPECT_NE(types_.function(p, params, true, true), types_.function(p, params, false, true));
  EXPECT_NE(types_.new_record("s", false), types_.new_record("s", false));
}

TEST_F(Compat, QualifiersOfAnArrayAreItsElements) {
  const QualType array = types_.array_of(types_.array_of(types_.int_type(), Bound::kExtent, {3, false}),
                                         Bound::kExtent, {2, true});
  const QualType a = shared(array, 7);
  EXPECT_EQ(to_upc(a), "shared [7] int [2*THREADS][3]");
  EXPECT_TRUE(a.is_shared());
  EXPECT_FALSE(a.has(kShared));
  EXPECT_EQ(to_upc(types_.decay(a)), "shared [7] int (*)[3]");
  EXPECT_EQ(types_.unqualify(a, kShared), array);
  EXPECT_EQ(element_count(a), (Extent{6, true}));
  EXPECT_EQ(size_of(a), (Extent{24, true}));
}

TEST_F(Compat, LayoutsCompareByValue) {
  EXPECT_TRUE(compatible(pts(TypeKind::kInt), pts(TypeKind::kInt, 1)));
  EXPECT_FALSE(compatible(pts(TypeKind::kInt), pts(TypeKind::kInt, 2)));
  EXPECT_FALSE(compatible(pts(TypeKind::kInt, 0), pts(TypeKind::kInt, 1)));
  EXPECT_FALSE(compatible(pts(TypeKind::kInt), pts(TypeKind::kUInt)));
  EXPECT_FALSE(compatible(pts(TypeKind::kInt), types_.pointer_to(types_.int_type())));
}

TEST_F(Compat, ConversionsOfPointersToShared) {
  const QualType p4 = pts(TypeKind::kInt, 4), p1 = pts(TypeKind::kInt), generic = pts(TypeKind::kVoid),
                 plain = types_.pointer_to(types_.int_type());
  EXPECT_EQ(conversion(p4, p4, false), Conversion::kPts);
  EXPECT_EQ(conversion(p4, p1, false), Conversion::kLayout);
  EXPECT_EQ(conversion(p4, generic, false), Conversion::kPts);
  EXPECT_EQ(conversion(generic, p4, false), Conversion::kPts);
  EXPECT_EQ(conversion(p4, plain, false), Conversion::kToPrivate);
  EXPECT_EQ(conversion(plain, p4, false), Conversion::kToShared);
  EXPECT_EQ(conversion(plain, p4, true), Conversion::kNull);
  EXPECT_EQ(conversion(types_.int_type(), p4, false), Conversion::kIntToPts);
  EXPECT_EQ(conversion(p4, types_.int_type(), false), Conversion::kPtsToInt);
  EXPECT_EQ(conversion(p4, basic(TypeKind::kBool), false), Conversion::kPtsToBool);
  EXPECT_EQ(conversion(p4, basic(TypeKind::kDouble), false), Conversion::kInvalid);
  EXPECT_EQ(conversion(plain, types_.int_type(), false), Conversion::kNone);
  const QualType constant = types_.pointer_to(types_.qualify(shared(types_.int_type(), 4), kConst));
  EXPECT_EQ(conversion(p4, constant, false), Conversion::kPts);
  EXPECT_EQ(conversion(constant, p4, false), Conversion::kDiscards);
}

TEST_F(Compat, ArithmeticConversions) {
  const auto usual = [&](TypeKind a, TypeKind b) {
    return usual_arithmetic(types_, basic(a), basic(b)).kind();
  };
  EXPECT_EQ(usual(TypeKind::kChar, TypeKind::kShort), TypeKind::kInt);
  EXPECT_EQ(usual(TypeKind::kUInt, TypeKind::kLong), TypeKind::kLong);
  EXPECT_EQ(usual(TypeKind::kLongLong, TypeKind::kULong), TypeKind::kULongLong);
  EXPECT_EQ(usual(TypeKind::kInt128, TypeKind::kULong), TypeKind::kInt128);
  EXPECT_EQ(usual(TypeKind::kFloat, TypeKind::kULong), TypeKind::kFloat);
  EXPECT_EQ(usual(TypeKind::kFloat128, TypeKind::kLongDouble), TypeKind::kFloat128);
  EXPECT_EQ(promote(types_, basic(TypeKind::kUInt), 31).kind(), TypeKind::kInt);
  EXPECT_EQ(promote(types_, basic(TypeKind::kUInt), 32).kind(), TypeKind::kUInt);
}

TEST_F(Compat, KindsOfPointersToShared) {
  EXPECT_EQ(pts_kind(pts(TypeKind::kVoid)->inner), PtsKind::kGeneric);
  EXPECT_EQ(pts_kind(pts(TypeKind::kInt, 0)->inner), PtsKind::kIndefinite);
  EXPECT_EQ(pts_kind(pts(TypeKind::kInt)->inner), PtsKind::kCyclic);
  EXPECT_EQ(pts_kind(pts(TypeKind::kInt, 2)->inner), PtsKind::kBlocked);
  EXPECT_EQ(pts_runtime_type(pts(TypeKind::kInt)->inner), "upcr_pshared_ptr_t");
  EXPECT_EQ(pts_runtime_type(pts(TypeKind::kVoid)->inner), "upcr_shared_ptr_t");
}

TEST_F(Compat, BlocksAndLocalSizes) {
  const QualType spread =
      types_.with_block(shared(types_.array_of(types_.int_type(), Bound::kExtent, {10, true})), kStarBlock);
  EXPECT_EQ(star_block(spread, 0), 10);
  const QualType fixed = shared(types_.array_of(types_.int_type(), Bound::kExtent, {10, false}), 4);
  EXPECT_EQ(star_block(fixed, 3), 4);
  EXPECT_EQ(star_block(fixed, 0), std::nullopt);
  EXPECT_EQ(local_size_of(fixed, 2), 32);  // 3 blocks, 2 on thread 0
  EXPECT_EQ(local_size_of(fixed, 0), std::nullopt);
}

}  // namespace

}  // namespace upc2c
