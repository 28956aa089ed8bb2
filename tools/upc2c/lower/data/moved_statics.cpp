// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/moved_statics.hpp"

#include <algorithm>

#include "tools/upc2c/ast/walk.hpp"
#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {
namespace {

// Calls `f` for the structures in a type, also those behind pointers and in parameters.
template <class F>
void for_each_record(QualType type, const F& f) {
  for (;;) {
    switch (type.kind()) {
      case TypeKind::kFunction:
        for (const QualType& parameter : type->parameters) for_each_record(parameter, f);
        break;
      case TypeKind::kPointer:
      case TypeKind::kArray:
        break;
      case TypeKind::kRecord:
        f(*type->record);
        return;
      default:
        return;
    }
    type = type->inner;
  }
}

// A table of labels stays in its function.
bool has_label_address(const Expr* value) {
  return find_below(value, [](const Node* node) {
           const auto* unary = cast_if<UnaryExpr>(node);
           return unary != nullptr && unary->op == UnaryOp::kLabelAddress;
         }) != nullptr;
}

bool is_static_of_function(const Symbol& symbol) {
  return symbol.kind == SymbolKind::kVariable && symbol.linkage == Linkage::kNone && symbol.static_storage;
}

}  // namespace

std::string MovedStatics::name(const Symbol& symbol) const {
  const auto found = names_.find(&symbol);
  return found == names_.end() ? std::string(symbol.text) : found->second;
}

void MovedStatics::find(Node* external) {
  any_moved_ = false;
  const auto* function = cast_if<Function>(external);
  find_marks(external);
  if (function == nullptr) return;
  find_statics(external);
  if (any_moved_) mark_uses(external);
}

void MovedStatics::find_marks(Node* external) {
  unsigned functions = 0;  // around a node, and the node
  walk(
      external, [&](const Node* node) { functions += node->is(NodeKind::kFunction) ? 1 : 0; },
      [&](Node* node, std::span<Node* const> above) {
        functions -= node->is(NodeKind::kFunction) ? 1 : 0;
        node->has_upc |= mark_record(node, above, functions > 0);
        node->has_upc |= mark_renamed(node) || defines_thread_data(node) || declares_initialized_const(node);
        if (!above.empty()) above.back()->has_upc |= node->has_upc;
      });
}

// Structures without a tag get one, so that text elsewhere can name their types.
bool MovedStatics::mark_record(Node* node, std::span<Node* const> above, bool in_function) {
  auto* spec = cast_if<RecordSpec>(node);
  if (spec == nullptr || !spec->defined || !spec->type) return false;
  if (in_function) local_.insert(spec->type->record);
  const Node* parent = above.empty() ? nullptr : above.back();
  const Node* grandparent = above.size() < 2 ? nullptr : above[above.size() - 2];
  if (!needs_tag(*spec, cast_if<Specifiers>(parent), grandparent)) return false;
  spec->type->record->tag = keep(lower_.splice.temporary("upc_struct"));
  return true;
}

// All that mention a structure by a tag that hides another one's.
bool MovedStatics::mark_renamed(const Node* node) {
  const auto* spec = cast_if<RecordSpec>(node);
  if (spec == nullptr || spec->tag == 0 || !spec->type.is_record()) return false;
  Record& record = *spec->type->record;
  if (is_renamed(record)) return true;
  if (is_moved(record) || !lower_.hidden_types.hides(record)) return false;
  record.tag = keep(lower_.splice.temporary(record.tag));
  renamed_.insert(&record);
  return true;
}

// Its definition gets an attribute.
bool MovedStatics::defines_thread_data(const Node* node) const {
  const auto* declaration = cast_if<Declaration>(node);
  if (declaration == nullptr) return false;
  const auto declarators = declaration->declarators();
  return std::any_of(declarators.begin(), declarators.end(), [&](const Node* child) {
    const auto& declarator = *as<InitDeclarator>(child);
    const Symbol* symbol = declarator.declarator()->symbol;
    return symbol != nullptr && symbol->kind == SymbolKind::kVariable &&
           (declaration->specifiers()->storage != Tok::kExtern || declarator.initializer() != nullptr) &&
           !lower_.thread_data.attribute(*symbol).empty();
  });
}

