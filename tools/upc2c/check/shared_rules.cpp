// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/shared_rules.hpp"

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

const Expr* without_parentheses(const Expr* expr) {
  while (const auto* paren = cast_if<ParenExpr>(expr)) expr = paren->inner();
  return expr;
}

bool mentions_threads(const Node* node) {
  if (node == nullptr) return false;
  if (node->is(NodeKind::kThreads)) return true;
  for (const Node* child : node->children())
    if (mentions_threads(child)) return true;
  return false;
}

std::string in_brackets(std::uint32_t block) {
  return block == 0 ? "[]" : block == kStarBlock ? "[*]" : "[" + std::to_string(block) + "]";
}

}  // namespace

SharedRules::Layout SharedRules::layout(const LayoutSpec& spec) {
  switch (spec.form) {
    case LayoutSpec::Form::kNone:
      return {};
    case LayoutSpec::Form::kEmpty:
      return {true, 0};
    case LayoutSpec::Form::kStar:
      return {true, kStarBlock};
    case LayoutSpec::Form::kSize:
      break;
  }
  c_.expressions.value(*spec.size);
  const auto value = Constants::integer(spec.size);
  const Mark at(spec.size->tokens);
  if (!value) {
    if (!spec.size->has_error && !spec.size->type.is_unknown())
      c_.report(Diag::kLayConst, at, "the block size is no integer constant");
    return {true, 1};
  }
  if (*value < 0) {
    c_.report(Diag::kLayNeg, at, "the block size is negative");
    return {true, 1};
  }
  if (*value > c_.options.max_block) {
    c_.report(Diag::kLayBig, at, "the block size % is larger than UPC_MAX_BLOCK_SIZE, which is %",
              {Constants::decimal(*value), std::to_string(c_.options.max_block)});
    return {true, 1};
  }
  return {true, static_cast<std::uint32_t>(*value)};
}

QualType SharedRules::qualify(QualType type, const QualifierList& list) {
  if (list.quals == 0) return type;
  const QualType element = type.ultimate_element();
  unsigned quals = list.quals;
  Layout chosen;
  if (element.has(kExplicitLayout)) chosen = {true, element.block};
  for (const LayoutSpec& spec : list.layouts) {
    const Layout found = layout(spec);
    if (!found.present) continue;
    if (chosen.present && chosen.block != found.block)
      c_.report(Diag::kLayDup, Mark(spec.tokens), "two layouts in one type: % and %",
                {in_brackets(chosen.block), in_brackets(found.block)});
    else if (element.is_void())
      c_.report(Diag::kLayVoid, Mark(spec.tokens),
                "shared void has no block size; a pointer to it is generic");
    else
      chosen = found;
  }
  const bool shared = (quals & kShared) != 0 || element.has(kShared);
  const unsigned all = quals | element.quals;
  if ((all & kStrict) != 0 && (all & kRelaxed) != 0)
    c_.report(Diag::kModeDup, Mark(list.tokens), "a type is either strict or relaxed");
  if ((quals & (kStrict | kRelaxed)) != 0 && !shared) {
    c_.report(Diag::kModeNoshr, Mark(list.tokens), "'%' qualifies shared types only",
              {(quals & kStrict) != 0 ? "strict" : "relaxed"});
    quals &= ~static_cast<unsigned>(kStrict | kRelaxed);
  }
  if ((quals & kShared) != 0 && type.is_function()) {
    c_.report(Diag::kShrFunc, Mark(list.tokens), "a function cannot be shared");
    return type;
  }
  if ((quals & kShared) != 0 && chosen.present) quals |= kExplicitLayout;
  return c_.types.qualify(type, quals, chosen.block);
}

QualType SharedRules::refuse_star(QualType type, Diag diag, const Mark& at, std::string_view where) {
  if (!type.is_shared() || type.ultimate_element().block != kStarBlock) return type;
  c_.report(diag, at, "[*] needs an object whose size is known, and this is %", {where});
  return c_.types.with_block(type, 1);
}

QualType SharedRules::resolve_star(QualType type, const Declarator& declarator, Declared what) {
  if (type.ultimate_element().block != kStarBlock) return type;
  const Mark at(declarator.tokens.empty() ? TokenRange{declarator.tokens.begin, declarator.tokens.begin + 1}
                                          : declarator.tokens);
  switch (what) {
    case Declared::kTypedef:
      return refuse_star(type, Diag::kStarTypedef, at, "a typedef");
    case Declared::kParameter:
      return refuse_star(type, Diag::kStarParam, at, "a parameter");
    case Declared::kField:  // that it is shared is reported
      return c_.types.with_block(type, 1);
    case Declared::kTypeName: {
      // sizeof of an array type may have it.
      const auto block = type.is_array() ? star_block(type, c_.options.threads) : std::nullopt;
      return block ? c_.types.with_block(type, static_cast<std::uint32_t>(*block))
                   : refuse_star(type, Diag::kStarCast, at, "a type");
    }
    case Declared::kObject:
      break;
  }
  const auto block = star_block(type, c_.options.threads);
  // That THREADS is in no bound is reported by check_object.
  if (!block && element_count(type)) return c_.types.with_block(type, 1);
  if (!block) return refuse_star(type, Diag::kStarIncomplete, at, "an array without such a size");
  if (*block > c_.options.max_block) {
    c_.report(Diag::kLayBig, at, "[*] is block size % here, which is larger than UPC_MAX_BLOCK_SIZE",
              {std::to_string(*block)});
    return c_.types.with_block(type, 1);
  }
  return c_.types.with_block(type, static_cast<std::uint32_t>(*block));
}

