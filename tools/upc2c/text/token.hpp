// SPDX-License-Identifier: BSD-3-Clause
// Tokens of preprocessed C and UPC: kinds, the token itself and ranges of tokens.
#pragma once
#include <cstdint>
#include <string_view>

#include "tools/upc2c/text/names.hpp"

namespace upc2c {

// Keywords that are spelled in several ways (const, __const, __const__) have one kind.
/* clang-format off */
enum class Tok : std::uint8_t {
  kEnd, kIdentifier, kNumber, kCharacter, kString, kOther,  // kOther: a byte that begins no token of C
  // Punctuators.
  kLParen, kRParen, kLBracket, kRBracket, kLBrace, kRBrace, kSemicolon, kComma, kDot, kArrow, kEllipsis, kColon, kQuestion,
  kPlus, kMinus, kStar, kSlash, kPercent, kAmp, kPipe, kCaret, kTilde, kBang, kLess, kGreater,
  kLessEqual, kGreaterEqual, kEqualEqual, kBangEqual, kAmpAmp, kPipePipe, kShiftLeft, kShiftRight, kPlusPlus, kMinusMinus,
  kEqual, kPlusEqual, kMinusEqual, kStarEqual, kSlashEqual, kPercentEqual, kAmpEqual, kPipeEqual, kCaretEqual,
  kShiftLeftEqual, kShiftRightEqual, kHash,
  // Type specifiers.
  kVoid, kChar, kShort, kInt, kLong, kFloat, kDouble, kSigned, kUnsigned, kBool, kComplex, kImaginary, kInt128,
  kFloat16, kFloat32, kFloat64, kFloat128, kFloat32x, kFloat64x, kFloat80, kBFloat16, kDecimal32, kDecimal64, kDecimal128,
  kStruct, kUnion, kEnum, kTypeof, kAutoType,
  // Qualifiers; kAtomic is a specifier too.
  kConst, kVolatile, kRestrict, kAtomic, kShared, kStrict, kRelaxed,
  // Storage classes and function specifiers.
  kTypedef, kExtern, kStatic, kAuto, kRegister, kThreadLocal, kInline, kNoreturn, kAlignas,
  // Statements.
  kIf, kElse, kSwitch, kCase, kDefault, kWhile, kDo, kFor, kGoto, kContinue, kBreak, kReturn,
  kUpcForall, kUpcBarrier, kUpcNotify, kUpcWait, kUpcFence, kLabel,
  // Operators and primaries.
  kSizeof, kAlignof, kUpcLocalsizeof, kUpcBlocksizeof, kUpcElemsizeof, kGeneric, kStaticAssert, kReal, kImag,
  kThreads, kMythread, kVaArg, kOffsetof, kTypesCompatible, kChooseExpr, kAssertType,
  // Words of GNU that may stand nearly everywhere.
  kExtension, kAttribute, kAsm,
  kCount
};
/* clang-format on */

// Whose text a token is.
enum class Origin : std::uint8_t {
  kUser,     // the program's: translated and emitted
  kSystem,   // a system header: read for its declarations, no UPC keywords, never emitted
  kLibrary,  // the UPC library's headers: UPC, never emitted
};

// Indices of tokens in TokenStream::tokens.
using TokenIndex = std::uint32_t;

// Tokens [begin, end).
struct TokenRange {
  TokenIndex begin = 0, end = 0;

  bool empty() const { return begin >= end; }
  bool operator==(const TokenRange&) const = default;
};

struct Token {
  std::uint32_t offset = 0;  // in the preprocessed text
  std::uint32_t length = 0;
  NameId name = 0;  // of identifiers and keywords
  Tok kind = Tok::kEnd;
  Origin origin = Origin::kUser;
  bool first_on_line = false;
  bool after_directive = false;  // a line of the preprocessor stands between this token and the one before

  bool is(Tok k) const { return kind == k; }
};

// The spelling of a punctuator, the plain spelling of a keyword, or a description ("identifier").
std::string_view spelling(Tok kind);
// Interns all keywords; those before the first number that it returns are keywords, `kinds[id]` says which.
struct Keywords {
  explicit Keywords(NameTable& names);
  // kIdentifier for what is none.
  Tok kind(NameId id) const { return id < kEntries ? kinds_[id] : Tok::kIdentifier; }

 private:
  static constexpr std::size_t kEntries = 256;
  Tok kinds_[kEntries];
};
constexpr bool is_upc_qualifier(Tok k) {
  return k == Tok::kShared || k == Tok::kStrict || k == Tok::kRelaxed;
}
// Words that are keywords in UPC only: in C text they are identifiers.
constexpr bool is_upc_keyword(Tok k) {
  return is_upc_qualifier(k) || k == Tok::kThreads || k == Tok::kMythread ||
         (k >= Tok::kUpcForall && k <= Tok::kUpcFence) ||
         (k >= Tok::kUpcLocalsizeof && k <= Tok::kUpcElemsizeof) || k == Tok::kAssertType;
}

}  // namespace upc2c
