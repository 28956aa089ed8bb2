// SPDX-License-Identifier: BSD-3-Clause
// JSON, written from its beginning to its end: brackets, names and values in their order. Commas come by
// themselves, strings are quoted. The text is gathered in memory; write_to() empties it into a file.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace upcr::observe {

class JsonWriter {
 public:
  // '{' and '[', with the '}' and ']' that end them.
  void open(char bracket);
  void close(char bracket);
  // Of the member of an object whose value is written next.
  void name(std::string_view text);
  // A string, an integer, true or false, or a number with three decimals. What is no UTF-8 in a string
  // becomes U+FFFD, byte by byte: a reader would refuse the whole file.
  template <typename T>
  void value(const T& what) {
    comma();
    if constexpr (std::is_same_v<T, bool>)
      text_ += what ? "true" : "false";
    else if constexpr (std::is_integral_v<T>)
      text_ += std::to_string(what);
    else if constexpr (std::is_floating_point_v<T>)
      decimal(what);
    else
      string(what);
  }
  template <typename T>
  void member(std::string_view name_of_it, const T& what) {
    name(name_of_it);
    value(what);
  }
  // A member that is left out where it is 0.
  void count(std::string_view name_of_it, std::uint64_t number) {
    if (number != 0) member(name_of_it, number);
  }
  // For people: a new line here, or after the comma of the element that follows.
  void line_end() { text_ += '\n'; }
  void line_end_after_comma();

  const std::string& text() const noexcept { return text_; }
  void write_to(std::FILE* out);

 private:
  void comma();
  void string(std::string_view text);
  void decimal(double number);

  std::string text_;
  bool first_ = true;  // nothing is before the next element that a comma would part it from
};

}  // namespace upcr::observe
