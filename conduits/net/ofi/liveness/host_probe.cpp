// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/liveness/host_probe.hpp"

#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace upcr::ofi {
namespace {

void set(int fd, int level, int option, int value) noexcept {
  (void)::setsockopt(fd, level, option, &value, sizeof value);
}

// The ports that the user's firewall lets pass: those that libfabric's provider tcp is told to use.
std::pair<unsigned, unsigned> port_range() {
  const auto number = [](const char* name) -> unsigned {
    const char* const text = std::getenv(name);
    const long value = text != nullptr ? std::strtol(text, nullptr, 10) : 0;
    return value > 0 && value <= 65535 ? static_cast<unsigned>(value) : 0;
  };
  const unsigned low = number("FI_TCP_PORT_LOW_RANGE"), high = number("FI_TCP_PORT_HIGH_RANGE");
  return low != 0 && low <= high ? std::pair{low, high} : std::pair{0u, 0u};
}

bool bind_to(int fd, sockaddr_storage address, std::uint16_t port) noexcept {
  set_port(address, port);
  return ::bind(fd, reinterpret_cast<const sockaddr*>(&address), length_of(address)) == 0;
}

}  // namespace

socklen_t length_of(const sockaddr_storage& address) noexcept {
  return address.ss_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

void set_port(sockaddr_storage& address, std::uint16_t port) noexcept {
  if (address.ss_family == AF_INET6)
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(port);
  else
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
}

// ---- the peer's side -------------------------------------------------------------------------------------

std::uint16_t ProbeListener::open(const sockaddr_storage& own, unsigned processes) {
  if (own.ss_family != AF_INET && own.ss_family != AF_INET6) return 0;
  fd_ = ::socket(own.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return 0;
  bool bound = false;
  const auto [low, high] = port_range();
  for (unsigned port = low; !bound && port <= high; ++port)
    bound = bind_to(fd_, own, static_cast<std::uint16_t>(port));
  sockaddr_storage at{};
  socklen_t length = sizeof at;
  if (!bound || ::listen(fd_, static_cast<int>(std::clamp(processes, kMinQueue, 65535u))) != 0 ||
      ::getsockname(fd_, reinterpret_cast<sockaddr*>(&at), &length) != 0) {
    close();
    return 0;
  }
  return ntohs(at.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(at).sin6_port
                                        : reinterpret_cast<sockaddr_in&>(at).sin_port);
}

void ProbeListener::answer() noexcept {
  if (fd_ < 0) return;
  for (int probe; (probe = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) ::close(probe);
}

void ProbeListener::close() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

// ---- the prober's side -----------------------------------------------------------------------------------

void HostProbe::close() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void HostProbe::connect() noexcept {
  fd_ = ::socket(to_.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return failed(errno);
  const int each = static_cast<int>(std::max(1u, seconds_ / 4));
  set(fd_, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(fd_, IPPROTO_TCP, TCP_KEEPIDLE, each);
  set(fd_, IPPROTO_TCP, TCP_KEEPINTVL, each);
  set(fd_, IPPROTO_TCP, TCP_KEEPCNT, 4);
  set(fd_, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(seconds_ * 1000));  // RFC 5482
  const linger none{1, 0};  // leaves no connection in TIME-WAIT
  (void)::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&to_), length_of(to_)) != 0 && errno != EINPROGRESS)
    failed(errno);
}

void HostProbe::failed(int error) noexcept {
  close();
  switch (error) {
    case ECONNREFUSED:
    case ECONNRESET:
    case EPIPE:
      state_ = State::kGone;
      return;
    case ETIMEDOUT:
    case EHOSTUNREACH:
    case EHOSTDOWN:
    case ENETUNREACH:
    case ENETDOWN:
      if (state_ == State::kReached) state_ = State::kCut;
      return;  // else still kConnecting
    default:
      state_ = State::kUnknown;
  }
}

HostProbe::State HostProbe::state() noexcept {
  if (state_ != State::kConnecting && state_ != State::kReached) return state_;
  if (fd_ < 0) connect();
  if (fd_ < 0) return state_;
  pollfd socket{fd_, POLLIN | POLLOUT, 0};
  if (::poll(&socket, 1, 0) <= 0) return state_;
  int error = 0;
  socklen_t length = sizeof error;
  (void)::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) {
    failed(error);
    return state_;
  }
  state_ = State::kReached;
  if ((socket.revents & (POLLIN | POLLHUP)) == 0) return state_;
  char byte;
  const ssize_t got = ::recv(fd_, &byte, 1, MSG_DONTWAIT);
  if (got == 0)
    state_ = State::kAnswered;
  else if (got < 0 && errno != EAGAIN && errno != EINTR)
    failed(errno);
  return state_;
}

}  // namespace upcr::ofi
