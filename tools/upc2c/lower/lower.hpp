// SPDX-License-Identifier: BSD-3-Clause
// The parts of the lowering together, and what they share. Lowering writes C for a checked tree: the text of
// a node is its tokens with the texts of its parts in their places, and nodes that hold something of UPC are
// written by the part for their kind.
#pragma once
#include <cstdint>
#include <string>

#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/loop/plan.hpp"
#include "tools/upc2c/lower/data/declarations.hpp"
#include "tools/upc2c/lower/data/declarators.hpp"
#include "tools/upc2c/lower/data/hidden_types.hpp"
#include "tools/upc2c/lower/data/initial_values.hpp"
#include "tools/upc2c/lower/data/moved_statics.hpp"
#include "tools/upc2c/lower/data/sizes.hpp"
#include "tools/upc2c/lower/data/statics.hpp"
#include "tools/upc2c/lower/data/thread_data.hpp"
#include "tools/upc2c/lower/data/type_texts.hpp"
#include "tools/upc2c/lower/expression/accesses.hpp"
#include "tools/upc2c/lower/expression/addresses.hpp"
#include "tools/upc2c/lower/expression/assignments.hpp"
#include "tools/upc2c/lower/expression/bit_fields.hpp"
#include "tools/upc2c/lower/expression/calls.hpp"
#include "tools/upc2c/lower/expression/expressions.hpp"
#include "tools/upc2c/lower/expression/pointer_arithmetic.hpp"
#include "tools/upc2c/lower/expression/pointer_conversions.hpp"
#include "tools/upc2c/lower/includes.hpp"
#include "tools/upc2c/lower/positions.hpp"
#include "tools/upc2c/lower/splice.hpp"
#include "tools/upc2c/lower/statement/block_reads.hpp"
#include "tools/upc2c/lower/statement/foralls.hpp"
#include "tools/upc2c/lower/statement/functions.hpp"
#include "tools/upc2c/lower/statement/later_updates.hpp"
#include "tools/upc2c/lower/statement/optimized_loops.hpp"
#include "tools/upc2c/lower/statement/private_runs.hpp"
#include "tools/upc2c/lower/statement/reads_once.hpp"
#include "tools/upc2c/lower/statement/repeated.hpp"
#include "tools/upc2c/lower/statement/statements.hpp"
#include "tools/upc2c/text/lexer.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct LowerOptions {
  std::int64_t threads = 0;           // THREADS in the static environment; 0: the dynamic one
  bool pthreads = false;              // unshared static data is thread-local
  bool source_positions = false;      // UPCR_SET_SRCPOS before statements with UPC in them
  bool instrument_functions = false;  // entry and exit of every function are reported
  LoopOptions loops;
  std::string file;  // the .upc file, for names and #line
};

struct Lower {
  Lower(TokenStream& s, Types& t, Diagnostics& d, const LowerOptions& o)
      : stream(s), types(t), diagnostics(d), options(o) {}
  Lower(const Lower&) = delete;
  Lower& operator=(const Lower&) = delete;

  // Whether a node has to be translated; if not, its tokens are its text.
  bool concerns(const Node& node) const {
    return node.has_upc || node.defines_static || (options.pthreads && node.has_static) ||
           initial_values.concerns(node);
  }

  TokenStream& stream;
  Types& types;
  Diagnostics& diagnostics;
  const LowerOptions& options;

  LoopOptimizer loops{stream, types, diagnostics, options.loops, options.threads};
  Splice splice{*this};
  Positions positions{stream};
  Includes includes{*this};
  Functions functions{*this};
  ThreadData thread_data{*this};
  HiddenTypes hidden_types;
  TypeTexts type_texts{*this};
  MovedStatics moved_statics{*this};
  Declarators declarators{*this};
  DeclarationLowering declarations{*this};
  InitialValues initial_values{*this};
  Statics statics{*this};
  Addresses addresses{*this};
  Accesses accesses{*this};
  BitFields bit_fields{*this};
  PointerConversions conversions{*this};
  PointerArithmetic pointers{*this};
  Sizes sizes{*this};
  Assignments assignments{*this};
  Calls calls{*this};
  ExpressionLowering expressions{*this};
  PrivateRuns private_runs{*this};
  LaterUpdates later_updates{*this};
  ReadsOnce reads_once{*this};
  Repeated repeated{*this};
  BlockReads block_reads{*this};
  OptimizedLoops optimized_loops{*this};
  Foralls foralls{*this};
  StatementLowering statements{*this};
};

}  // namespace upc2c
