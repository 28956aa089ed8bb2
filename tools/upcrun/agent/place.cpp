// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/agent/place.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/signals.hpp"

namespace upcrun {

UniqueFd make_standard_input() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0)
    throw Failure{1, std::string("cannot make a pipe: ") + std::strerror(errno)};
  const UniqueFd reading(fds[0]);
  UniqueFd writing(fds[1]);
  (void)::fcntl(writing.get(), F_SETFL, O_NONBLOCK);
  (void)::dup2(reading.get(), STDIN_FILENO);
  return writing;
}

void close_standard_input() {
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  (void)::dup2(nothing.get(), STDIN_FILENO);
}

UniqueFd watch_starter_and_children() {
  const sigset_t set = watched_signals();
  (void)::sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

void yield_cores_when_idle(const Plan& plan) {
  const std::size_t threads =
      std::size_t{plan.options.host_processes} * std::min(plan.pthreads, plan.options.threads);
  if (threads > plan.binding.allowed()) (void)::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

void wait_until_closed(Link& link) {
  const Milliseconds until = now_ms() + 10'000;
  while (now_ms() < until) {
    pollfd wait{link.fd(), static_cast<short>(link.unsent() != 0 ? POLLIN | POLLOUT : POLLIN), 0};
    (void)::poll(&wait, 1, 100);
    link.flush();
    if (wait.revents == 0) continue;
    if (!link.fill()) return;
    while (const auto message = link.next())
      if (message->word == MessageType::kEnd || message->word == MessageType::kRelease) return;
  }
}

}  // namespace upcrun
