// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>

#include "tools/upc2c/text/token.hpp"

namespace upc2c {
namespace {

struct Spelled {
  std::string_view text;
  Tok kind;
};

/* clang-format off */
constexpr Spelled kKeywords[] = {  // of several spellings of one kind the plain one is first
  {"void", Tok::kVoid}, {"char", Tok::kChar}, {"short", Tok::kShort}, {"int", Tok::kInt}, {"long", Tok::kLong},
  {"float", Tok::kFloat}, {"double", Tok::kDouble}, {"signed", Tok::kSigned}, {"__signed", Tok::kSigned},
  {"__signed__", Tok::kSigned}, {"unsigned", Tok::kUnsigned}, {"_Bool", Tok::kBool}, {"_Complex", Tok::kComplex},
  {"__complex", Tok::kComplex}, {"__complex__", Tok::kComplex}, {"_Imaginary", Tok::kImaginary}, {"__int128", Tok::kInt128},
  {"_Float16", Tok::kFloat16}, {"__fp16", Tok::kFloat16}, {"_Float32", Tok::kFloat32}, {"_Float64", Tok::kFloat64},
  {"_Float128", Tok::kFloat128}, {"__float128", Tok::kFloat128}, {"_Float32x", Tok::kFloat32x}, {"_Float64x", Tok::kFloat64x},
  {"__float80", Tok::kFloat80}, {"__bf16", Tok::kBFloat16}, {"_Decimal32", Tok::kDecimal32}, {"_Decimal64", Tok::kDecimal64},
  {"_Decimal128", Tok::kDecimal128}, {"struct", Tok::kStruct}, {"union", Tok::kUnion}, {"enum", Tok::kEnum},
  {"typeof", Tok::kTypeof}, {"__typeof", Tok::kTypeof}, {"__typeof__", Tok::kTypeof}, {"__auto_type", Tok::kAutoType},
  {"const", Tok::kConst}, {"__const", Tok::kConst}, {"__const__", Tok::kConst}, {"volatile", Tok::kVolatile},
  {"__volatile", Tok::kVolatile}, {"__volatile__", Tok::kVolatile}, {"restrict", Tok::kRestrict}, {"__restrict", Tok::kRestrict},
  {"__restrict__", Tok::kRestrict}, {"_Atomic", Tok::kAtomic}, {"shared", Tok::kShared}, {"strict", Tok::kStrict},
  {"relaxed", Tok::kRelaxed}, {"typedef", Tok::kTypedef}, {"extern", Tok::kExtern}, {"static", Tok::kStatic},
  {"auto", Tok::kAuto}, {"register", Tok::kRegister}, {"_Thread_local", Tok::kThreadLocal}, {"__thread", Tok::kThreadLocal},
  {"inline", Tok::kInline}, {"__inline", Tok::kInline}, {"__inline__", Tok::kInline}, {"_Noreturn", Tok::kNoreturn},
  {"_Alignas", Tok::kAlignas}, {"if", Tok::kIf}, {"else", Tok::kElse}, {"switch", Tok::kSwitch}, {"case", Tok::kCase},
  {"default", Tok::kDefault}, {"while", Tok::kWhile}, {"do", Tok::kDo}, {"for", Tok::kFor}, {"goto", Tok::kGoto},
  {"continue", Tok::kContinue}, {"break", Tok::kBreak}, {"return", Tok::kReturn}, {"upc_forall", Tok::kUpcForall},
  {"upc_barrier", Tok::kUpcBarrier}, {"upc_notify", Tok::kUpcNotify}, {"upc_wait", Tok::kUpcWait}, {"upc_fence", Tok::kUpcFence},
  {"__label__", Tok::kLabel}, {"sizeof", Tok::kSizeof}, {"_Alignof", Tok::kAlignof}, {"__alignof", Tok::kAlignof},
  {"__alignof__", Tok::kAlignof}, {"upc_localsizeof", Tok::kUpcLocalsizeof}, {"upc_blocksizeof", Tok::kUpcBlocksizeof},
  {"upc_elemsizeof", Tok::kUpcElemsizeof}, {"_Generic", Tok::kGeneric}, {"_Static_assert", Tok::kStaticAssert},
  {"__real__", Tok::kReal}, {"__real", Tok::kReal}, {"__imag__", Tok::kImag}, {"__imag", Tok::kImag},
  {"THREADS", Tok::kThreads}, {"MYTHREAD", Tok::kMythread}, {"__builtin_va_arg", Tok::kVaArg},
  {"__builtin_offsetof", Tok::kOffsetof}, {"__builtin_types_compatible_p", Tok::kTypesCompatible},
  {"__builtin_choose_expr", Tok::kChooseExpr}, {"bupc_assert_type", Tok::kAssertType}, {"__extension__", Tok::kExtension},
  {"__attribute__", Tok::kAttribute}, {"__attribute", Tok::kAttribute}, {"asm", Tok::kAsm}, {"__asm", Tok::kAsm},
  {"__asm__", Tok::kAsm},
};
constexpr std::string_view kPlain[] = {  // from Tok::kEnd to Tok::kHash
  "end of file", "identifier", "number", "character constant", "string", "stray character",
  "(", ")", "[", "]", "{", "}", ";", ",", ".", "->", "...", ":", "?",
  "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">",
  "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "++", "--",
  "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
  "<<=", ">>=", "#",
};
/* clang-format on */
static_assert(std::size(kPlain) == static_cast<std::size_t>(Tok::kHash) + 1);

}  // namespace

std::string_view spelling(Tok kind) {
  if (kind <= Tok::kHash) return kPlain[static_cast<std::size_t>(kind)];
  const auto* found = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                                   [&](const Spelled& s) { return s.kind == kind; });
  return found == std::end(kKeywords) ? "" : found->text;
}

Keywords::Keywords(NameTable& names) {
  std::fill(std::begin(kinds_), std::end(kinds_), Tok::kIdentifier);
  for (const Spelled& word : kKeywords) {
    const NameId id = names.intern(word.text);
    assert(id < kEntries);
    kinds_[id] = word.kind;
  }
}

}  // namespace upc2c
