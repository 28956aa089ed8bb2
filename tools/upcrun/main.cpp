// SPDX-License-Identifier: BSD-3-Clause
// upcrun: starts the processes of a UPC program on this machine, carries their output, and sees to it that
// they end together. Failures before that are told here.
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cstdio>

#include "conduits/bootstrap/wire.hpp"
#include "tools/upcrun/failure.hpp"
#include "tools/upcrun/guard.hpp"
#include "tools/upcrun/job.hpp"
#include "tools/upcrun/options.hpp"
#include "tools/upcrun/program.hpp"

namespace {

upcrun::Inherited remember_inherited() {
  upcrun::Inherited inherited{};
  (void)::sigprocmask(SIG_SETMASK, nullptr, &inherited.mask);
  struct sigaction pipe {};
  (void)::sigaction(SIGPIPE, nullptr, &pipe);
  inherited.ignores_pipe = pipe.sa_handler == SIG_IGN;
  (void)::signal(SIGPIPE, SIG_IGN);
  // A job in a job, or a program that became this upcrun: none of it is for the new processes.
  ::unsetenv(upcr::wire::kJobVariable);
  ::unsetenv(upcr::wire::kRelaunchVariable);
  return inherited;
}

int launch(int argc, char** argv) {
  const auto options = upcrun::parse_options(argc, argv);
  if (!options) return 0;
  (void)upcrun::find_program(options->program);  // complain while nothing runs
  const upcrun::Inherited inherited = remember_inherited();
  const pid_t guard = upcrun::start_guard();
  return upcrun::Job(*options, inherited, guard).run();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return launch(argc, argv);
  } catch (const upcrun::Failure& failure) {
    std::fprintf(stderr, "upcrun: %s\n", failure.message.c_str());
    return failure.status;
  }
}
