// SPDX-License-Identifier: BSD-3-Clause
// upcrun: starts the processes of a UPC program on this machine, carries their output, and sees to it that
// they end together. Failures before that are told here.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "conduits/bootstrap/wire.hpp"
#include "tools/upcrun/failure.hpp"
#include "tools/upcrun/guard.hpp"
#include "tools/upcrun/job.hpp"
#include "tools/upcrun/options.hpp"
#include "tools/upcrun/plan.hpp"

namespace {

// A program that was started with closed standard streams would find our pipes and sockets in their place.
void fill_standard_streams() {
  int fd;
  do fd = ::open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) ::close(fd);
}

upcrun::Inherited remember_inherited() {
  upcrun::Inherited inherited{};
  (void)::sigprocmask(SIG_SETMASK, nullptr, &inherited.mask);
  (void)::getrlimit(RLIMIT_NOFILE, &inherited.files);
  struct sigaction pipe {};
  (void)::sigaction(SIGPIPE, nullptr, &pipe);
  inherited.ignores_pipe = pipe.sa_handler == SIG_IGN;
  return inherited;
}

int launch(int argc, char** argv) {
  auto options = upcrun::parse_options(argc, argv);
  if (!options) return 0;
  const upcrun::Plan plan(*std::move(options));
  const upcrun::Inherited inherited = remember_inherited();
  fill_standard_streams();
  upcrun::raise_file_limit(plan.processes);
  (void)::signal(SIGPIPE, SIG_IGN);
  // A job in a job, or a program that became this upcrun: none of it is for the new processes.
  ::unsetenv(upcr::wire::kJobVariable);
  ::unsetenv(upcr::wire::kRelaunchVariable);
  const pid_t guard = upcrun::start_guard();
  return upcrun::Job(plan, inherited, guard).run();
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
