// SPDX-License-Identifier: BSD-3-Clause
// The parts of the parser together: they call each other, as the grammar of C does.
#pragma once
#include "tools/upc2c/parse/cursor.hpp"
#include "tools/upc2c/parse/declaration/attributes.hpp"
#include "tools/upc2c/parse/declaration/declarations.hpp"
#include "tools/upc2c/parse/declaration/declarators.hpp"
#include "tools/upc2c/parse/declaration/specifiers.hpp"
#include "tools/upc2c/parse/declaration/structs.hpp"
#include "tools/upc2c/parse/expression/expressions.hpp"
#include "tools/upc2c/parse/expression/initializers.hpp"
#include "tools/upc2c/parse/expression/primaries.hpp"
#include "tools/upc2c/parse/pragma_state.hpp"
#include "tools/upc2c/parse/statements.hpp"
#include "tools/upc2c/parse/typedef_names.hpp"

namespace upc2c {

struct Grammar {
  Grammar(TokenStream& stream, Arena& arena, Diagnostics& diagnostics)
      : cursor(stream, arena, diagnostics), typedefs(stream.names()), pragmas(stream, diagnostics) {}
  Grammar(const Grammar&) = delete;
  Grammar& operator=(const Grammar&) = delete;

  // Whether a declaration specifier or qualifier stands there: a keyword or a typedef name.
  bool starts_type(const Token& token) const;
  // A name of the program's, `ahead` of the cursor, for which no declaration is in scope.
  bool is_undeclared(unsigned ahead) const;
  // Whether the name there can only be a type that is not declared: `foo_t x`, `foo_t *x`.
  // Among statements it could be a product as well, unless more follows than one.
  bool is_undeclared_type(unsigned ahead, bool among_statements) const;
  // ( foo_t * )
  bool is_undeclared_cast() const;

  Cursor cursor;
  TypedefNames typedefs;
  PragmaState pragmas;
  AttributeParser attributes{*this};
  SpecifierParser specifiers{*this};
  StructParser structs{*this};
  DeclaratorParser declarators{*this};
  InitializerParser initializers{*this};
  PrimaryParser primaries{*this};
  ExpressionParser expressions{*this};
  StatementParser statements{*this};
  DeclarationParser declarations{*this};
};

}  // namespace upc2c
