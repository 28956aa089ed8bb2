// SPDX-License-Identifier: BSD-3-Clause
// The parts of the checker together, and what they share.
#pragma once
#include "tools/upc2c/check/checker.hpp"
#include "tools/upc2c/check/declaration/declarations.hpp"
#include "tools/upc2c/check/declaration/declared_types.hpp"
#include "tools/upc2c/check/declaration/initializers.hpp"
#include "tools/upc2c/check/declaration/record_types.hpp"
#include "tools/upc2c/check/declaration/static_values.hpp"
#include "tools/upc2c/check/expression/calls.hpp"
#include "tools/upc2c/check/expression/constants.hpp"
#include "tools/upc2c/check/expression/conversions.hpp"
#include "tools/upc2c/check/expression/expressions.hpp"
#include "tools/upc2c/check/expression/library_rules.hpp"
#include "tools/upc2c/check/expression/operators.hpp"
#include "tools/upc2c/check/expression/size_queries.hpp"
#include "tools/upc2c/check/expression/subobjects.hpp"
#include "tools/upc2c/check/scopes.hpp"
#include "tools/upc2c/check/shared_rules.hpp"
#include "tools/upc2c/check/statements.hpp"
#include "tools/upc2c/type/print.hpp"

namespace upc2c {

struct Check {
  Check(TokenStream& s, Arena& a, Types& t, Diagnostics& d, const CheckOptions& o)
      : stream(s), arena(a), types(t), diagnostics(d), options(o) {}
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  // Nothing is reported in system headers.
  Diagnostic& report(Diag diag, const Mark& at, std::string_view pattern,
                     std::initializer_list<std::string_view> arguments = {});
  // Where C wants a constant, what depends on UPC must have a value: the C compiler would see a call. `what`:
  // "a case label".
  void require_constant(const Expr& expr, std::string_view what);
  // An expression whose type is not known meets something shared. Where anything was wrong before, that may
  // be why, and nothing is reported.
  void report_unknown(const Expr& expr);
  // A name that the user declares is one that translated text uses for the runtime.
  void check_name(const Declarator& declarator);
  std::string_view text(NameId name) const { return stream.names().text(name); }
  bool dynamic_threads() const { return options.threads == 0; }

  TokenStream& stream;
  Arena& arena;
  Types& types;
  Diagnostics& diagnostics;
  CheckOptions options;
  AccessMode mode = AccessMode::kRelaxed;  // of accesses without strict or relaxed of their own
  Function* function = nullptr;            // whose body is checked
  unsigned unknowns = 0;                   // errors that report_unknown has reported

  Scopes scopes;
  Constants constants{*this};
  DeclaredTypes declared{*this};
  RecordTypes records{*this};
  SharedRules shared{*this};
  Conversions conversions{*this};
  Operators operators{*this};
  LibraryRules library{*this};
  Calls calls{*this};
  Subobjects subobjects{*this};
  SizeQueries size_queries{*this};
  Expressions expressions{*this};
  Initializers initializers{*this};
  StaticValues static_values{*this};
  Statements statements{*this};
  Declarations declarations{*this};
};

// 'shared [4] int *'
inline std::string quoted(QualType type) { return quoted(to_upc(type)); }

}  // namespace upc2c