// Every declaration of an object that start-up code may assign is written without const, not only its
// definition.
bool MovedStatics::declares_initialized_const(const Node* node) {
  const auto* declaration = cast_if<Declaration>(node);
  if (declaration == nullptr) return false;
  const auto declarators = declaration->declarators();
  return std::any_of(declarators.begin(), declarators.end(), [](const Node* child) {
    const Symbol* symbol = as<InitDeclarator>(child)->declarator()->symbol;
    if (symbol == nullptr || symbol->kind != SymbolKind::kVariable) return false;
    const auto* definition = cast_if<InitDeclarator>(symbol->definition);
    return definition != nullptr && definition != child && definition->initializer() != nullptr &&
           symbol->type.ultimate_element().has(kConst);
  });
}

bool MovedStatics::needs_tag(const RecordSpec& spec, const Specifiers* specifiers,
                             const Node* declaration) const {
  if (spec.tag != 0 || specifiers == nullptr ||
      lower_.stream.token(spec.tokens.begin).origin != Origin::kUser)
    return false;
  // With a tag an anonymous member would be none.
  const auto* member = cast_if<FieldDeclaration>(declaration);
  if (member != nullptr && member->declarators().empty()) return false;
  // Of a shared typedef there is no name in C, and others may be hidden where the type is named.
  const std::string_view name = spec.type->record->typedef_name;
  return name.empty() || lower_.hidden_types.is_ambiguous(name) ||
         (specifiers->storage == Tok::kTypedef && specifiers->type.is_shared());
}

void MovedStatics::find_statics(Node* external) {
  walk(
      external, [](const Node*) {},
      [this](const Node* node, std::span<Node* const>) {
        const auto* declarator = cast_if<InitDeclarator>(node);
        if (declarator != nullptr && declarator->declarator()->symbol != nullptr) find_static(*declarator);
      });
}

void MovedStatics::find_static(const InitDeclarator& declarator) {
  const Symbol& symbol = *declarator.declarator()->symbol;
  if (!is_static_of_function(symbol)) return;
  const Expr* init = declarator.initializer();
  if (!symbol.is_shared_object()) {
    if (init != nullptr && has_label_address(init)) {
      staying_.insert(&symbol);
      return;
    }
    if (!lower_.thread_data.concerns(symbol) &&
        (init == nullptr || !lower_.initial_values.is_assigned(symbol, init)))
      return;
  }
  move(symbol);
}

// Also the statics that the initial value names.
void MovedStatics::move(const Symbol& symbol) {
  if (is_moved(symbol) || stays(symbol)) return;
  const std::string_view outer = symbol.function == nullptr
                                     ? std::string_view("upc")
                                     : lower_.stream.names().text(symbol.function->declarator()->name);
  names_[&symbol] = lower_.splice.temporary(std::string(outer) + "_" + std::string(symbol.text));
  any_moved_ = true;
  const auto* definition = cast_if<InitDeclarator>(symbol.definition);
  if (definition != nullptr && definition->initializer() != nullptr) move_named(definition->initializer());
  if (!symbol.is_shared_object() || definition != nullptr) need(symbol.type);
}

void MovedStatics::move_named(const Node* value) {
  find_below(value, [this](const Node* node) {
    const auto* name = cast_if<NameExpr>(node);
    if (name != nullptr && name->symbol != nullptr && is_static_of_function(*name->symbol))
      move(*name->symbol);
    return false;
  });
}

void MovedStatics::need(QualType type) {
  for_each_record(type, [this](Record& record) {
    if (!is_local(record) || !moved_.insert(&record).second) return;
    record.tag = keep(
        lower_.splice.temporary("upc_" + std::string(record.tag.empty() ? record.typedef_name : record.tag)));
    for (const Field& field : record.fields) need(field.type);
  });
}

