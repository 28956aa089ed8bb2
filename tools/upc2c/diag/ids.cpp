// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/diag/ids.hpp"

#include <algorithm>
#include <iterator>

namespace upc2c {
namespace {

constexpr auto kErr = Severity::kError;
constexpr auto kWarn = Severity::kWarning;
constexpr auto kOff = Severity::kIgnored;

/* clang-format off */
constexpr DiagInfo kTable[] = {
  {Diag::kSyntax, "D-SYNTAX", "", kErr},
  {Diag::kKey, "D-KEY", "", kErr},
  {Diag::kUndeclared, "D-UNDECLARED", "", kErr},
  {Diag::kRedefinition, "D-REDEFINITION", "", kErr},
  {Diag::kIncomplete, "D-INCOMPLETE", "", kErr},
  {Diag::kOperand, "D-OPERAND", "", kErr},
  {Diag::kCall, "D-CALL", "", kErr},
  {Diag::kConversion, "D-CONVERSION", "", kErr},
  {Diag::kMember, "D-MEMBER", "", kErr},
  {Diag::kLvalue, "D-LVALUE", "", kErr},
  {Diag::kDiscardedQualifiers, "D-DISCARDED-QUALIFIERS", "discarded-qualifiers", kWarn},
  {Diag::kIntConversion, "D-INT-CONVERSION", "int-conversion", kWarn},
  {Diag::kImplicitInt, "D-IMPLICIT-INT", "implicit-int", kWarn},
  {Diag::kImplicitFunction, "D-IMPLICIT-FUNCTION", "implicit-function-declaration", kWarn},
  {Diag::kConst, "D-CONST", "", kErr},
  {Diag::kUnknown, "D-UNKNOWN", "", kErr},
  {Diag::kMacro, "D-MACRO", "", kErr},
  {Diag::kMain, "D-MAIN", "main", kWarn},
  {Diag::kLayDup, "D-LAY-DUP", "", kErr},
  {Diag::kLayBig, "D-LAY-BIG", "", kErr},
  {Diag::kLayNeg, "D-LAY-NEG", "", kErr},
  {Diag::kLayConst, "D-LAY-CONST", "", kErr},
  {Diag::kLayVoid, "D-LAY-VOID", "", kErr},
  {Diag::kStarPtr, "D-STAR-PTR", "", kErr},
  {Diag::kStarTypedef, "D-STAR-TYPEDEF", "", kErr},
  {Diag::kStarCast, "D-STAR-CAST", "", kErr},
  {Diag::kStarParam, "D-STAR-PARAM", "", kErr},
  {Diag::kStarIncomplete, "D-STAR-INCOMPLETE", "", kErr},
  {Diag::kModeDup, "D-MODE-DUP", "", kErr},
  {Diag::kModeNoshr, "D-MODE-NOSHR", "", kErr},
  {Diag::kShrFunc, "D-SHR-FUNC", "", kErr},
  {Diag::kShrRet, "D-SHR-RET", "", kErr},
  {Diag::kShrAuto, "D-SHR-AUTO", "", kErr},
  {Diag::kShrParam, "D-SHR-PARAM", "", kErr},
  {Diag::kShrField, "D-SHR-FIELD", "", kErr},
  {Diag::kShrTls, "D-SHR-TLS", "", kErr},
  {Diag::kShrLit, "D-SHR-LIT", "", kErr},
  {Diag::kShrVla, "D-SHR-VLA", "", kErr},
  {Diag::kShrBuiltin, "D-SHR-BUILTIN", "", kErr},
  {Diag::kShrRestrict, "D-SHR-RESTRICT", "", kErr},
  {Diag::kShrVoid, "D-SHR-VOID", "", kErr},
  {Diag::kThrNone, "D-THR-NONE", "", kErr},
  {Diag::kThrTwice, "D-THR-TWICE", "", kErr},
  {Diag::kThrForm, "D-THR-FORM", "", kErr},
  {Diag::kThrAssoc, "D-THR-ASSOC", "pedantic-upc", kOff},
  {Diag::kThrIndef, "D-THR-INDEF", "upc-threads-indefinite", kWarn},
  {Diag::kThrLv, "D-THR-LV", "", kErr},
  {Diag::kRedecl, "D-REDECL", "", kErr},
  {Diag::kSizeNoshr, "D-SIZE-NOSHR", "", kErr},
  {Diag::kSizeofConst, "D-SIZEOF-CONST", "", kErr},
  {Diag::kAriMixed, "D-ARI-MIXED", "", kErr},
  {Diag::kAriBlock, "D-ARI-BLOCK", "", kErr},
  {Diag::kAriType, "D-ARI-TYPE", "", kErr},
  {Diag::kAriVoid, "D-ARI-VOID", "", kErr},
  {Diag::kAriIncomplete, "D-ARI-INCOMPLETE", "", kErr},
  {Diag::kCmpMixed, "D-CMP-MIXED", "", kErr},
  {Diag::kCmpBlock, "D-CMP-BLOCK", "upc-block-compare", kErr},
  {Diag::kCmpVoid, "D-CMP-VOID", "", kErr},
  {Diag::kCnvLayout, "D-CNV-LAYOUT", "upc-incompatible-pointers", kErr},
  {Diag::kCnvLocal, "D-CNV-LOCAL", "", kErr},
  {Diag::kCnvShared, "D-CNV-SHARED", "", kErr},
  {Diag::kCnvInt, "D-CNV-INT", "", kErr},
  {Diag::kCnvQual, "D-CNV-QUAL", "discarded-qualifiers", kWarn},
  {Diag::kCnvMode, "D-CNV-MODE", "upc-access-mode", kOff},
  {Diag::kCastShared, "D-CAST-SHARED", "", kErr},
  {Diag::kCastInt, "D-CAST-INT", "", kErr},
  {Diag::kCastQual, "D-CAST-QUAL", "", kErr},
  {Diag::kPtsInt, "D-PTS-INT", "upc-pts-to-int", kWarn},
  {Diag::kPtsVariadic, "D-PTS-VARIADIC", "upc-pts-variadic", kWarn},
  {Diag::kPrgPlace, "D-PRG-PLACE", "upc-pragma", kWarn},
  {Diag::kPrgWord, "D-PRG-WORD", "upc-pragma", kWarn},
  {Diag::kBarType, "D-BAR-TYPE", "", kErr},
  {Diag::kBarOrder, "D-BAR-ORDER", "upc-barrier-order", kWarn},
  {Diag::kBarExpr, "D-BAR-EXPR", "", kErr},
  {Diag::kForType, "D-FOR-TYPE", "", kErr},
  {Diag::kForExit, "D-FOR-EXIT", "upc-forall-exit", kWarn},
  {Diag::kForEnter, "D-FOR-ENTER", "upc-forall-exit", kWarn},
  {Diag::kForNested, "D-FOR-NESTED", "upc-forall-nested", kOff},
  {Diag::kForCollective, "D-FOR-COLLECTIVE", "upc-collective-in-forall", kWarn},
  {Diag::kForNegative, "D-FOR-NEGATIVE", "upc-negative-affinity", kWarn},
  {Diag::kIniConst, "D-INI-CONST", "", kErr},
  {Diag::kIniCount, "D-INI-COUNT", "", kErr},
  {Diag::kLinkType, "D-LINK-TYPE", "", kErr},
  {Diag::kLibArg, "D-LIB-ARG", "", kErr},
  {Diag::kHeapSize, "D-HEAP-SIZE", "upc-heap-size", kOff},
  {Diag::kLoop, "D-LOOP", "", Severity::kRemark},
  {Diag::kFetched, "D-FETCHED", "", Severity::kRemark},
  {Diag::kOnce, "D-ONCE", "", Severity::kRemark},
  {Diag::kFoundOnce, "D-FOUND-ONCE", "", Severity::kRemark},
  {Diag::kAgain, "D-AGAIN", "", Severity::kRemark},
};
/* clang-format on */

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kTable); i++)
    if (static_cast<std::size_t>(kTable[i].diag) != i) return false;
  return std::size(kTable) == static_cast<std::size_t>(Diag::kCount);
}
static_assert(in_order(), "kTable has one row for each Diag, in its order");

}  // namespace

const DiagInfo& info(Diag diag) { return kTable[static_cast<std::size_t>(diag)]; }

bool is_group(std::string_view group) {
  return !group.empty() && std::any_of(std::begin(kTable), std::end(kTable),
                                       [&](const DiagInfo& row) { return row.group == group; });
}

}  // namespace upc2c
