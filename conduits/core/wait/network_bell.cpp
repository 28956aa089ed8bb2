// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/wait/network_bell.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/helper_thread.hpp"

namespace upcr {

void* NetworkBell::run(void* self) {
  static_cast<NetworkBell*>(self)->listen();
  return nullptr;
}

void NetworkBell::listen() {
  for (;;) {
    epoll_event event{};
    const int n = ::epoll_wait(epoll_fd_, &event, 1, -1);
    if (n < 0 && errno != EINTR)
      fatal("the network's descriptor cannot be waited for: %s", std::strerror(errno));
    if (n <= 0) continue;
    if (event.data.fd == stop_fd_) return;
    ring_(context_);
  }
}

void NetworkBell::add(int fd, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  if (::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) != 0)
    fatal("descriptor %d cannot be waited for: %s", fd, std::strerror(errno));
}

void NetworkBell::start(int fd, void (*ring)(void* context), void* context) {
  network_fd_ = fd;
  ring_ = ring;
  context_ = context;
  epoll_fd_ = ::epoll_create1(EPOLL_CLOEXEC);
  stop_fd_ = ::eventfd(0, EFD_CLOEXEC);
  if (epoll_fd_ < 0 || stop_fd_ < 0)
    fatal("no descriptor for the thread that waits for the network: %s (ulimit -n)", std::strerror(errno));
  add(stop_fd_, EPOLLIN);
  add(fd, EPOLLONESHOT);  // nothing is waited for before the first watch()
  const int error = start_helper_thread(&thread_, HelperStack::kOwn, run, this);
  if (error != 0) fatal("cannot start the thread that waits for the network: %s", std::strerror(error));
}

void NetworkBell::stop() {
  if (network_fd_ < 0) return;
  const std::uint64_t one = 1;
  (void)!::write(stop_fd_, &one, sizeof one);
  pthread_join(thread_, nullptr);
  ::close(epoll_fd_);
  ::close(stop_fd_);
  network_fd_ = epoll_fd_ = stop_fd_ = -1;
}

void NetworkBell::watch() noexcept {
  const int before = errno;  // calls of the program that succeed do not change its errno
  epoll_event event{};
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.fd = network_fd_;
  if (::epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, network_fd_, &event) != 0)
    fatal("the network's descriptor %d cannot be waited for: %s", network_fd_, std::strerror(errno));
  errno = before;
}

}  // namespace upcr