void MovedStatics::mark_uses(Node* function) {
  const auto is_moved_static = [this](const Node* node) {
    const auto* declarator = cast_if<InitDeclarator>(node);
    return declarator != nullptr && declarator->declarator()->symbol != nullptr &&
           is_moved(*declarator->declarator()->symbol);
  };
  unsigned moved = 0;  // statics around a node
  walk(
      function, [&](const Node* node) { moved += is_moved_static(node) ? 1 : 0; },
      [&](Node* node, std::span<Node* const> above) {
        node->has_upc |= is_moved_static(node) || uses_moved(node, moved > 0);
        moved -= is_moved_static(node) ? 1 : 0;
        if (!above.empty()) above.back()->has_upc |= node->has_upc;
      });
}

// `elsewhere`: in an initial value that is written at file scope.
bool MovedStatics::uses_moved(const Node* node, bool elsewhere) {
  if (const auto* name = cast_if<NameExpr>(node); name != nullptr && name->symbol == nullptr)
    return elsewhere;  // __func__
  if (const auto* name = cast_if<NameExpr>(node); name != nullptr)
    return is_moved(*name->symbol) || (elsewhere && name->symbol->kind == SymbolKind::kEnumerator);
  if (const auto* spec = cast_if<RecordSpec>(node)) return spec->type && is_moved(*spec->type->record);
  const auto* name = cast_if<TypeName>(node);
  if (name == nullptr || !elsewhere) return false;
  if (name->specifiers()->typedef_name == 0 || name->type().is_unknown()) return false;
  elsewhere_.insert(name);
  return true;
}

// The records that the type needs and that are not written yet.
void MovedStatics::collect(QualType type, std::vector<const Record*>& out) const {
  for_each_record(type, [&](const Record& record) {
    if (!is_moved(record) || written_.contains(&record)) return;
    if (std::find(out.begin(), out.end(), &record) != out.end()) return;
    out.push_back(&record);
    for (const Field& field : record.fields) collect(field.type, out);
  });
}

// The records whose values it holds come first.
std::string MovedStatics::definition_after_parts(const Record& record) {
  std::string out;
  if (!is_moved(record) || !record.complete || !written_.insert(&record).second) return out;
  for (const Field& field : record.fields)
    if (const QualType element = field.type.ultimate_element(); element.is_record())
      out += definition_after_parts(*element->record);
  return out + definition(record, true) + "; ";
}

std::string MovedStatics::definitions(QualType type) {
  std::vector<const Record*> records;
  collect(type, records);
  std::string out;
  for (const Record* record : records)
    out += std::string(record->is_union ? "union " : "struct ") + std::string(record->tag) + "; ";
  for (const Record* record : records) out += definition_after_parts(*record);
  return out;
}

std::string MovedStatics::definition(const Record& record, bool with_tag) {
  std::string out = record.is_union ? "union " : "struct ";
  if (with_tag) out += std::string(record.tag) + " ";
  out += "{ ";
  for (const Field& f : record.fields) out += field(f) + "; ";
  out += "}";
  if (record.packed) out += " __attribute__((packed))";
  if (record.transparent) out += " __attribute__((transparent_union))";
  if (record.min_align != 0) out += " __attribute__((aligned(" + std::to_string(record.min_align) + ")))";
  if (record.pack == 0) return out;
  return "_Pragma(\"pack(push, " + std::to_string(record.pack) + ")\") " + out + " _Pragma(\"pack(pop)\")";
}

std::string MovedStatics::field(const Field& field) {
  std::string out = field.name == 0 && field.type.is_record()
                        ? definition(*field.type->record, false)
                        : lower_.type_texts.spell(field.type, field.text);
  if (field.is_bit_field()) out += " : " + std::to_string(field.bit_width);
  if (field.packed) out += " __attribute__((packed))";
  if (field.min_align != 0) out += " __attribute__((aligned(" + std::to_string(field.min_align) + ")))";
  if (field.min_align == 0 && field.type_align != 0 && !field.is_bit_field())
    out += " __attribute__((packed, aligned(" + std::to_string(field.type_align) + ")))";
  return out;
}

}  // namespace upc2c
