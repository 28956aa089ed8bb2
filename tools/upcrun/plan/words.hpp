// SPDX-License-Identifier: BSD-3-Clause
// The words of a command line before CLI11 reads them: where PROGRAM begins, and the options in the spellings
// that upcrun's users have from other launchers (-shared-heap, -n=8, -np) in those that CLI11 knows.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace upcrun {

// Facts about upcrun's own options.
struct KnownOptions {
  // The number of values that this option has, as "--pthreads" or "-n"; -1: there is no such option.
  std::function<int(const std::string&)> values;
  std::vector<std::string> flags_with_value;  // options that may have one behind "=", as "--stats"
  std::vector<std::string> names;             // for "did you mean"
  std::string command;                        // the name of the command, for messages
  bool gasnet = false;                        // it is gasnetrun_* or mupcrun: it takes GASNet's options
};

struct CommandWords {
  std::vector<std::string> options;                            // for CLI11
  std::vector<std::string> program;                            // PROGRAM and its arguments
  bool separator = false;                                      // "--" stood before PROGRAM
  std::vector<std::pair<std::string, std::string>> variables;  // to be set in the environment of the job
  std::vector<std::string> warnings;
};

// Throws Failure for an unknown option, and for one that asks for something that upcr has not.
CommandWords read_words(const std::vector<std::string>& words, const KnownOptions& known);

// Of a command line that was given as one text (UPCRUN_FLAGS): its words. Blanks separate them; quotes and
// backslashes protect blanks.
std::vector<std::string> split_words(const std::string& text);

}  // namespace upcrun
