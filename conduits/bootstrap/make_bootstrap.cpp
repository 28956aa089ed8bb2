// SPDX-License-Identifier: BSD-3-Clause
// Finds out how this process was started. Once, on the main thread, before anything else of the library.
#include <cstdlib>

#include "conduits/base/config.hpp"
#include "conduits/base/report.hpp"
#include "conduits/bootstrap/ways.hpp"
#include "include/upcr/types.h"

namespace upcr {
namespace {

// Read below, before configure(): the first two decide whether the process goes on at all.
constexpr ConfigVar kVars[] = {
    {"UPCR_THREADS", ConfigType::kInt, nullptr,
     "UPC threads of a program that is started without upcrun: it starts itself again under upcrun -n; "
     "also upcrun's default for -n",
     "1.."},
    {"UPCR_PTHREADS", ConfigType::kInt, nullptr,
     "UPC threads per process, as pthreads; upcrun's default for --pthreads; unset: the program's choice",
     "1.."},
    {"UPCRUN", ConfigType::kString, nullptr,
     "the upcrun that UPCR_THREADS needs; unset: the one beside the library, or else in PATH"},
    {wire::kJobVariable, ConfigType::kString, nullptr, nullptr},
    {wire::kRelaunchVariable, ConfigType::kString, nullptr, nullptr},
};
const ConfigTable table("start-up", kVars);

JobShape shape;

// The variable's value, or 0 when it is unset or empty. Fatal when it is no number of 1..limit.
unsigned count_from_environment(const char* name, unsigned limit) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return 0;
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > limit)
    fatal("%s=%s: expected a number from 1 to %u", name, text, limit);
  return static_cast<unsigned>(value);
}

std::unique_ptr<Bootstrap> join(const char* text) {
  wire::JobVariable variable;
  if (!wire::JobVariable::parse(text, &variable))
    fatal(
        "%s=%s: not what this version's upcrun writes; start the program with the upcrun of the same "
        "installation, and do not set this variable by hand",
        wire::kJobVariable, text);
  shape = {variable.threads, variable.pthreads, true, true, true};
  auto bootstrap = make_fork_bootstrap(variable);
  // Programs that this one starts are not members of the job.
  unsetenv(wire::kJobVariable);
  return bootstrap;
}

}  // namespace

const JobShape& job_shape() noexcept { return shape; }

std::unique_ptr<Bootstrap> make_bootstrap(int argc, char** argv, unsigned processes) {
  if (const char* text = std::getenv(wire::kJobVariable)) return join(text);
  const unsigned threads =
      processes != 0 ? processes : count_from_environment("UPCR_THREADS", UPCR_MAX_THREADS);
  const unsigned pthreads = processes != 0 ? 1 : count_from_environment("UPCR_PTHREADS", UPCR_MAX_PTHREADS);
  if (threads > 1) relaunch(threads, pthreads, argv);
  shape.threads_given = threads != 0;
  shape.pthreads_given = pthreads != 0;
  shape.pthreads = pthreads != 0 ? pthreads : 1;
  shape.threads = threads != 0 ? threads : shape.pthreads;
  return make_singleton_bootstrap();
}

}  // namespace upcr
