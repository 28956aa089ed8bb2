// SPDX-License-Identifier: BSD-3-Clause
// upcrun: starts the processes of a UPC program, here or on other hosts, forwards their output, and makes
// sure that they end together. main() prints failures that come before the job.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "conduits/core/bootstrap/launcher/launcher_slot.hpp"
#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "tools/upcrun/agent/agent.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/job/job.hpp"
#include "tools/upcrun/launch/guard.hpp"
#include "tools/upcrun/launch/left_records.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/options.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/preview/preview.hpp"
#include "tools/upcrun/protocol/hello.hpp"
#include "tools/upcrun/protocol/remote_shell_proxy.hpp"

namespace {

void make_output_folder(const std::string& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw upcrun::Failure{2, "--output " + folder + ": " + error.message()};
}

int launch(int argc, char** argv) {
  // upcrun may run inside another job, or be a program that has become upcrun: the new processes must not
  // inherit the variables of that job.
  (void)upcr::clear_used_launcher_slot();
  ::unsetenv(upcr::wire::kJobVariable);
  ::unsetenv(upcr::wire::kRelaunchVariable);
  auto options = upcrun::parse_options(argc, argv);
  if (!options) return 0;
  const upcrun::Plan plan(*std::move(options));
  if (plan.options.info || plan.options.dry_run) {
    const std::string text = plan.options.info ? information_text(plan) : command_text(plan);
    (void)std::fputs(text.c_str(), stdout);
    return 0;
  }
  if (const std::string warning = plan.warning(); !warning.empty())
    std::fprintf(stderr, "%s: %s\n", plan.options.command.c_str(), warning.c_str());
  make_output_folder(plan.options.output);
  const upcrun::InheritedState inherited = upcrun::save_inherited_state();
  upcrun::open_missing_standard_streams();
  upcrun::raise_file_limit(plan.processes, plan.remote(), !plan.options.output.empty());
  upcrun::ignore_write_signals();
  // Only the processes know which network the job uses, and how.
  if (plan.options.verbose) (void)::setenv("UPCR_LOG_LEVEL", "network:info", 0);
  // Errors pass upcrun on their way to the terminal.
  if (::isatty(STDERR_FILENO) != 0 && plan.options.output.empty()) (void)::setenv("UPCR_TERMINAL", "yes", 0);
  if (plan.options.mupc) (void)::setenv("UPCR_PROGRESS_THREAD", "yes", 0);  // MuPC's communication thread
  const upcrun::GuardedLauncher guarded = upcrun::start_guard(plan.prefix());
  const upcrun::LeftRecords records(plan.options.stats, plan.options.trace);
  const int status = upcrun::Job(plan, inherited, guarded).run();
  records.report();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc >= 2 && std::strcmp(argv[1], upcrun::kAgentOption) == 0)
      return upcrun::run_agent(argc == 3 ? argv[2] : "");
    if (upcrun::is_remote_shell_proxy(argc - 1, argv + 1))
      return upcrun::run_remote_shell_proxy(argc - 1, argv + 1);
    return launch(argc, argv);
  } catch (const upcrun::Failure& failure) {
    std::fprintf(stderr, "%s: %s\n", argc > 0 ? upcrun::command_name(argv[0]).c_str() : "upcrun",
                 upcrun::escape_control_characters(failure.message).c_str());
    return failure.status;
  }
}
