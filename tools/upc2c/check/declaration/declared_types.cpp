// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/declaration/declared_types.hpp"

#include <algorithm>

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {

QualType DeclaredTypes::words_type(const TypeWords& words) {
  const bool u = words.unsigneds > 0;
  const auto integer = [&](TypeKind kind) {
    return c_.types.basic(static_cast<TypeKind>(static_cast<int>(kind) + (u ? 1 : 0)));
  };
  const auto floating = [&](TypeKind kind) {
    const QualType type = c_.types.basic(kind);
    return words.complexes > 0 ? c_.types.complex_of(type) : type;
  };
  switch (words.base) {
    case Tok::kVoid:
      return c_.types.void_type();
    case Tok::kBool:
      return c_.types.basic(TypeKind::kBool);
    case Tok::kChar:
      return c_.types.basic(u ? TypeKind::kUChar : words.signeds > 0 ? TypeKind::kSChar : TypeKind::kChar);
    case Tok::kInt128:
      return integer(TypeKind::kInt128);
    case Tok::kFloat16:
      return floating(TypeKind::kFloat16);
    case Tok::kBFloat16:
      return floating(TypeKind::kBFloat16);
    case Tok::kFloat:
      return floating(TypeKind::kFloat);
    case Tok::kFloat32:
      return floating(TypeKind::kFloat32);
    case Tok::kDouble:
      return floating(words.longs > 0 ? TypeKind::kLongDouble : TypeKind::kDouble);
    case Tok::kFloat64:
      return floating(TypeKind::kFloat64);
    case Tok::kFloat32x:
      return floating(TypeKind::kFloat32x);
    case Tok::kFloat64x:
      return floating(TypeKind::kFloat64x);
    case Tok::kFloat80:
      return floating(TypeKind::kLongDouble);
    case Tok::kFloat128:
      return floating(TypeKind::kFloat128);
    case Tok::kDecimal32:
      return c_.types.basic(TypeKind::kDecimal32);
    case Tok::kDecimal64:
      return c_.types.basic(TypeKind::kDecimal64);
    case Tok::kDecimal128:
      return c_.types.basic(TypeKind::kDecimal128);
    default:
      break;
  }
  QualType type = c_.types.int_type();
  if (words.shorts > 0)
    type = integer(TypeKind::kShort);
  else if (words.longs > 1)
    type = integer(TypeKind::kLongLong);
  else if (words.longs == 1)
    type = integer(TypeKind::kLong);
  else if (words.base == Tok::kInt || u || words.signeds > 0)
    type = integer(TypeKind::kInt);
  else if (words.complexes > 0)
    return c_.types.complex_of(c_.types.basic(TypeKind::kDouble));
  return words.complexes > 0 ? c_.types.complex_of(type) : type;
}

QualType DeclaredTypes::base_type(Specifiers& specifiers, bool alone) {
  if (specifiers.typedef_name != 0) {
    const Symbol* symbol = c_.scopes.find(specifiers.typedef_name);
    return symbol != nullptr && symbol->kind == SymbolKind::kTypedef ? symbol->type : c_.types.unknown();
  }
  if (auto* record = cast_if<RecordSpec>(specifiers.spec)) return c_.records.record(*record, alone);
  if (auto* enumeration = cast_if<EnumSpec>(specifiers.spec))
    return c_.records.enumeration(*enumeration, alone);
  if (auto* of = cast_if<TypeofSpec>(specifiers.spec)) {
    if (auto* name = cast_if<TypeName>(of->operand())) return type_name(*name);
    auto* operand = as<Expr>(of->operand());
    c_.expressions.check(*operand, Use::kUnevaluated);
    return operand->type;
  }
  if (auto* atomic = cast_if<AtomicSpec>(specifiers.spec))
    return c_.types.qualify(type_name(*atomic->type_name()), kAtomic);
  if (specifiers.words.any()) return words_type(specifiers.words);
  if (specifiers.auto_type) return c_.types.unknown();
  if (!specifiers.has_error && !specifiers.tokens.empty())
    c_.report(Diag::kImplicitInt, specifiers.tokens.begin, "a declaration without a type declares an int");
  return c_.types.int_type();
}

QualType DeclaredTypes::specifiers(Specifiers& specifiers, bool alone) {
  for (Node* child : specifiers.children())
    if (auto* aligned = cast_if<AlignasSpec>(child)) {
      if (auto* name = cast_if<TypeName>(aligned->operand()))
        type_name(*name);
      else {
        c_.expressions.value(*as<Expr>(aligned->operand()));
        c_.require_constant(*as<Expr>(aligned->operand()), "an alignment");
      }
    }
  QualType type = with_attributes(base_type(specifiers, alone), specifiers.attributes);
  type = c_.shared.qualify(type, specifiers.qualifiers);
  if (type.is_shared() && type.has(kAtomic)) {
    c_.report(
        Diag::kShrBuiltin, Mark(specifiers.tokens),
        "_Atomic works on private memory only; an atomicity domain (upc_atomic.h) or a lock makes accesses to "
        "shared objects atomic");
    type = c_.types.unqualify(type, kAtomic);
  }
  const QualType element = type.ultimate_element();
  if (type.is_shared() && element.has(kRestrict) && !element.is_pointer() && !element.is_unknown()) {
    c_.report(Diag::kShrRestrict, Mark(specifiers.tokens), "restrict qualifies pointers only");
    type = c_.types.unqualify(type, kRestrict);
  }
  specifiers.type = type;
  specifiers.has_upc |= type.is_shared();
  return type;
}

// mode, vector_size
QualType DeclaredTypes::with_attributes(QualType type, std::span<Attribute* const> attributes) {
  for (Attribute* attribute : attributes) {
    if (Expr* argument = attribute->argument()) {
      c_.expressions.value(*argument);
      c_.require_constant(*argument, "the argument of an attribute");
    }
    if (attribute->attribute == AttributeKind::kVectorSize && type.is_arithmetic()) {
      const auto bytes = Constants::integer(attribute->argument());
      const auto size = size_of(type);
      if (bytes && size && size->factor > 0)
        type = c_.types.vector_of(type, static_cast<std::int64_t>(*bytes) / size->factor);
    }
    if (attribute->attribute == AttributeKind::kMode && attribute->word != 0) {
      const std::string_view word = c_.stream.text(attribute->word);
      const bool u = is_unsigned(type, c_.types.target());
      const auto integer = [&](TypeKind kind) {
        return c_.types.basic(static_cast<TypeKind>(static_cast<int>(kind) + (u ? 1 : 0)));
      };
      if (word.find("QI") != std::string_view::npos || word.find("byte") != std::string_view::npos)
        type = integer(TypeKind::kSChar);
      else if (word.find("HI") != std::string_view::npos)
        type = integer(TypeKind::kShort);
      else if (word.find("SI") != std::string_view::npos)
        type = integer(TypeKind::kInt);
      else if (word.find("DI") != std::string_view::npos || word.find("word") != std::string_view::npos ||
               word.find("pointer") != std::string_view::npos)
        type = integer(TypeKind::kLong);
      else if (word.find("TI") != std::string_view::npos)
        type = integer(TypeKind::kInt128);
      else if (word.find("SF") != std::string_view::npos)
        type = c_.types.basic(TypeKind::kFloat);
      else if (word.find("DF") != std::string_view::npos)
        type = c_.types.basic(TypeKind::kDouble);
    }
  }
  return type;
}

std::uint32_t DeclaredTypes::min_align(std::span<Attribute* const> attributes) {
  std::uint32_t align = 0;
  for (Attribute* attribute : attributes) {
    if (attribute->attribute != AttributeKind::kAligned) continue;
    Expr* argument = attribute->argument();
    if (argument != nullptr && argument->type.type == nullptr) c_.expressions.value(*argument);
    const auto value = Constants::integer(argument);
    align = std::max(align, argument == nullptr ? 16u : value ? static_cast<std::uint32_t>(*value) : 0u);
  }
  return align;
}

std::uint32_t DeclaredTypes::min_align(const Specifiers& specifiers) {
  std::uint32_t align = min_align(specifiers.attributes);
  for (const Node* child : specifiers.children()) {
    const auto* spec = cast_if<AlignasSpec>(child);
    if (spec == nullptr) continue;
    if (const auto* name = cast_if<TypeName>(spec->operand()))
      align = std::max(align, align_of(name->type()));
    else if (const auto value = Constants::integer(as<Expr>(spec->operand())))
      align = std::max(align, static_cast<std::uint32_t>(*value));
  }
  return align;
}

std::uint32_t DeclaredTypes::typedef_align(const Specifiers& specifiers) const {
  const Symbol* symbol = specifiers.typedef_name == 0 ? nullptr : c_.scopes.find(specifiers.typedef_name);
  return symbol == nullptr ? 0 : symbol->min_align;
}

QualType DeclaredTypes::declarator(Declarator& declarator, QualType base, Declared what) {
  QualType type = base;
  for (DeclaratorChunk& chunk : declarator.chunks) {
    if (type.type != nullptr && type->depth >= kMaxTypeDepth) {
      c_.report(Diag::kSyntax, chunk.tokens.begin, "a type made of more than % others",
                {std::to_string(kMaxTypeDepth)});
      return declarator.type = c_.types.unknown();
    }
    switch (chunk.kind) {
      case DeclaratorChunk::Kind::kPointer:
        type = pointer(chunk, type);
        break;
      case DeclaratorChunk::Kind::kArray:
        type = array(chunk, type, threads_once(declarator, chunk, what));
        break;
      case DeclaratorChunk::Kind::kFunction:
        type = function(chunk, type);
        break;
    }
    chunk.type = type;
    declarator.has_upc |= type.is_pointer_to_shared() || type.is_shared();
  }
  type = with_attributes(type, declarator.attributes);
  if (type.is_shared()) type = c_.shared.resolve_star(type, declarator, what);
  declarator.type = type;
  declarator.has_upc |= type.is_shared();
  return type;
}

QualType DeclaredTypes::pointer(DeclaratorChunk& chunk, QualType pointee) {
  pointee = c_.shared.refuse_star(pointee, Diag::kStarPtr, chunk.tokens.begin, "a pointer");
  return c_.shared.qualify(c_.types.pointer_to(pointee), chunk.qualifiers);
}

// Whether the bounds of a type that no object has can mention THREADS only once. Objects have a rule of their
// own (SharedRules::check_object), and the outermost bound of a parameter does not count.
bool DeclaredTypes::threads_once(const Declarator& declarator, const DeclaratorChunk& chunk, Declared what) {
  const DeclaratorChunk* last = &declarator.chunks.back();
  if (what == Declared::kParameter && &chunk == last) return false;
  if (what != Declared::kObject) return true;
  return std::any_of(&chunk, last + 1, [](const DeclaratorChunk& outer) {
    return outer.kind != DeclaratorChunk::Kind::kArray;
  });
}

QualType DeclaredTypes::array(DeclaratorChunk& chunk, QualType element, bool threads_once) {
  if (chunk.bound != nullptr) c_.expressions.value(*chunk.bound);
  if (chunk.star_bound) return c_.types.array_of(element, Bound::kStar);
  if (chunk.bound == nullptr) return c_.types.array_of(element, Bound::kIncomplete);
  std::optional<Extent> extent = c_.shared.extent(*chunk.bound, element);
  for (QualType t = element; threads_once && extent && extent->threads && t.is_array(); t = t->inner)
    if (t->extent.threads) {
      c_.report(Diag::kThrTwice, Mark(chunk.bound->tokens), "THREADS is in two bounds of one array");
      extent->threads = false;
    }
  return extent ? c_.types.array_of(element, Bound::kExtent, *extent)
                : c_.types.array_of(element, Bound::kVariable);
}

QualType DeclaredTypes::function(DeclaratorChunk& chunk, QualType result) {
  if (result.is_shared()) {
    c_.report(Diag::kShrRet, chunk.tokens.begin,
              "a function cannot return the shared type %; it can return a pointer-to-shared",
              {quoted(result)});
    result = c_.types.unqualify(result, kShared | kStrict | kRelaxed);
  }
  const Scopes::Scope scope(c_.scopes);
  std::vector<QualType> parameters;
  for (Parameter* p : chunk.parameters) parameters.push_back(parameter(*p));
  if (parameters.size() == 1 && parameters[0].is_void() && chunk.parameters[0]->declarator()->name == 0)
    parameters.clear();
  return c_.types.function(result, parameters, chunk.variadic, chunk.prototyped);
}

// Its symbol is visible to the bounds of those that follow.
QualType DeclaredTypes::parameter(Parameter& parameter) {
  Declarator& declarator = *parameter.declarator();
  const QualType base = specifiers(*parameter.specifiers());
  QualType type = this->declarator(declarator, base, Declared::kParameter);
  if (type.is_shared() && !type.is_array()) {
    c_.report(Diag::kShrParam, Mark(parameter.tokens), "a parameter cannot be shared: its type is %",
              {quoted(type)});
    type = c_.types.unqualify(type, kShared | kStrict | kRelaxed);
  }
  declarator.type = type = c_.types.decay(type);
  c_.check_name(declarator);
  if (declarator.name != 0) {
    Symbol* symbol = c_.scopes.declare(declarator.name, c_.text(declarator.name));
    symbol->kind = SymbolKind::kParameter;
    symbol->type = type;
    symbol->token = declarator.name_token;
    symbol->declarator = &declarator;
    symbol->origin = c_.stream.token(declarator.name_token).origin;
    symbol->defined = true;
    declarator.symbol = symbol;
  }
  return type;
}

void DeclaredTypes::require_constant_bounds(const Declarator& declarator, QualType type,
                                            std::string_view what) {
  if (type.is_shared() || !type.is_array()) return;
  // Not those of a shared array that it points to, which may have THREADS.
  for (const DeclaratorChunk& chunk : declarator.chunks)
    if (chunk.bound != nullptr && !chunk.type.is_shared()) c_.require_constant(*chunk.bound, what);
}

QualType DeclaredTypes::type_name(TypeName& name) {
  const QualType base = specifiers(*name.specifiers());
  return declarator(*name.declarator(), base, Declared::kTypeName);
}

}  // namespace upc2c
