// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/preview/preview.hpp"

#include "tools/upcrun/base/program.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/remote/agent_launch.hpp"

namespace upcrun {
namespace {

std::string quoted_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

std::string program_line(const Plan& plan, const std::string& conduit, unsigned rank) {
  std::string line;
  if (!conduit.empty()) line += "UPCR_CONDUIT=" + shell_quoted(conduit) + " ";
  if (!plan.options.shared_heap.empty())
    line += "UPC_SHARED_HEAP_SIZE=" + shell_quoted(plan.options.shared_heap) + " ";
  std::vector<std::string> words = {plan.program};
  words.insert(words.end(), plan.options.arguments.begin(), plan.options.arguments.end());
  return line + quoted_line(words) + "  # rank " + std::to_string(rank) + ", " + plan.threads_of(rank);
}

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

}  // namespace

std::string command_text(const Plan& plan) {
  std::string text;
  std::string conduit = plan.options.conduit;
  if (plan.remote()) {
    const AgentLaunch launch(plan);
    conduit = launch.conduit();
    // The port and the secret, which are on no command line, exist only when the job starts.
    for (const LaunchCommand& command : launch.commands({Credentials::make(), 0, {"127.0.0.1"}}))
      text += quoted_line(command.arguments) + "\n";
  }
  for (unsigned rank = 0; rank < plan.processes; ++rank) {
    text += program_line(plan, conduit, rank);
    if (!plan.remote()) text += ", " + plan.binding.describe(rank);
    text += "\n";
  }
  return text;
}

std::string information_text(const Plan& plan) {
  const std::string& file = plan.program;
  const unsigned fixed = static_threads(file), pthreads = default_pthreads(file);
  std::string text = "program: " + file + "\nUPC threads: " +
                     (fixed != 0 ? std::to_string(fixed) + ", fixed when it was compiled" : "any number") +
                     "\nUPC threads of a process: " + (pthreads != 0 ? std::to_string(pthreads) : "1") +
                     ", unless --pthreads says otherwise\n";
  const GasnetMode mode = gasnet_mode(file);
  text += "client of GASNet: " + yes_or_no(mode == GasnetMode::kSeq || mode == GasnetMode::kThreads) + "\n";
  for (const std::string& library : needed_libraries(file))
    if (library.find("upcr") != library.npos || library.find("gasnet") != library.npos ||
        library.find("mpi") != library.npos)
      text += "library: " + library + "\n";
  for (const std::string& ident : identifications(file)) text += ident + "\n";
  return text;
}

}  // namespace upcrun