// THREADS, THREADS * k, k * THREADS in any parentheses; products of several constants by the way, with a
// warning.
std::optional<Extent> SharedRules::extent(Expr& bound, QualType element) {
  if (const auto value = Constants::integer(&bound)) {
    if (*value < 0 && element.is_shared())
      c_.report(Diag::kThrForm, Mark(bound.tokens), "the bound of an array is negative");
    return Extent{static_cast<std::int64_t>(*value), false};
  }
  struct Product {
    const SharedRules& rules;
    bool nested = false;
    std::optional<Extent> of(const Expr* expr) {
      expr = without_parentheses(expr);
      if (const auto value = Constants::integer(expr))
        return Extent{static_cast<std::int64_t>(*value), false};
      if (expr->is(NodeKind::kThreads)) return Extent{1, true};
      const auto* product = cast_if<BinaryExpr>(expr);
      if (product == nullptr || product->op != BinaryOp::kMultiply) return std::nullopt;
      const auto left = of(product->left()), right = of(product->right());
      if (!left || !right || (left->threads && right->threads)) return std::nullopt;
      nested |= (left->threads && !without_parentheses(product->left())->is(NodeKind::kThreads)) ||
                (right->threads && !without_parentheses(product->right())->is(NodeKind::kThreads));
      Extent out{0, left->threads || right->threads};
      if (__builtin_mul_overflow(left->factor, right->factor, &out.factor)) return std::nullopt;
      return out;
    }
  } product{*this};
  const std::optional<Extent> found = product.of(&bound);
  if (found) {
    if (element.is_shared() && found->factor <= 0) {
      c_.report(Diag::kThrForm, Mark(bound.tokens), "the bound of a shared array is not positive");
      return Extent{1, true};
    }
    if (product.nested && element.is_shared())
      c_.report(Diag::kThrAssoc, Mark(bound.tokens),
                "by the letter of UPC, THREADS is multiplied by one constant: write 'THREADS * (...)'");
    return found;
  }
  if (element.is_shared() && mentions_threads(&bound)) {
    report_bound_form(bound);
    return Extent{1, true};
  }
  return std::nullopt;
}

void SharedRules::report_bound_form(const Expr& bound) {
  c_.report(
      Diag::kThrForm, Mark(bound.tokens),
      "in the bound of a shared array THREADS stands alone or times an integer constant, when the number of threads is not known at compile time");
}

void SharedRules::check_object(const Symbol& symbol, const Specifiers& specifiers,
                               const Declarator& declarator) {
  const QualType type = symbol.type;
  if (!type.is_shared() || symbol.kind != SymbolKind::kVariable) return;
  const Mark at(declarator.name_token);
  const std::string name = quoted(symbol.text);
  if (symbol.thread_local_storage) {
    c_.report(Diag::kShrTls, at, "% is shared and cannot be thread-local", {name});
    return;
  }
  if (symbol.section != nullptr)
    c_.report(Diag::kUnknown, Mark(symbol.section->tokens),
              "% is shared, and no section of the object file contains it", {name});
  if (specifiers.storage == Tok::kRegister || specifiers.storage == Tok::kAuto || !symbol.static_storage) {
    Diagnostic& report = c_.report(
        Diag::kShrAuto, at,
        "% is shared and cannot have automatic storage: declare it static or at file scope", {name});
    if (specifiers.spec != nullptr && specifiers.spec->is(NodeKind::kTypeofSpec))
      report.note(Mark(specifiers.spec->tokens),
                  "the type of a shared object is shared, that of its value is not: __typeof__((0, object))");
    return;
  }
  if (type.ultimate_element().is_void()) {
    const std::string type_name(specifiers.typedef_name != 0 ? c_.text(specifiers.typedef_name)
                                                             : "shared void");
    c_.report(Diag::kShrVoid, at, "% cannot be an object of the opaque type %; declare a pointer: '% *%'",
              {name, quoted(type_name), type_name, symbol.text});
    return;
  }
  for (QualType t = type; t.is_array(); t = t->inner)
    if (t->bound == Bound::kVariable) {
      c_.report(Diag::kShrVla, at, "% is a shared array, and its bound is no constant", {name});
      return;
    }
  const bool is_extern = !symbol.defined;
  const bool incomplete = type.is_array() && type->bound == Bound::kIncomplete;
  const QualType element = type.ultimate_element();
  if (!is_extern && element.is_record() && !element->record->complete) {
    c_.report(Diag::kIncomplete, at, "% has the incomplete type %", {name, quoted(element)});
    return;
  }
  if (incomplete && is_extern) return;
  check_bounds(symbol, declarator);
}

// In the dynamic environment the threads must divide the array evenly, so THREADS is in one of its bounds.
void SharedRules::check_bounds(const Symbol& symbol, const Declarator& declarator) {
  unsigned count = 0;
  for (QualType t = symbol.type; t.is_array(); t = t->inner) {
    if (t->extent.factor < 0) return;  // which has been reported
    count += t->extent.threads ? 1 : 0;
  }
  const std::uint32_t block = symbol.type.ultimate_element().block;
  const Mark at(declarator.name_token);
  if (count > 1) {
    c_.report(Diag::kThrTwice, at, "THREADS is in two bounds of '%'", {symbol.text});
  } else if (block == 0 && count == 1) {
    c_.report(
        Diag::kThrIndef, at,
        "'%' has an indefinite block size: all of it is on one thread, and by the letter of UPC its bound cannot depend on THREADS in the dynamic environment",
        {symbol.text});
  } else if (block != 0 && count == 0 && symbol.type.is_array() && c_.dynamic_threads()) {
    c_.report(
        Diag::kThrNone, at,
        "the bound of '%' must be THREADS or a multiple of it, since the number of threads is not known at compile time; write 'shared []' for an array on thread 0, or compile with -T N",
        {symbol.text});
  }
}

}  // namespace upc2c
