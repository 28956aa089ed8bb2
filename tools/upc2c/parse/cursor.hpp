// SPDX-License-Identifier: BSD-3-Clause
// The parser's place in the token stream, and its syntax errors. After an error nothing more is reported
// until somebody has found a place to go on (recover), so that one mistake is one message.
#pragma once
#include <initializer_list>
#include <set>
#include <vector>

#include "tools/upc2c/ast/arena.hpp"
#include "tools/upc2c/ast/node.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

class Cursor {
 public:
  Cursor(const TokenStream& stream, Arena& arena, Diagnostics& diagnostics);

  const TokenStream& stream() const { return stream_; }
  Arena& arena() { return arena_; }
  Diagnostics& diagnostics() { return diagnostics_; }

  TokenIndex position() const { return at_; }
  const Token& token() const { return tokens_[at_]; }
  const Token& peek(unsigned ahead) const { return tokens_[at_ + ahead < last_ ? at_ + ahead : last_]; }
  bool at(Tok kind) const { return tokens_[at_].kind == kind; }
  bool at_end() const { return at_ == last_; }
  // The end stays the current token.
  void next() { at_ += at_ < last_ ? 1 : 0; }
  bool accept(Tok kind) {
    if (!at(kind)) return false;
    next();
    return true;
  }
  // Reports an error "expected ')' ..." if the token is another one.
  bool expect(Tok kind, std::string_view where);
  // `what` was expected at the current token.
  void error(std::string_view what);
  // A name was expected in what begins there; a keyword of UPC before it may have been meant to be it.
  void error_no_name(TokenIndex begin);
  void report_at(Mark at, std::string_view text);
  // A keyword of UPC stands there as a name: reported once for each keyword. It is an error of syntax where
  // that makes it impossible to go on.
  void report_keyword(TokenIndex at);
  void error_keyword(TokenIndex at);

  bool panicking() const { return panicking_; }
  // Goes on behind the next ';' of this nesting, or at the '}' that closes it.
  void recover();
  // Past the bracket that matches the one at the cursor.
  void skip_balanced();

  // Gives the node its range, from `begin` to the cursor, and children; what they have of UPC and errors it
  // has, too.
  template <class T>
  T* finish(T* node, TokenIndex begin, std::initializer_list<Node*> children) {
    return finish(node, begin, std::vector<Node*>(children));
  }
  template <class T>
  T* finish(T* node, TokenIndex begin, const std::vector<Node*>& children) {
    finish_node(node, begin, children);
    return node;
  }
  template <class T, class... Args>
  T* make(Args&&... args) {
    return arena_.make<T>(std::forward<Args>(args)...);
  }

  // A nesting of constructs; too deep a one is an error and ends the input.
  class Nesting {
   public:
    explicit Nesting(Cursor& cursor) : cursor_(cursor) { cursor_.enter(); }
    ~Nesting() { cursor_.depth_--; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Cursor& cursor_;
  };

 private:
  static constexpr unsigned kMaxDepth = 1200;      // of calls of the parser
  static constexpr unsigned kMaxTreeDepth = 2000;  // also of chains: a + b + c + ...

  bool missing_behind_line(Tok kind) const;
  void enter();
  void too_deep(unsigned limit);
  void finish_node(Node* node, TokenIndex begin, const std::vector<Node*>& children);

  const TokenStream& stream_;
  const Token* tokens_;
  TokenIndex at_ = 0, last_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  bool panicking_ = false;
  std::set<Tok> keywords_;  // that report_keyword has reported
  unsigned depth_ = 0;
};

}  // namespace upc2c
