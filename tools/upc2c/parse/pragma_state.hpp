// SPDX-License-Identifier: BSD-3-Clause
// The pragmas of a stream while it is parsed: access modes with the places where they may stand, and #pragma
// pack.
#pragma once
#include <vector>

#include "tools/upc2c/ast/expr.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

class PragmaState {
 public:
  PragmaState(const TokenStream& stream, Diagnostics& diagnostics)
      : stream_(stream), diagnostics_(diagnostics) {}

  // At a place where an access mode may be set: between declarations of a file, or at the head of a block.
  // The last one that stands directly before `at`, or kNone. Pragmas that were passed on the way are
  // reported: they stand elsewhere.
  AccessMode take(TokenIndex at);
  // At any other place: those directly before `at` are wrong as well.
  void refuse(TokenIndex at) { advance(at + 1, false); }
  // #pragma pack in effect at a token; 0: none.
  std::uint32_t pack(TokenIndex at);

 private:
  AccessMode advance(TokenIndex end, bool last_may_stand);
  void apply_pack(std::string_view text);

  const TokenStream& stream_;
  Diagnostics& diagnostics_;
  std::size_t next_ = 0, next_pack_ = 0;
  std::vector<std::uint32_t> pack_stack_;
  std::uint32_t pack_ = 0;
};

}  // namespace upc2c
