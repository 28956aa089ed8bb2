// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/base/text.hpp"

#include <signal.h>

#include <cstring>

namespace upcrun {

std::string escape_control_characters(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\t') {
      line += c == '\n' ? "\\n" : "\\t";
    } else if (byte < ' ' || byte == 0x7f) {
      line += "\\x";
      line += "0123456789abcdef"[byte >> 4];
      line += "0123456789abcdef"[byte & 15];
    } else {
      line += c;
    }
  }
  return line;
}

std::string shell_quoted(const std::string& word) {
  constexpr char kPlain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:=,";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string describe_signal(int number) {
  const char* const text = ::strsignal(number);
  const std::string name = number == SIGUSR1 ? "SIGUSR1, " : number == SIGUSR2 ? "SIGUSR2, " : "";
  return "signal " + std::to_string(number) + " (" + name + (text != nullptr ? text : "unknown") + ")";
}

}  // namespace upcrun
