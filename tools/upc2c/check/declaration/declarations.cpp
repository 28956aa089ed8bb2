// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/declaration/declarations.hpp"

#include <algorithm>

#include "tools/upc2c/ast/walk.hpp"
#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/type/compat.hpp"

namespace upc2c {

void Declarations::declare_builtin_types() {
  const auto add = [&](const char* name, QualType type) {
    const NameId id = c_.stream.names().intern(name);
    Symbol* symbol = c_.scopes.declare(id, name);
    symbol->kind = SymbolKind::kTypedef;
    symbol->type = type;
    symbol->origin = Origin::kSystem;
  };
  add("__builtin_va_list", c_.types.va_list_type());
  add("__int128_t", c_.types.basic(TypeKind::kInt128));
  add("__uint128_t", c_.types.basic(TypeKind::kUInt128));
}

void Declarations::external(Node* node) {
  if (auto* pragma = cast_if<ModePragma>(node)) c_.mode = pragma->mode;
  in_block(node);
}

void Declarations::in_block(Node* node) {
  if (auto* d = cast_if<Declaration>(node)) return declaration(*d);
  if (auto* f = cast_if<Function>(node)) return function(*f);
  if (auto* assertion = cast_if<StaticAssert>(node)) {
    c_.expressions.value(*assertion->condition());
    c_.require_constant(*assertion->condition(), "an assertion");
  }
}

void Declarations::declaration(Declaration& declaration) {
  Specifiers& specifiers = *declaration.specifiers();
  const bool alone = declaration.declarators().empty();
  const QualType base = c_.declared.specifiers(specifiers, alone);
  for (Node* node : declaration.declarators()) declarator(*as<InitDeclarator>(node), specifiers, base);
}

void Declarations::declarator(InitDeclarator& node, Specifiers& specifiers, QualType base) {
  Declarator& declarator = *node.declarator();
  const bool is_typedef = specifiers.storage == Tok::kTypedef;
  Expr* init = node.initializer();
  // __auto_type has the type of its initialiser.
  if (specifiers.auto_type && init != nullptr)
    base = c_.shared.qualify(c_.expressions.value(*init), specifiers.qualifiers);
  QualType type =
      c_.declared.declarator(declarator, base, is_typedef ? Declared::kTypedef : Declared::kObject);
  if (declarator.name == 0) return;
  if (is_typedef) return typedef_name(declarator, specifiers, type);
  Symbol* symbol = declare(declarator, specifiers, type, init != nullptr);
  node.defines_static = symbol->is_thread_data() && (specifiers.storage != Tok::kExtern || init != nullptr);
  if (init != nullptr) {
    symbol->definition = &node;
    symbol->tentative = false;
    if (!specifiers.auto_type) c_.initializers.check(*init, *symbol);
    if (symbol->static_storage) c_.static_values.check(*init, *symbol);
    declarator.type = symbol->type;
  }
  if (symbol->static_storage)
    c_.declared.require_constant_bounds(declarator, symbol->type,
                                        "the bound of an array with static storage");
  // A difference from an earlier declaration has been reported.
  if (compatible(symbol->type, type)) c_.shared.check_object(*symbol, specifiers, declarator);
}

void Declarations::typedef_name(Declarator& declarator, const Specifiers& specifiers, QualType type) {
  Symbol* symbol = c_.scopes.find_here(declarator.name);
  c_.check_name(declarator);
  if (c_.function == nullptr)
    c_.declared.require_constant_bounds(declarator, type, "the bound of an array type outside of functions");
  if (symbol != nullptr && symbol->kind == SymbolKind::kTypedef && !compatible(symbol->type, type) &&
      (mentions_shared(symbol->type) || mentions_shared(type)))
    c_.report(Diag::kRedecl, declarator.name_token, "'%' is a name of type % here and of % before",
              {symbol->text, quoted(type), quoted(symbol->type)})
        .note(Mark(symbol->token), "the declaration before");
  if (symbol == nullptr || symbol->kind != SymbolKind::kTypedef)
    symbol = c_.scopes.declare(declarator.name, c_.text(declarator.name));
  symbol->kind = SymbolKind::kTypedef;
  symbol->type = type;
  symbol->token = declarator.name_token;
  symbol->origin = c_.stream.token(declarator.name_token).origin;
  if (symbol->origin == Origin::kLibrary && symbol->text == "upc_lock_t") symbol->type = type.with(kLockType);
  symbol->declarator = &declarator;
  symbol->min_align =
      std::max(c_.declared.min_align(declarator.attributes), c_.declared.min_align(specifiers));
  if (symbol->min_align == 0 && declarator.chunks.empty())
    symbol->min_align = c_.declared.typedef_align(specifiers);
  declarator.symbol = symbol;
  if (!declarator.chunks.empty()) return;
  if (type.is_record() && type->record->typedef_name.empty()) type->record->typedef_name = symbol->text;
  if (type.is(TypeKind::kEnum) && type->enumeration->typedef_name.empty())
    type->enumeration->typedef_name = symbol->text;
}

// The declaration that this one continues: of this scope, or for a name with linkage in a block of file
// scope.
Symbol* Declarations::previous(const Declarator& declarator, const Specifiers& specifiers,
                               QualType type) const {
  Symbol* here = c_.scopes.find_here(declarator.name);
  if (here != nullptr && (here->kind == SymbolKind::kVariable || here->kind == SymbolKind::kFunction))
    return here;
  if (here != nullptr || c_.scopes.at_file_scope()) return nullptr;
  const bool linked =
      specifiers.storage == Tok::kExtern || (type.is_function() && specifiers.storage == Tok::kEnd);
  Symbol* file = linked ? c_.scopes.find_at_file_scope(declarator.name) : nullptr;
  if (file == nullptr || (file->kind != SymbolKind::kVariable && file->kind != SymbolKind::kFunction))
    return nullptr;
  c_.scopes.show(file);
  return file;
}

void Declarations::redeclare(Symbol& symbol, Declarator& declarator, QualType type) {
  // Private C is the C compiler's to judge.
  if (!compatible(symbol.type, type) && (mentions_shared(symbol.type) || mentions_shared(type))) {
    c_.report(Diag::kRedecl, declarator.name_token, "'%' is declared as % here and as % before",
              {symbol.text, quoted(type), quoted(symbol.type)})
        .note(Mark(symbol.token), "the declaration before");
    return;
  }
  if (compatible(symbol.type, type))
    type = composite(c_.types, type, symbol.type);
  else if (symbol.type.is_function() && type.is_function())
    symbol.overloads.push_back(symbol.type);
  symbol.type = type;
}

Symbol* Declarations::declare(Declarator& declarator, const Specifiers& specifiers, QualType type,
                              bool defines) {
  const bool file = c_.scopes.at_file_scope();
  Symbol* symbol = previous(declarator, specifiers, type);
  const bool fresh = symbol == nullptr;
  if (!type.is_function() || defines) c_.check_name(declarator);
  if (fresh) {
    symbol = c_.scopes.declare(declarator.name, c_.text(declarator.name));
    symbol->type = type;
    symbol->kind = type.is_function() ? SymbolKind::kFunction : SymbolKind::kVariable;
    symbol->token = declarator.name_token;
    symbol->origin = c_.stream.token(declarator.name_token).origin;
    symbol->declarator = &declarator;
    symbol->function = c_.function;
    const bool is_extern = specifiers.storage == Tok::kExtern || type.is_function();
    symbol->linkage = specifiers.storage == Tok::kStatic && file ? Linkage::kInternal
                      : file || is_extern                        ? Linkage::kExternal
                                                                 : Linkage::kNone;
    symbol->static_storage = file || specifiers.storage == Tok::kStatic || is_extern;
    symbol->thread_local_storage = specifiers.thread_local_storage;
  } else {
    redeclare(*symbol, declarator, type);
  }
  declarator.symbol = symbol;
  find_section(*symbol, declarator, specifiers);
  if (symbol->kind == SymbolKind::kVariable && specifiers.storage != Tok::kExtern) {
    symbol->tentative = file && !defines && (fresh || !symbol->defined || symbol->tentative);
    symbol->defined = true;
  }
  if (defines && symbol->is_shared_object() && symbol->defined && !symbol->tentative && !fresh &&
      symbol->definition != nullptr)
    c_.report(Diag::kRedefinition, declarator.name_token, "'%' is initialised twice", {symbol->text})
        .note(Mark(symbol->token), "the definition before");
  if (!file && symbol->linkage == Linkage::kExternal) link(*symbol, declarator, type);
  if (file && fresh) link(*symbol, declarator, type);
  if (defines) {
    symbol->defined = true;
    symbol->token = declarator.name_token;
  }
  return symbol;
}

void Declarations::find_section(Symbol& symbol, const Declarator& declarator, const Specifiers& specifiers) {
  for (const auto& attributes : {declarator.attributes, specifiers.attributes})
    for (const Attribute* attribute : attributes)
      if (attribute->attribute == AttributeKind::kSection) symbol.section = attribute;
}

// Declarations in different scopes that are not visible to each other name one object or function all the
// same.
void Declarations::link(const Symbol& symbol, const Declarator& declarator, QualType type) {
  if (symbol.linkage != Linkage::kExternal || symbol.origin != Origin::kUser) return;
  const auto [found, is_new] = linked_.try_emplace(symbol.name, &symbol);
  const Symbol& first = *found->second;
  if (is_new || &first == &symbol || compatible(first.type, type)) return;
  if (!mentions_shared(first.type) && !mentions_shared(type)) return;
  c_.report(Diag::kLinkType, declarator.name_token,
            "'%' is declared as % here and as % in another scope of this file",
            {symbol.text, quoted(type), quoted(first.type)})
      .note(Mark(first.token), "the other declaration");
}

void Declarations::function(Function& node) {
  Specifiers& specifiers = *node.specifiers();
  Declarator& declarator = *node.declarator();
  const QualType base = c_.declared.specifiers(specifiers);
  const QualType type = c_.declared.declarator(declarator, base, Declared::kObject);
  if (declarator.name == 0) return;
  if (specifiers.tokens.empty())
    c_.report(Diag::kImplicitInt, declarator.name_token, "a function without a type returns int");
  Symbol* symbol = declare(declarator, specifiers, type, true);
  symbol->definition = &node;
  if (symbol->text == "main" && c_.scopes.at_file_scope()) check_main(*symbol);
  if (node.body() == nullptr) return;
  Function* outer = c_.function;
  const AccessMode mode = c_.mode;
  c_.function = &node;
  {
    const Scopes::Scope scope(c_.scopes);
    parameters(node);
    c_.statements.function_body(node);
  }
  c_.function = outer;
  c_.mode = mode;
}

// The tags and enumerators that a parameter has declared.
void Declarations::show_types(const Parameter& parameter) {
  const auto show_tag = [this](NameId tag, QualType type) {
    if (tag != 0 && !type.is_unknown() && c_.scopes.find_tag(tag) != type) c_.scopes.declare_tag(tag, type);
  };
  // Not those of the parameters of functions that it points to.
  find_below(parameter.specifiers(), [&](const Node* node) {
    if (const auto* record = cast_if<RecordSpec>(node)) show_tag(record->tag, record->type);
    if (const auto* enumeration = cast_if<EnumSpec>(node)) show_tag(enumeration->tag, enumeration->type);
    if (const auto* enumerator = cast_if<Enumerator>(node);
        enumerator != nullptr && enumerator->symbol != nullptr)
      c_.scopes.show(enumerator->symbol);
    return false;
  });
}

// The parameters' symbols are visible again in the body. Those of a K&R definition are declared here.
void Declarations::parameters(Function& node) {
  const DeclaratorChunk* chunk = node.declarator()->function_chunk();
  if (chunk == nullptr) return;
  for (Parameter* p : chunk->parameters) {
    show_types(*p);
    if (p->declarator()->symbol != nullptr) c_.scopes.show(p->declarator()->symbol);
  }
  for (const NameId name : chunk->names) {
    Symbol* symbol = c_.scopes.declare(name, c_.text(name));
    symbol->kind = SymbolKind::kParameter;
    symbol->type = c_.types.int_type();
    symbol->token = node.declarator()->name_token;
    symbol->defined = true;
  }
  for (Node* child : node.parameter_declarations()) {
    auto* declaration = cast_if<Declaration>(child);
    if (declaration == nullptr) continue;
    const QualType base = c_.declared.specifiers(*declaration->specifiers());
    for (Node* item : declaration->declarators()) {
      Declarator& declarator = *as<InitDeclarator>(item)->declarator();
      const QualType type = c_.types.decay(c_.declared.declarator(declarator, base, Declared::kParameter));
      Symbol* symbol = c_.scopes.find_here(declarator.name);
      if (symbol == nullptr || symbol->kind != SymbolKind::kParameter) {
        c_.report(Diag::kRedefinition, declarator.name_token, "'%' is not among the parameters",
                  {c_.text(declarator.name)});
        continue;
      }
      if (type.is_shared())
        c_.report(Diag::kShrParam, Mark(declarator.tokens), "a parameter cannot be shared: its type is %",
                  {quoted(type)});
      symbol->type = type;
      symbol->token = declarator.name_token;
      symbol->declarator = &declarator;
      declarator.symbol = symbol;
    }
  }
}

void Declarations::check_main(const Symbol& symbol) {
  const Type& type = *symbol.type.type;
  if (std::any_of(type.parameters.begin(), type.parameters.end(), mentions_shared)) {
    c_.report(Diag::kLinkType, symbol.token,
              "the arguments of main are private: 'int main(int argc, char **argv)'");
    return;
  }
  const bool none = type.parameters.empty();
  // The third is the environment, as on all of Unix.
  const bool more = (type.parameters.size() == 2 || type.parameters.size() == 3) &&
                    type.parameters[0].is(TypeKind::kInt) &&
                    std::all_of(type.parameters.begin() + 1, type.parameters.end(),
                                [](QualType parameter) { return parameter.is_pointer(); });
  if (!type.inner.is(TypeKind::kInt) || type.variadic || (type.prototyped && !none && !more))
    c_.report(Diag::kMain, symbol.token,
              "main is 'int main(void)' or 'int main(int argc, char **argv)'; here it is %",
              {quoted(symbol.type)});
}

}  // namespace upc2c
