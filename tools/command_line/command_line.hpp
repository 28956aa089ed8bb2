// SPDX-License-Identifier: BSD-3-Clause
// What the commands that read their options by CLI11 have in common: how they end on wrong use, and when
// their output cannot be written.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace upcr {

// Reads the options. Empty: go on. Otherwise what to end with: 0 after --help and --version, 2 after wrong
// use, of which it prints one line. `app` has the command's name.
std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv);

// Writes what standard output still holds. Empty: all output could be written; otherwise an error message.
std::string why_output_failed();

// At the end of a command: the same. Returns `status`, or prints the message and returns 74 (EX_IOERR of
// <sysexits.h>).
int finish_output(const CLI::App& app, int status);

}  // namespace upcr
