// SPDX-License-Identifier: BSD-3-Clause
// What a thread asks before it sleeps, and what wakes it: a descriptor that is readable when an armed
// completion queue has had a completion, or the service thread has left news. Any thread, under the lock.
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ibv/endpoint/conduit.hpp"

namespace upcr::ibv {

void IbvConduit::open_waiting() {
  wake_ = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  bool good = wake_ >= 0 && ::epoll_ctl(wake_, EPOLL_CTL_ADD, connection_events_.bell(), &event) == 0;
  for (DeviceQueues& queues : queues_)
    good = good && ::epoll_ctl(wake_, EPOLL_CTL_ADD, queues.channel()->fd, &event) == 0;
  if (!good) fatal("there is no descriptor to wait for completions: %s", std::strerror(errno));
}

void IbvConduit::close_waiting() {
  ::close(wake_);
  wake_ = -1;
}

int IbvConduit::wait_fd() { return wake_; }

bool IbvConduit::arm() {
  const OptionalGuard guard(lock_, multithreaded_);
  memory_.reclaim_stale();
  connection_events_.quiet();
  for (DeviceQueues& queues : queues_) queues.arm();
  return !has_work();  // asked after the queues were armed: what came before is seen, what comes wakes
}

bool IbvConduit::pending() const noexcept {
  const OptionalGuard guard(lock_, multithreaded_);
  return has_work();
}

bool IbvConduit::has_work() const noexcept {
  if (connection_events_.any() || !held_.empty() || !pending_acks_.empty()) return true;
  for (DeviceQueues& queues : queues_)
    if (queues.has_fetched() || queues.fetch()) return true;
  return false;
}

}  // namespace upcr::ibv
