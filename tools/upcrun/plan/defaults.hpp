// SPDX-License-Identifier: BSD-3-Clause
// Options that are not on the command line: of the user's file ~/.upcrunrc and of UPCRUN_FLAGS, as Berkeley
// UPC's upcrun has them; and hosts from the variables of Berkeley UPC and of GASNet.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

struct DefaultWords {
  std::string source;  // "UPCRUN_FLAGS", "/home/a/.upcrunrc"
  std::vector<std::string> words;
};

// In the order in which they apply, before the command line. `options`: CommandWords::options of the command
// line, where --no-rc leaves the file out and --rc FILE names another one. Throws Failure when a file that
// was named cannot be read.
std::vector<DefaultWords> default_words(const std::vector<std::string>& options);

// The words of the lines "default_options = ..." of a file; comments begin with #.
std::vector<std::string> words_of_rc_file(const std::string& text);

// Messages about variables of the environment that begin as upcrun's own and resemble one of them.
std::vector<std::string> misspelt_launcher_variables();

// The hosts that UPC_NODES or UPC_NODEFILE names, or of GASNet's launchers GASNET_SSH_SERVERS,
// GASNET_SSH_NODEFILE, GASNET_NODEFILE; and the remote shell that GASNET_SSH_CMD and GASNET_SSH_OPTIONS name.
// Where the options name them, or the job is on this host, nothing changes.
void add_hosts_of_environment(Options& options);

}  // namespace upcrun
