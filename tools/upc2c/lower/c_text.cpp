// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/c_text.hpp"

#include <cctype>

namespace upc2c {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The position behind the literal or the bracketed text that begins at `at`; of another character the next.
std::size_t skip(std::string_view text, std::size_t at) {
  const char open = text[at];
  if (open == '"' || open == '\'') {
    for (at++; at < text.size() && text[at] != open; at++)
      if (text[at] == '\\') at++;
    return at + 1;
  }
  if (open != '(') return at + 1;
  for (at++; at < text.size() && text[at] != ')';) at = skip(text, at);
  return at + 1;
}

}  // namespace

std::string grouped(const std::string& text) {
  std::size_t at = 0;
  while (at < text.size() && (is_word(text[at]) || text[at] == '.')) at++;
  if (at == text.size() && at > 0) return text;
  if (text[at] == '(' && skip(text, at) == text.size()) return text;
  return "(" + text + ")";
}

std::string argument(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); at = skip(text, at))
    if (text[at] == ',') return "(" + text + ")";
  return text;
}

std::string call(std::string_view function, std::initializer_list<std::string> arguments) {
  std::string out(function);
  out += '(';
  bool first = true;
  for (const std::string& one : arguments) {
    if (!first) out += ", ";
    first = false;
    out += argument(one);
  }
  return out + ')';
}

void Sum::add(const std::string& term, std::int64_t factor, const std::string& scale) {
  const std::string number = grouped(term);
  if (factor == 1 && scale.empty()) {
    terms_.push_back({number, false});
  } else {
    std::string product = (factor == -1 ? "-(ptrdiff_t)" : "(ptrdiff_t)") + number;
    if (factor != 1 && factor != -1) product += " * " + std::to_string(factor);
    if (!scale.empty()) product += " * " + scale;
    terms_.push_back({product, true});
  }
  varies_ = true;
}

void Sum::add_size(const std::string& term) { terms_.push_back({term, true}); }

void Sum::add(const Sum& other) {
  constant_ += other.constant_;
  varies_ = varies_ || other.varies_;
  terms_.insert(terms_.end(), other.terms_.begin(), other.terms_.end());
}

std::string Sum::text() const {
  if (terms_.empty()) return std::to_string(constant_);
  if (terms_.size() == 1 && constant_ == 0) return terms_[0].text;
  std::string out;
  for (const Term& term : terms_) out += (out.empty() ? "" : " + ") + term.widened();
  if (constant_ == 0) return out;
  return out +
         (constant_ < 0 ? " - " + std::to_string(constant_).substr(1) : " + " + std::to_string(constant_));
}

Sum Sum::times(const std::string& size) const {
  Sum result;
  if (zero()) return result;
  const bool one_term = terms_.size() == 1 && constant_ == 0;
  const std::string factor = one_term ? terms_[0].widened() : terms_.empty() ? text() : "(" + text() + ")";
  result.terms_.push_back({factor == "1" ? size : factor + " * " + size, true});
  result.varies_ = varies_;
  return result;
}

}  // namespace upc2c
