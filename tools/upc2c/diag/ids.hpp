// SPDX-License-Identifier: BSD-3-Clause
// The diagnostics: one entry a message, with the id that is printed, its group for -W and its default
// severity.
#pragma once
#include <cstdint>
#include <string_view>

namespace upc2c {

enum class Severity : std::uint8_t { kIgnored, kNote, kRemark, kWarning, kError };

/* clang-format off */
enum class Diag : std::uint8_t {
  // Lexical and syntax.
  kSyntax, kKey,
  // C's constraints, as far as they are checked.
  kUndeclared, kRedefinition, kIncomplete, kOperand, kCall, kConversion, kMember, kLvalue, kDiscardedQualifiers,
  kIntConversion, kImplicitInt, kImplicitFunction, kConst, kUnknown, kMacro, kMain,
  // Layout qualifiers and shared declarations.
  kLayDup, kLayBig, kLayNeg, kLayConst, kLayVoid, kStarPtr, kStarTypedef, kStarCast, kStarParam, kStarIncomplete,
  kModeDup, kModeNoshr, kShrFunc, kShrRet, kShrAuto, kShrParam, kShrField, kShrTls, kShrLit, kShrVla, kShrBuiltin,
  kShrRestrict,
  kShrVoid, kThrNone, kThrTwice, kThrForm, kThrAssoc, kThrIndef, kThrLv, kRedecl, kSizeNoshr, kSizeofConst,
  // Operators and conversions of pointers-to-shared.
  kAriMixed, kAriBlock, kAriType, kAriVoid, kAriIncomplete, kCmpMixed, kCmpBlock, kCmpVoid, kCnvLayout, kCnvLocal,
  kCnvShared, kCnvInt, kCnvQual, kCnvMode, kCastShared, kCastInt, kCastQual, kPtsInt, kPtsVariadic,
  // Pragmas and statements.
  kPrgPlace, kPrgWord, kBarType, kBarOrder, kBarExpr, kForType, kForExit, kForEnter, kForNested, kForCollective,
  kForNegative,
  // Initialisers, linkage, library.
  kIniConst, kIniCount, kLinkType, kLibArg, kHeapSize,
  // The result of a loop's transformation; reads that are fetched together; what is read or found once, or again.
  kLoop, kFetched, kOnce, kFoundOnce, kAgain,
  kCount
};
/* clang-format on */

struct DiagInfo {
  Diag diag;
  std::string_view id;     // "D-LAY-DUP"
  std::string_view group;  // of -W, "upc-heap-size"; "" for what can be neither silenced nor promoted
  Severity severity;       // by default
};

const DiagInfo& info(Diag diag);
bool is_group(std::string_view group);

}  // namespace upc2c
