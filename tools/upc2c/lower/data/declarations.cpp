// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/declarations.hpp"

#include <algorithm>
#include <utility>

#include "tools/upc2c/ast/walk.hpp"
#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {
namespace {

bool is_definition(const Specifiers& specifiers, const InitDeclarator& node) {
  return specifiers.storage != Tok::kExtern || node.initializer() != nullptr;
}

std::string between(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + " " + b;
}

// `words` without one of them.
std::string without(std::string words, std::string_view word) {
  const std::size_t at = (" " + words + " ").find(" " + std::string(word) + " ");
  if (at == std::string::npos) return words;
  words.erase(at, word.size() + (at + word.size() < words.size() ? 1 : 0));
  return words;
}

}  // namespace

std::string DeclarationLowering::drain_hoisted() { return std::exchange(hoisted_, {}); }
void DeclarationLowering::hoist(const std::string& declaration) { hoisted_ += declaration; }
std::string DeclarationLowering::name(const Symbol& symbol) { return lower_.moved_statics.name(symbol); }

bool DeclarationLowering::is_assigned(const InitDeclarator& node) const {
  const Symbol* symbol = node.declarator()->symbol;
  return symbol != nullptr && node.initializer() != nullptr && symbol->kind == SymbolKind::kVariable &&
         (symbol->function == nullptr || lower_.moved_statics.is_moved(*symbol)) &&
         lower_.initial_values.is_assigned(*symbol, node.initializer());
}

// An object that UPCRI_INIT writes to is not const in C.
bool DeclarationLowering::is_assigned_const(const Symbol& symbol) const {
  const auto* definition = cast_if<InitDeclarator>(symbol.definition);
  return definition != nullptr && symbol.type.ultimate_element().has(kConst) && is_assigned(*definition);
}

// Whether the declaration is its tokens with the texts of its parts.
bool DeclarationLowering::is_plain(const Declaration& declaration) {
  const Specifiers& specifiers = *declaration.specifiers();
  if (specifiers.type.is_shared()) return false;
  if (specifiers.type.is_pointer_to_shared() &&
      (specifiers.qualifiers.quals & kRestrict || specifiers.storage == Tok::kRegister))
    return false;
  if (declaration.declarators().empty())
    return !specifiers.type.is_record() || !lower_.moved_statics.is_moved(*specifiers.type->record);
  return std::none_of(declaration.declarators().begin(), declaration.declarators().end(), [&](Node* child) {
    const Declarator& declarator = *as<InitDeclarator>(child)->declarator();
    const Symbol* symbol = declarator.symbol;
    return lower_.declarators.differs(specifiers, declarator) || declarator.type.is_shared() ||
           (symbol != nullptr && (lower_.moved_statics.is_moved(*symbol) || is_assigned_const(*symbol)));
  });
}

std::string DeclarationLowering::text(const Declaration* declaration) {
  if (is_plain(*declaration)) return plain(*declaration);
  const Specifiers& specifiers = *declaration->specifiers();
  std::string out;
  if (!specifiers.type.is_record() || !lower_.moved_statics.is_moved(*specifiers.type->record))
    out = lower_.declarators.define(specifiers);
  out += joined(items(*declaration));
  // In the first clause of a for there must be a semicolon.
  return out.empty() && lower_.functions.current() != nullptr ? ";" : out;
}

bool DeclarationLowering::needs_block(const Declaration* declaration) {
  const Specifiers& specifiers = *declaration->specifiers();
  // gcc takes no structure with a tag in the head of a loop, and one that concerns UPC is given a tag.
  const auto* record = cast_if<RecordSpec>(specifiers.spec);
  if (record != nullptr && record->defined && lower_.concerns(*record)) return true;
  if (is_plain(*declaration)) return false;
  std::string base;
  for (const Node* child : declaration->declarators()) {
    const auto text = lower_.declarators.text(specifiers, *as<InitDeclarator>(child)->declarator());
    if (!base.empty() && base != text.base) return true;
    base = text.base;
  }
  return false;
}

std::string DeclarationLowering::plain(const Declaration& declaration) {
  return lower_.splice.spliced(&declaration, [&](const Node* child) {
    const auto* node = cast_if<InitDeclarator>(child);
    if (node == nullptr) return lower_.splice.text(child);
    const Symbol* symbol = node->declarator()->symbol;
    std::string out = lower_.splice.text(node->declarator());
    if (symbol != nullptr && symbol->kind == SymbolKind::kVariable &&
        is_definition(*declaration.specifiers(), *node))
      out += lower_.thread_data.attribute(*symbol);
    return out + initializer(*node);
  });
}

