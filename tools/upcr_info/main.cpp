// SPDX-License-Identifier: BSD-3-Clause
// upcr_info: prints version, layout and limits of this upcr, which conduits work here, and the configuration.
// It links the library and asks it, so what it prints is what programs get.
#include <charconv>
#include <string>

#include "conduits/core/base/config/config.hpp"
#include "sections.hpp"
#include "tools/command_line/command_line.hpp"
#include "upcr/config.h"

namespace {

// An error message; empty: it is one.
std::string check_pid(const std::string& text) {
  int pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error == std::errc() && end == text.data() + text.size() && pid > 0) return "";
  return "'" + text + "' is not the number of a process";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Prints version, pointer layout and limits of this upcr, and which conduits can be used here.",
               "upcr_info");
  bool config = false, markdown = false, heap = false, network = false;
  app.add_flag("-c,--config", config, "print the environment variables and their current values");
  app.add_flag("--markdown", markdown, "with -c: print the documentation page of the variables instead")
      ->needs("-c");
  app.add_flag("--heap", heap,
               "start a job (upcrun -n N upcr_info --heap: of N UPC threads) and print its shared heaps")
      ->excludes("-c");
  app.add_flag("--network", network, "start a job, as --heap does, and print its network and how it is used")
      ->excludes("-c")
      ->excludes("--heap");
  int job = 0;
  app.add_option(
         "--job", job,
         "ask a running job what its UPC threads wait for, and for the likely cause if they hang: the pid "
         "of upcrun, or of any of its processes on this host. The job goes on")
      ->type_name("PID")
      ->check(check_pid)
      ->excludes("-c")
      ->excludes("--heap")
      ->excludes("--network");
  app.set_version_flag("--version", std::string("upcr_info ") + UPCR_VERSION);
  if (const auto status = upcr::parse_command_line(app, argc, argv)) return *status;

  if (job != 0) return upcr::finish_output(app, print_job(job));
  if (heap) return upcr::finish_output(app, print_heap(argc, argv));
  if (network) return upcr::finish_output(app, print_network(argc, argv));
  if (config)
    upcr::print_config(markdown ? upcr::ConfigFormat::kMarkdown : upcr::ConfigFormat::kText);
  else
    print_summary();
  return upcr::finish_output(app, 0);
}
