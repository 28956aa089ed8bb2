// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/wait/network_bell.hpp"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/helper_thread.hpp"

namespace upcr {
namespace {

// Written before the thread starts; it ends before they change.
int watched = -1, events = -1, stop_fd_ = -1;
void (*ring_all)() = nullptr;
pthread_t thread;

void* listen(void*) {
  for (;;) {
    epoll_event event{};
    const int n = ::epoll_wait(events, &event, 1, -1);
    if (n < 0 && errno != EINTR)
      fatal("the network's descriptor cannot be waited for: %s", std::strerror(errno));
    if (n <= 0) continue;
    if (event.data.fd == stop_fd_) return nullptr;
    ring_all();
  }
}

void add(int fd, std::uint32_t what) {
  epoll_event event{};
  event.events = what;
  event.data.fd = fd;
  if (::epoll_ctl(events, EPOLL_CTL_ADD, fd, &event) != 0)
    fatal("descriptor %d cannot be waited for: %s", fd, std::strerror(errno));
}

}  // namespace

void start_network_bell(int fd, void (*ring)()) {
  watched = fd;
  ring_all = ring;
  events = ::epoll_create1(EPOLL_CLOEXEC);
  stop_fd_ = ::eventfd(0, EFD_CLOEXEC);
  if (events < 0 || stop_fd_ < 0)
    fatal("no descriptor for the thread that waits for the network: %s (ulimit -n)", std::strerror(errno));
  add(stop_fd_, EPOLLIN);
  add(fd, EPOLLONESHOT);  // nothing is waited for before the first watch_network()
  const int error = start_helper_thread(&thread, HelperStack::kOwn, listen, nullptr);
  if (error != 0) fatal("cannot start the thread that waits for the network: %s", std::strerror(error));
}

void stop_network_bell() {
  if (watched < 0) return;
  const std::uint64_t one = 1;
  (void)!::write(stop_fd_, &one, sizeof one);
  pthread_join(thread, nullptr);
  ::close(events);
  ::close(stop_fd_);
  watched = events = stop_fd_ = -1;
}

void watch_network() noexcept {
  const int before = errno;  // the program's: waiting is part of calls that succeed
  epoll_event event{};
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.fd = watched;
  if (::epoll_ctl(events, EPOLL_CTL_MOD, watched, &event) != 0)
    fatal("the network's descriptor %d cannot be waited for: %s", watched, std::strerror(errno));
  errno = before;
}

}  // namespace upcr
