// SPDX-License-Identifier: BSD-3-Clause
// The commands that upcc runs, its messages, and its end. upcc has one thread and runs one command at a time.
#pragma once
#include <string>
#include <vector>

namespace upcc {

using Arguments = std::vector<std::string>;

// Prints "upcc: <message>" and exits with status 1; temporary files are removed.
[[noreturn]] void fatal(const std::string& message);
void warn(const std::string& message);
void note(const std::string& message);  // "upcc: <message>" on stderr

// How run() treats commands; set once, from the command line.
struct CommandMode {
  bool print = false;  // --show, -v: each command on stderr, quoted for a shell
  bool run = true;     // false: --show
};
extern CommandMode command_mode;

// Runs a command, found in PATH, and returns its exit status, or 128 + the signal that killed it. A command
// that cannot be started is fatal. When a signal is to end upcc, upcc forwards it to the command, waits for
// the command's end, removes the temporary files and ends itself by the same signal.
int run(const Arguments& command);
// Runs a command likewise, without printing it. Returns what the command wrote to stdout and stderr.
std::string output_of(const Arguments& command);
// The same with the command's exit status.
int run_and_read(const Arguments& command, std::string& output);

std::string quoted(const Arguments& command);

// Handles SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE as described at run(); called once, at start.
void install_signal_handlers();
// Removes the temporary files and ends by the signal, if one of those has come.
void end_if_signalled();

}  // namespace upcc
