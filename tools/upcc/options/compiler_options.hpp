// SPDX-License-Identifier: BSD-3-Clause
// What upcc knows about the options of compilers: enough to pass each one to the compiler, the linker, or
// both.
#pragma once
#include <cstdint>
#include <string_view>

#include "tools/upcc/base/process.hpp"

namespace upcc {

enum class Takes { kCompile, kLink, kBoth };

struct CompilerOption {
  Takes takes;
  bool has_argument;  // its argument is the next word
};

// For any word that begins with '-' and is not upcc's own.
CompilerOption classify(std::string_view word);
// True for options by which a compiler tells something about itself and stops (-dumpmachine, -print-*).
bool is_compiler_query(std::string_view word);

// Replaces each @FILE by the words in the file, as compilers do.
Words expand_response_files(int argc, char** argv);

// A number from 1 to `most`; anything else is fatal. `what` names the option in messages.
unsigned parse_count(const std::string& what, const std::string& text, unsigned most);
// A size in bytes, or with K, M, G, KB, MB, GB; rounded up to a page. Anything else is fatal.
std::uint64_t parse_size(const std::string& what, const std::string& text);

}  // namespace upcc
