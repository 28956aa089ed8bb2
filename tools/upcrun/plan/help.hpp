// SPDX-License-Identifier: BSD-3-Clause
// What --help says, in the name and the words of the command that was called: upcrun, mupcrun,
// gasnetrun_CONDUIT.
#pragma once
#include <string>

#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

std::string help_description(const Options& options);
std::string help_footer(const Options& options);
// The text of upcrun's help in the words of the command: GASNet has nodes, where UPC has threads.
std::string in_words_of(const Options& options, std::string text);
// Whether the option, as "--pthreads", means something to the command's users. Others are understood, too.
bool shown_in_help(const Options& options, const std::string& option);

}  // namespace upcrun
