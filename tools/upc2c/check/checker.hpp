// SPDX-License-Identifier: BSD-3-Clause
// The checker: gives the nodes of a parsed declaration their types, symbols, constant values and uses, and
// reports what UPC does not allow. Strict where something shared is involved, lenient elsewhere: what is only
// wrong C is the C compiler's to report, and an expression of unknown type is accepted wherever nothing
// shared meets it.
#pragma once
#include <memory>

#include "tools/upc2c/ast/arena.hpp"
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/text/lexer.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct CheckOptions {
  std::int64_t threads = 0;           // THREADS in the static environment; 0: the dynamic one
  std::uint32_t max_block = 1 << 20;  // UPC_MAX_BLOCK_SIZE
};

struct Check;

class Checker {
 public:
  // All live longer than the tree.
  Checker(TokenStream& stream, Arena& arena, Types& types, Diagnostics& diagnostics,
          const CheckOptions& options);
  ~Checker();

  // One external declaration, in the order of the text. Those with syntax errors are checked as far as they
  // go.
  void check(Node* external);
  // Every symbol of the file so far, by first declaration.
  const std::deque<Symbol>& symbols() const;
  Symbol* find(std::string_view name) const;  // at file scope

 private:
  std::unique_ptr<Check> check_;
};

}  // namespace upc2c
