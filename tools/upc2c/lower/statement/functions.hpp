// SPDX-License-Identifier: BSD-3-Clause
// Definitions of functions: main, inline functions, the first statement of functions with UPC in them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {

struct Lower;

class Functions {
 public:
  explicit Functions(Lower& lower) : lower_(lower) {}

  // Before the first text(): what the file declares.
  void find(std::span<Node* const> declarations);
  // At file scope and nested.
  std::string text(const Function* function);
  // The function that is being written, or null.
  const Function* current() const { return current_; }
  // What is written for a token of the function that is being written: main has another name in C, and its
  // __func__ keeps its own.
  std::string_view spelling(std::string_view token) const;
  // Whether a function of file scope is written as a static one because it is inline.
  bool becomes_static(const Function& function) const;
  // The text before the translated text: the start-up code calls user_main. "" without main.
  std::string main_macro() const;

 private:
  // The declarations of a function at file scope, its definition included.
  struct Declared {
    unsigned count = 0;
    bool external = false;  // one is not inline, or extern: the C compiler emits the definition
  };
  void add(const Specifiers& specifiers, const Declarator& declarator);
  // Whether the definition is inline and neither static nor extern, in all declarations.
  bool is_plain_inline(const Function& function) const;
  std::string head(const Function* function);
  std::string body(const Function* function);
  std::string inline_definition(const Function* function);
  std::string main_prototype() const;
  // A user_main that calls main; "" if main itself can be it.
  std::string main_wrapper() const;

  Lower& lower_;
  const Function* current_ = nullptr;
  const Function* main_ = nullptr;
  std::unordered_map<const Symbol*, Declared> declared_;
};

}  // namespace upc2c