std::string DeclarationLowering::initializer(const InitDeclarator& node) {
  const Expr* init = node.initializer();
  if (init == nullptr) return {};
  const Symbol* symbol = node.declarator()->symbol;
  if (symbol == nullptr || !symbol->static_storage) return " = " + lower_.splice.text(init);
  const bool assigned = is_assigned(node);
  if (assigned)
    lower_.statics.add_statement(lower_.initial_values.assignments(
        *symbol, init,
        lower_.thread_data.concerns(*symbol) ? lower_.thread_data.use(*symbol) : name(*symbol)));
  return " = " + lower_.initial_values.constant_part(*symbol, init, assigned);
}

std::vector<DeclarationLowering::Item> DeclarationLowering::items(const Declaration& declaration) {
  const Specifiers& specifiers = *declaration.specifiers();
  std::vector<Item> out;
  for (Node* child : declaration.declarators()) {
    const auto& node = *as<InitDeclarator>(child);
    const Declarator& declarator = *node.declarator();
    const Symbol* symbol = declarator.symbol;
    Item made;
    if (specifiers.storage == Tok::kTypedef) {
      if (declarator.type.is_shared()) continue;  // C has no type for it
      made = item(specifiers, node);
    } else if (symbol != nullptr && symbol->is_shared_object()) {
      made = proxy(specifiers, node);
    } else if (symbol != nullptr && lower_.moved_statics.is_moved(*symbol)) {
      move(specifiers, node);
      continue;
    } else {
      made = item(specifiers, node);
    }
    made.token = declarator.name_token;
    if (!made.prefix.empty()) out.push_back(made);
  }
  return out;
}

// One declaration for neighbours of one type, each on the line of its name.
std::string DeclarationLowering::joined(const std::vector<Item>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); i++) {
    const bool same = i > 0 && items[i].prefix == items[i - 1].prefix;
    if (i > 0) out += same ? ", " : "; ";
    if (items.size() > 1) out += Positions::mark(items[i].token);
    if (!same) out += items[i].prefix + " ";
    out += items[i].text;
  }
  return items.empty() ? out : out + ";";
}

DeclarationLowering::Item DeclarationLowering::item(const Specifiers& specifiers,
                                                    const InitDeclarator& node) {
  const Declarator& declarator = *node.declarator();
  const Symbol* symbol = declarator.symbol;
  Item out;
  std::string storage = lower_.declarators.storage(specifiers, false);
  const auto text = lower_.declarators.text(specifiers, declarator);
  // The library's functions take addresses of such variables.
  if (symbol != nullptr && symbol->type.is_pointer_to_shared()) storage = without(storage, "register");
  if (symbol != nullptr && is_assigned_const(*symbol)) {
    const QualType type = lower_.types.unqualify(symbol->type, kConst);
    out.prefix = between(storage, "__typeof__(" + lower_.type_texts.spell(type) + ")");
    out.text = std::string(symbol->text) + " " + lower_.declarators.trailing(declarator, false);
  } else {
    out.prefix = between(storage, text.base);
    out.text = text.declarator;
  }
  if (symbol != nullptr && symbol->kind == SymbolKind::kVariable && is_definition(specifiers, node))
    out.text += lower_.thread_data.attribute(*symbol);
  out.text += initializer(node);
  return out;
}

// The variable behind which start-up code allocates the object.
DeclarationLowering::Item DeclarationLowering::proxy(const Specifiers& specifiers,
                                                     const InitDeclarator& node) {
  const Declarator& declarator = *node.declarator();
  const Symbol& symbol = *declarator.symbol;
  for (const LayoutSpec& layout : specifiers.qualifiers.layouts)
    lower_.type_texts.assert_sizes_in(layout.size);
  for (const DeclaratorChunk& chunk : declarator.chunks) {
    lower_.type_texts.assert_sizes_in(chunk.bound);
    for (const LayoutSpec& layout : chunk.qualifiers.layouts) lower_.type_texts.assert_sizes_in(layout.size);
  }
  const bool defines = is_definition(specifiers, node);
  const Expr* init = node.initializer();
  if (init != nullptr) lower_.initial_values.refuse_flexible(symbol, init);
  if (init != nullptr && lower_.initial_values.is_zero(init, symbol.type)) init = nullptr;
  const bool moved = lower_.moved_statics.is_moved(symbol);
  if (moved) hoist(lower_.moved_statics.definitions(symbol.type));
  if (moved && init != nullptr) hoist(declared_for(init));
  if (defines) lower_.statics.add(symbol, init);

  Item out;
  const bool phaseless = is_phaseless(pts_kind(symbol.type));
  std::string storage = lower_.declarators.storage(specifiers, true);
  if (defines) storage = without(storage, "extern");
  out.prefix = between(storage, phaseless ? "upcr_pshared_ptr_t" : "upcr_shared_ptr_t");
  out.text = between(name(symbol), lower_.declarators.trailing(declarator, true));
  const std::string kind = phaseless ? "PSHARED" : "SHARED";
  if (init != nullptr)
    out.text += " = UPCR_INITIALIZED_" + kind;
  else if (node.initializer() != nullptr)
    out.text += " = UPCR_NULL_" + kind;
  if (!moved) return out;
  hoist(out.prefix + " " + out.text + "; ");
  return {};
}

