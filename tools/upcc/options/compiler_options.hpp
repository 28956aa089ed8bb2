// SPDX-License-Identifier: BSD-3-Clause
// upcc's knowledge of the options of compilers: enough to pass each one to the compiler, the linker, or both.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "tools/upcc/base/process.hpp"

namespace upcc {

enum class OptionPhase { kCompile, kLink, kBoth };

struct CompilerOption {
  OptionPhase phase;
  bool has_argument;  // which is the next argument of the command line
};

// For any argument that begins with '-' and is no option of upcc's own.
CompilerOption classify(std::string_view argument);
// Fatal for an option that makes types of C other than the system's ABI has them, as -fpack-struct and -m32,
// unless a later one undoes it.
void refuse_other_layout(const Arguments& options);
// The folders that options of these names give for headers: -I DIR, -IDIR.
Arguments header_folders(const Arguments& options, std::initializer_list<std::string_view> names);

// Options for a file that is compiled within a link: without those that count, trace or describe the code of
// files that the user has, which would leave files that name it, or make links differ.
Arguments options_of_temporary(const Arguments& options);

// Whether a compiler prints something about itself for this option, and stops (-dumpmachine, -print-*).
bool is_compiler_query(std::string_view argument);

// Replaces each @FILE by the arguments in the file, as compilers do.
Arguments expand_response_files(int argc, char** argv);

// The words of a text: blanks separate them, quotes and backslashes protect blanks.
Arguments split_arguments(const std::string& text);

// A number from 1 to `most`; anything else is fatal. `what` names the option in messages.
unsigned parse_count(const std::string& what, const std::string& text, unsigned most);
// A size with K, M, G, KB, MB, GB or B, or in megabytes; rounded up to a page. Anything else is fatal.
std::uint64_t parse_size(const std::string& what, const std::string& text);

}  // namespace upcc
