// SPDX-License-Identifier: BSD-3-Clause
#include "tests/upc2c/support/lowered.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <sstream>

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::string translated(const std::string& preprocessed_text) {
  upc2c::TranslateOptions options;
  options.lower.file = "test.upc";
  const upc2c::Translation result = upc2c::translate(preprocessed_text, options);
  EXPECT_EQ(result.errors, 0u) << result.messages;
  return result.c;
}

std::string lowered(const std::string& declarations, const std::string& statement,
                    const upc2c::TranslateOptions& options) {
  upc2c::TranslateOptions with_file = options;
  with_file.lower.file = "test.upc";
  const upc2c::Translation result = upc2c::translate(
      declarations + "\nvoid tested(void) { from_here: ; " + statement + "\n to_here: ; }\n", with_file);
  if (result.errors != 0) return "error: " + result.messages;
  const std::size_t begin = result.c.find("from_here: ;") + 12, end = result.c.find("to_here:", begin);
  if (begin == std::string::npos + 12 || end == std::string::npos) return "error: no function in " + result.c;
  std::istringstream lines(result.c.substr(begin, end - begin));
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#line") || line.starts_with("# ")) continue;
    for (const char c : line + " ")
      if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

int count(std::string_view text, std::string_view word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) found++;
  }
  return found;
}
