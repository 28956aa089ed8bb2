// SPDX-License-Identifier: BSD-3-Clause
// C text of expressions, put together from parts.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace upc2c {

// The text as a primary expression: in parentheses unless it is a name, a number, a call or in parentheses.
std::string grouped(const std::string& text);
// The text as one argument of a macro: in parentheses if it has a comma outside of parentheses.
std::string argument(const std::string& text);
// function(argument, ...)
std::string call(std::string_view function, std::initializer_list<std::string> arguments);

// A sum of integers, computed as ptrdiff_t.
class Sum {
 public:
  void add(std::int64_t constant) { constant_ += constant; }
  // `term` times `factor` times `scale`; the scale is C text of an integer, or "" for 1.
  void add(const std::string& term, std::int64_t factor, const std::string& scale = {});
  // A constant expression of type size_t.
  void add_size(const std::string& term);
  void add(const Sum& other);
  // Whether nothing was added.
  bool zero() const { return constant_ == 0 && terms_.empty(); }
  // Whether it is no constant expression of C.
  bool varies() const { return varies_; }
  // One term alone has its own type: its context converts it to ptrdiff_t.
  std::string text() const;
  // Each term times a size in C text.
  Sum times(const std::string& size) const;

 private:
  struct Term {
    std::string text;
    bool wide;  // its type has 64 bits

    std::string widened() const { return wide ? text : "(ptrdiff_t)" + text; }
  };

  std::int64_t constant_ = 0;
  bool varies_ = false;
  std::vector<Term> terms_;
};

}  // namespace upc2c
