// SPDX-License-Identifier: BSD-3-Clause
// Text for messages.
#pragma once
#include <string>
#include <string_view>

namespace upcrun {

// The text in one line: control characters, which file names may contain, are written as \n, \t or \x1b.
std::string escape_control_characters(std::string_view text);

// A word as a POSIX shell reads it, in quotes where it needs them.
std::string shell_quoted(const std::string& word);

// "signal 9 (Killed)", "signal 10 (SIGUSR1, User defined signal 1)"
std::string describe_signal(int number);

}  // namespace upcrun
