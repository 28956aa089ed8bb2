// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/thread_data.hpp"

#include <algorithm>
#include <iterator>

#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {
namespace {

// Variables of the C library that programs declare themselves.
bool is_of_c_library(std::string_view name) {
  static constexpr std::string_view kNames[] = {"daylight", "environ",  "__environ", "optarg", "opterr",
                                                "optind",   "optopt",   "signgam",   "stderr", "stdin",
                                                "stdout",   "timezone", "tzname"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Other files cannot write to it, and its value does not depend on the thread.
bool is_same_for_all(const Symbol& symbol) {
  const QualType element = symbol.type.ultimate_element();
  if (symbol.linkage == Linkage::kExternal || !element.has(kConst) || element.has(kVolatile)) return false;
  const auto* definition = cast_if<InitDeclarator>(symbol.definition);
  const Expr* value = definition == nullptr ? nullptr : definition->initializer();
  return value == nullptr || (!value->has_static && !value->has_upc);
}

}  // namespace

bool ThreadData::in_c_code(TokenIndex token) const {
  const auto& pragmas = lower_.stream.pragmas();
  for (auto pragma = pragmas.rbegin(); pragma != pragmas.rend(); ++pragma) {
    if (pragma->before > token) continue;
    if (pragma->kind == PragmaKind::kCCode) return true;
    if (pragma->kind == PragmaKind::kUpcCode) return false;
  }
  return false;
}

bool ThreadData::is_per_thread(const Symbol& symbol) const {
  return symbol.is_thread_data() && !symbol.thread_local_storage && !is_same_for_all(symbol) &&
         (symbol.defined || !is_of_c_library(symbol.text)) && !in_c_code(symbol.token) &&
         !lower_.moved_statics.stays(symbol);
}

bool ThreadData::concerns(const Symbol& symbol) const {
  return lower_.options.pthreads && is_per_thread(symbol);
}

std::string ThreadData::use(const Symbol& symbol) { return use(lower_.declarations.name(symbol)); }

std::string ThreadData::use(const std::string& name) {
  return "(*(__typeof__(" + name + ") *)UPCR_TLD_ADDR(" + name + "))";
}

std::string ThreadData::attribute(const Symbol& symbol) {
  if (!is_per_thread(symbol)) return "";
  if (lower_.options.pthreads && symbol.declarator != nullptr) refuse_label(*symbol.declarator);
  if (symbol.section != nullptr)
    lower_.diagnostics.report(
        Diag::kUnknown, Mark(symbol.section->tokens),
        "an unshared variable is one for each UPC thread, and in a section of upcc's; between '#pragma upc c_code' and '#pragma upc upc_code' it is one for the process");
  return attribute(lower_.declarations.name(symbol));
}

// upcc finds what it has to copy for each thread by the names of the variables.
void ThreadData::refuse_label(const Declarator& declarator) {
  for (TokenIndex at = declarator.tokens.begin; at < declarator.tokens.end; at++)
    if (lower_.stream.token(at).is(Tok::kAsm))
      lower_.diagnostics.report(
          Diag::kUnknown, at,
          "with --pthreads an unshared variable is one for each UPC thread, and has its own name in the object");
}

std::string ThreadData::attribute(const std::string& name) { return " UPCR_TLD_DEFINED(" + name + ")"; }

}  // namespace upc2c
