// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/functions.hpp"

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/print.hpp"

namespace upc2c {
namespace {

// Where the statements of a body begin: after { and its local labels, which must come first.
std::size_t begin_of_statements(const Compound& body, const std::string& text) {
  std::size_t at = text.starts_with("<%") ? 2 : text.find('{') + 1;
  for (const Node* item : body.items()) {
    if (!item->is(NodeKind::kLocalLabels)) break;
    at = text.find("__label__", at);
    at = text.find(';', at) + 1;
  }
  return at;
}

const Type* function_type(const Function& function) { return function.declarator()->type.type; }

}  // namespace

void Functions::find(std::span<Node* const> declarations) {
  for (const Node* node : declarations) {
    if (const auto* function = cast_if<Function>(node)) {
      add(*function->specifiers(), *function->declarator());
      const Symbol* symbol = function->declarator()->symbol;
      if (symbol != nullptr && symbol->text == "main" && function->body() != nullptr) main_ = function;
    } else if (const auto* declaration = cast_if<Declaration>(node)) {
      for (const Node* declarator : declaration->declarators())
        add(*declaration->specifiers(), *as<InitDeclarator>(declarator)->declarator());
    }
  }
}

void Functions::add(const Specifiers& specifiers, const Declarator& declarator) {
  if (declarator.symbol == nullptr || declarator.symbol->kind != SymbolKind::kFunction) return;
  Declared& declared = declared_[declarator.symbol];
  declared.count++;
  declared.external |= !specifiers.is_inline || specifiers.storage == Tok::kExtern;
}

bool Functions::is_plain_inline(const Function& function) const {
  const Specifiers& specifiers = *function.specifiers();
  const auto found = declared_.find(function.declarator()->symbol);
  return current_ == nullptr && specifiers.is_inline && specifiers.storage == Tok::kEnd &&
         found != declared_.end() && !found->second.external &&
         function.declarator()->symbol->linkage == Linkage::kExternal;
}

bool Functions::becomes_static(const Function& function) const {
  const Specifiers& specifiers = *function.specifiers();
  const auto found = declared_.find(function.declarator()->symbol);
  return specifiers.is_inline && specifiers.storage == Tok::kEnd && found != declared_.end() &&
         !found->second.external && found->second.count == 1 && function_type(function)->prototyped &&
         function.declarator()->symbol->linkage == Linkage::kExternal;
}

std::string Functions::text(const Function* function) {
  if (function->skipped || function->body() == nullptr) return lower_.splice.raw(function);
  if (is_plain_inline(*function)) return inline_definition(function);
  if (function != main_ && !lower_.concerns(*function) && !lower_.options.instrument_functions)
    return lower_.splice.raw(function);
  const std::string out = head(function) + body(function);
  return function == main_ ? main_prototype() + out + main_wrapper() : out;
}

// For -Wmissing-prototypes, which knows that main needs none.
std::string Functions::main_prototype() const {
  if (!function_type(*main_)->prototyped || declared_.at(main_->declarator()->symbol).count > 1) return {};
  return to_c(main_->declarator()->type, "main") + "; ";
}

std::string Functions::head(const Function* function) {
  const Specifiers& specifiers = *function->specifiers();
  bool plain = !lower_.concerns(specifiers) && !lower_.concerns(*function->declarator());
  for (const Node* parameter : function->parameter_declarations()) plain &= !lower_.concerns(*parameter);
  const Node* body = function->body();
  std::string out = plain ? lower_.splice.raw({function->tokens.begin, body->tokens.begin})
                          : lower_.declarations.head(function, function->declarator()->symbol->text);
  if (function == main_ && !specifiers.has_type()) out = "int " + out;
  return out + lower_.splice.gap(body->tokens.begin);
}

std::string Functions::body(const Function* function) {
  const Function* outer = current_;
  current_ = function;
  std::string out = lower_.splice.text(function->body());
  current_ = outer;
  const bool reported = lower_.options.instrument_functions;
  if (outer == nullptr && (reported || lower_.concerns(*function->body())))
    out.insert(begin_of_statements(*function->body(), out),
               std::string(" UPCR_BEGIN_FUNCTION();") + (reported ? " UPC2C_REPORT_EXIT();" : ""));
  // C returns 0 at the end of main only.
  if (function == main_ && function_type(*function)->inner.is_integer())
    out.insert(out.ends_with("%>") ? out.size() - 2 : out.rfind('}'), "return 0; ");
  return out;
}

// C emits no function for an inline definition without extern, GNU C of before 1999 does, and programs rely
// on both: one definition in a file that others call, and a definition in a header that several files
// include. A static inline function with a weak alias of its name can be inlined and serves both.
std::string Functions::inline_definition(const Function* function) {
  const Declarator& declarator = *function->declarator();
  const std::string name(declarator.symbol->text);
  const std::string signature = head(function), definition = signature + body(function);
  if (!becomes_static(*function)) {
    // Behind a definition that a declaration precedes, clang ignores the attribute. On a declaration that
    // says inline, gcc warns about it.
    const std::string again = " extern __typeof__(" + name + ") " + name,
                      weak = " __attribute__((__weak__));";
    if (declarator.symbol->declarator == &declarator) return definition + again + weak;
    return again + weak + " " + Positions::mark(function->tokens.begin) + definition + again + ";";
  }
  const std::string label = "\"upc2c.inline." + name + "\"";
  return "static " + signature + " __asm__(" + label + "); " + Positions::mark(function->tokens.begin) +
         "static " + definition + " extern __typeof__(" + name + ") upc2c_inline_" + name + " __asm__(\"" +
         name + "\") __attribute__((__weak__, __alias__(" + label + ")));";
}

std::string_view Functions::spelling(std::string_view token) const {
  if (current_ == nullptr || current_ != main_ || !token.starts_with("__")) return token;
  const bool is_name = token == "__func__" || token == "__FUNCTION__" || token == "__PRETTY_FUNCTION__";
  return is_name ? "\"main\"" : token;
}

std::string Functions::main_macro() const {
  if (main_ == nullptr) return {};
  return main_wrapper().empty() ? "#define main user_main\n" : "#undef main\n#define main upc2c_main\n";
}

std::string Functions::main_wrapper() const {
  const Type& type = *function_type(*main_);
  const std::size_t parameters = type.parameters.size();
  const bool returns = type.inner.is_integer();
  if (returns && parameters <= 2) return {};
  static constexpr std::string_view kArguments[] = {"argc", "argv", "environ"};
  std::string arguments;
  for (std::size_t i = 0; i < parameters && i < 3; i++)
    arguments += (i == 0 ? "" : ", ") + std::string(kArguments[i]);
  std::string wrapper =
      " int user_main(int, char **); int user_main(int argc, char **argv) { extern char **environ; (void)argc; (void)argv; "
      "(void)environ; ";
  wrapper += returns ? "return main(" : "main(";
  wrapper += arguments;
  wrapper += returns ? "); }" : "); return 0; }";
  return wrapper;
}

}  // namespace upc2c
