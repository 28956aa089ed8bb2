// SPDX-License-Identifier: BSD-3-Clause
// The commands that upcc runs, its messages, and its end. upcc has one thread and runs one command at a time.
#pragma once
#include <string>
#include <vector>

namespace upcc {

using Words = std::vector<std::string>;

// Prints "upcc: <message>" and exits with status 1; temporary files are removed.
[[noreturn]] void die(const std::string& message);
void warn(const std::string& message);
void tell(const std::string& message);  // "upcc: <message>" on stderr

// What run() does with commands; set once, from the command line.
struct CommandMode {
  bool print = false;  // --show, -v: each command on stderr, quoted for a shell
  bool run = true;     // false: --show
};
extern CommandMode echo;

// Runs a command, found in PATH, and returns its exit status (128 + signal when it died of one). A command
// that cannot be started is fatal. A signal that ends upcc is handed to the command, waited for, and then
// upcc removes its files and dies of it.
int run(const Words& command);
// The same without printing, and what the command wrote to stdout and stderr.
std::string output_of(const Words& command);

std::string quoted(const Words& command);

// The folder for temporary files of this run, made when first asked for and removed at the end.
std::string temp_file(const std::string& name);

// Handles SIGINT, SIGTERM, SIGHUP as run() says; called once, at start.
void install_signal_handlers();

}  // namespace upcc