// What an initial value at file scope names and only the function sees: itself, and what is extern in it.
std::string DeclarationLowering::declared_for(const Expr* value) {
  std::string out;
  const Function* function = lower_.functions.current();
  find_below(value, [&](const Node* node) {
    const auto* name = cast_if<NameExpr>(node);
    const Symbol* symbol = name != nullptr ? name->symbol : nullptr;
    if (symbol == nullptr || symbol->is_shared_object()) return false;
    const bool itself = function != nullptr && symbol == function->declarator()->symbol;
    const bool of_block = symbol->linkage == Linkage::kExternal && !symbol->file_scope;
    if (!itself && !of_block) return false;
    const bool is_static =
        itself && (symbol->linkage == Linkage::kInternal || lower_.functions.becomes_static(*function));
    out += is_static ? "static " : "extern ";
    out += lower_.type_texts.spell(symbol->type, symbol->text);
    out += (symbol->kind == SymbolKind::kVariable ? lower_.thread_data.attribute(*symbol) : "") + "; ";
    return false;
  });
  return out;
}

// An unshared static of a function, which is written at file scope.
void DeclarationLowering::move(const Specifiers& specifiers, const InitDeclarator& node) {
  const Declarator& declarator = *node.declarator();
  const Symbol& symbol = *declarator.symbol;
  hoist(lower_.moved_statics.definitions(symbol.type));
  QualType type = symbol.type;
  if (is_assigned_const(symbol)) type = lower_.types.unqualify(type, kConst);
  const std::string out =
      between(lower_.declarators.storage(specifiers, false), lower_.type_texts.spell(type, name(symbol))) +
      " " + lower_.declarators.trailing(declarator, false) + lower_.thread_data.attribute(symbol);
  if (node.initializer() != nullptr) hoist(declared_for(node.initializer()));
  // The initialiser may hoist, too.
  writes_moved_ = true;
  const std::string value = initializer(node);
  writes_moved_ = false;
  hoist(out + value + "; ");
}

std::string DeclarationLowering::members(const FieldDeclaration& declaration) {
  const Specifiers& specifiers = *declaration.specifiers();
  bool plain = !specifiers.type.is_shared() &&
               !(specifiers.type.is_pointer_to_shared() && specifiers.qualifiers.quals & kRestrict);
  for (const Node* child : declaration.declarators())
    plain &= !lower_.declarators.differs(specifiers, *as<Declarator>(child));
  if (plain) return lower_.splice.spliced(&declaration);
  std::vector<Item> items;
  const std::string definition = lower_.declarators.define(specifiers);
  if (!definition.empty()) hoist(definition);
  for (const Node* child : declaration.declarators()) {
    const auto& declarator = *as<Declarator>(child);
    const auto text = lower_.declarators.text(specifiers, declarator);
    items.push_back({between(lower_.declarators.storage(specifiers, false), text.base), text.declarator,
                     declarator.name_token});
  }
  return joined(items);
}

std::string DeclarationLowering::head(const Function* function, std::string_view name) {
  const Specifiers& specifiers = *function->specifiers();
  const std::string definition =
      specifiers.type.is_shared() ? lower_.declarators.define(specifiers) : std::string();
  std::string out = definition + lower_.declarators.single(specifiers, *function->declarator(), name);
  for (const Node* child : function->parameter_declarations()) out += " " + lower_.splice.text(child);
  return out;
}

std::string DeclarationLowering::part(const Node* node) {
  switch (node->kind) {
    case NodeKind::kSpecifiers: {
      const auto& specifiers = *as<Specifiers>(node);
      if (specifiers.type.is_shared())
        return between(lower_.declarators.storage(specifiers, false),
                       lower_.declarators.base_type(specifiers));
      return lower_.splice.spliced(node);
    }
    case NodeKind::kParameter: {
      const auto& parameter = *as<Parameter>(node);
      return lower_.declarators.single(*parameter.specifiers(), *parameter.declarator());
    }
    case NodeKind::kFieldDeclaration:
      return members(*as<FieldDeclaration>(node));
    case NodeKind::kRecordSpec:
    case NodeKind::kEnumSpec:
    case NodeKind::kTypeofSpec:
      return lower_.declarators.spec(node);
    default:
      return lower_.splice.spliced(node);
  }
}

}  // namespace upc2c
