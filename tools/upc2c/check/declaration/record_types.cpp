// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/declaration/record_types.hpp"

#include <algorithm>

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {

// The type of a tag: a visible one, or a new one.
QualType RecordTypes::tagged(NameId tag, bool here_only, TypeKind kind, bool is_union, TokenIndex at) {
  if (tag != 0) {
    const QualType found = here_only ? c_.scopes.find_tag_here(tag) : c_.scopes.find_tag(tag);
    if (found && found.is(kind) && (kind == TypeKind::kEnum || found->record->is_union == is_union))
      return found;
    if (found) c_.report(Diag::kRedefinition, at, "'%' is another kind of tag", {c_.text(tag)});
  }
  const QualType made = kind == TypeKind::kEnum ? c_.types.new_enumeration(c_.text(tag))
                                                : c_.types.new_record(c_.text(tag), is_union);
  if (kind == TypeKind::kEnum) {
    made->enumeration->of_block = !c_.scopes.at_file_scope();
  } else {
    made->record->of_block = !c_.scopes.at_file_scope();
    made->record->of_system = tag != 0 && c_.stream.token(at).origin != Origin::kUser;
  }
  if (tag != 0) c_.scopes.declare_tag(tag, made);
  return made;
}

QualType RecordTypes::record(RecordSpec& spec, bool alone) {
  QualType type = tagged(spec.tag, spec.defined || alone, TypeKind::kRecord, spec.is_union, spec.tag_token);
  if (spec.defined && type->record->complete) {
    c_.report(Diag::kRedefinition, spec.tag_token, "'% %' is defined again",
              {spec.is_union ? "union" : "struct", c_.text(spec.tag)});
    type = c_.types.new_record(c_.text(spec.tag), spec.is_union);
  }
  spec.type = type;
  Record& record = *type->record;
  if (!spec.defined) return type;
  for (const Attribute* attribute : spec.attributes) {
    record.packed |= attribute->attribute == AttributeKind::kPacked;
    record.transparent |= attribute->attribute == AttributeKind::kTransparentUnion;
    record.reversed |= attribute->attribute == AttributeKind::kStorageOrder && attribute->word != 0 &&
                       c_.stream.text(attribute->word).find("big") != std::string_view::npos;
  }
  record.pack = spec.pack;
  record.min_align = c_.declared.min_align(spec.attributes);
  fields(spec, record);
  lay_out(record, c_.types);
  return type;
}

void RecordTypes::fields(RecordSpec& spec, Record& record) {
  for (Node* child : spec.children()) {
    if (auto* declaration = cast_if<FieldDeclaration>(child)) field(*declaration, record);
    if (auto* assertion = cast_if<StaticAssert>(child)) c_.declarations.in_block(assertion);
  }
}

void RecordTypes::field(FieldDeclaration& declaration, Record& record) {
  Specifiers& specifiers = *declaration.specifiers();
  if (declaration.has_error) return;
  const QualType base = c_.declared.specifiers(specifiers);
  const auto add = [&](Field made, std::span<Attribute* const> attributes, bool plain) {
    for (const Attribute* attribute : specifiers.attributes)
      made.packed |= attribute->attribute == AttributeKind::kPacked;
    for (const Attribute* attribute : attributes)
      made.packed |= attribute->attribute == AttributeKind::kPacked;
    // A structure that contains itself, or one that is not defined yet.
    const QualType element = made.type.ultimate_element();
    if (element.is_record() && !element->record->complete) {
      c_.report(Diag::kIncomplete, Mark(declaration.tokens), "a member has the incomplete type %",
                {quoted(element)});
      made.type = c_.types.unknown();
    }
    made.min_align = std::max(c_.declared.min_align(attributes), c_.declared.min_align(specifiers));
    if (plain) made.type_align = c_.declared.typedef_align(specifiers);
    record.fields.push_back(made);
  };
  if (declaration.declarators().empty()) {
    if (!base.is_record()) return;  // declares a tag or nothing
    const auto* spec = cast_if<RecordSpec>(specifiers.spec);
    if (spec != nullptr && spec->tag != 0) return;  // but -fms-extensions
    Field anonymous;
    anonymous.type = base;
    add(anonymous, {}, true);
    return;
  }
  for (Node* node : declaration.declarators()) {
    auto* declarator = as<Declarator>(node);
    QualType type = c_.declared.declarator(*declarator, base, Declared::kField);
    c_.declared.require_constant_bounds(*declarator, type, "the bound of a member");
    if (type.is_shared()) {
      c_.report(
          Diag::kShrField, Mark(declarator->tokens),
          "a member cannot be shared: the type of '%' is %; the structure as a whole can be, and a member can be a pointer-to-shared",
          {c_.text(declarator->name), quoted(type)});
      type = c_.types.unqualify(type, kShared | kStrict | kRelaxed);
    }
    c_.check_name(*declarator);
    Field made;
    made.name = declarator->name;
    made.text = c_.text(declarator->name);
    made.type = type;
    if (declarator->bit_width != nullptr) {
      const std::optional<std::int32_t> width = bit_width(*declarator, type);
      made.bit_width = width.value_or(0);
      if (!width) record.unknown_layout = true;
      if (type.is_pointer_to_shared())
        c_.report(Diag::kShrField, Mark(declarator->tokens), "the type of the bit-field '%' is %, no integer",
                  {c_.text(declarator->name), quoted(type)});
    }
    const auto is_array = [](const DeclaratorChunk& chunk) {
      return chunk.kind == DeclaratorChunk::Kind::kArray;
    };
    add(made, declarator->attributes,
        std::all_of(declarator->chunks.begin(), declarator->chunks.end(), is_array));
  }
}

// Of a bit-field of this type; empty: it is not computed here.
std::optional<std::int32_t> RecordTypes::bit_width(const Declarator& field, QualType type) {
  c_.expressions.value(*field.bit_width);
  c_.require_constant(*field.bit_width, "the width of a bit-field");
  const auto width = Constants::integer(field.bit_width);
  if (!width) return std::nullopt;
  const auto size = size_of(type);
  const std::int64_t least = field.name != 0 ? 1 : 0, most = type.is(TypeKind::kBool) ? 1
                                                             : size && !size->threads ? size->factor * 8
                                                                                      : 128;
  if (*width >= least && *width <= most) return static_cast<std::int32_t>(*width);
  c_.report(Diag::kConst, Mark(field.bit_width->tokens),
            "the width of a bit-field of type % is % to % bits, and this one is %",
            {quoted(type), std::to_string(least), std::to_string(most), Constants::decimal(*width)});
  return static_cast<std::int32_t>(least);
}

QualType RecordTypes::enumeration(EnumSpec& spec, bool alone) {
  QualType type = tagged(spec.tag, spec.defined || alone, TypeKind::kEnum, false, spec.tag_token);
  spec.type = type;
  if (spec.defined) {
    enumerators(spec, *type->enumeration);
    type->enumeration->complete = true;
  }
  return type;
}

void RecordTypes::enumerators(EnumSpec& spec, Enumeration& enumeration) {
  Constants::Integer next = 0, low = 0, high = 0;
  std::vector<Symbol*> made;
  for (Node* child : spec.children()) {
    auto* enumerator = as<Enumerator>(child);
    if (Expr* value = enumerator->value()) {
      c_.expressions.value(*value);
      c_.require_constant(*value, "the value of an enumerator");
      if (const auto known = Constants::integer(value)) next = *known;
    }
    if (enumerator->name == 0) continue;
    Symbol* symbol = c_.scopes.declare(enumerator->name, c_.text(enumerator->name));
    enumerator->symbol = symbol;
    symbol->kind = SymbolKind::kEnumerator;
    symbol->type = c_.types.int_type();
    symbol->value = next;
    symbol->token = enumerator->tokens.begin;
    symbol->origin = c_.stream.token(symbol->token).origin;
    made.push_back(symbol);
    low = std::min(low, next);
    high = std::max(high, next);
    next++;
  }
  const bool negative = low < 0;
  const bool wide = negative ? low < -2147483648LL || high > 2147483647LL : high > 4294967295LL;
  enumeration.underlying = wide       ? (negative ? TypeKind::kLong : TypeKind::kULong)
                           : negative ? TypeKind::kInt
                                      : TypeKind::kUInt;
  // Constants that an int does not hold have the type of the enumeration (GNU).
  for (Symbol* symbol : made)
    if (symbol->value != static_cast<std::int32_t>(symbol->value))
      symbol->type = c_.types.basic(enumeration.underlying);
}

}  // namespace upc2c
