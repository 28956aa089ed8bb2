// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/base/wake_socket.hpp"

#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace upcr {
namespace {

constexpr int kKind = SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

socklen_t address_of(std::uint64_t name, sockaddr_un* address) noexcept {
  *address = sockaddr_un{};
  address->sun_family = AF_UNIX;
  const int n = std::snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "upcr-bell-%016llx",
                              static_cast<unsigned long long>(name));
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(n));
}

}  // namespace

bool open_wake_socket(int* socket, std::uint64_t* name) noexcept {
  std::uint64_t number;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) return false;
  const int s = ::socket(AF_UNIX, kKind, 0);
  if (s < 0) return false;
  sockaddr_un address;
  const socklen_t size = address_of(number, &address);
  if (::bind(s, reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    ::close(s);
    return false;
  }
  *socket = s;
  *name = number;
  return true;
}

void send_wake(std::uint64_t name) noexcept {
  static const int from = ::socket(AF_UNIX, kKind, 0);
  const int before = errno;
  sockaddr_un address;
  const socklen_t size = address_of(name, &address);
  // Refused when the queue is full: then the socket is readable already.
  (void)::sendto(from, "", 1, MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
  errno = before;
}

void empty_wake_socket(int socket) noexcept {
  const int before = errno;
  char byte;
  while (::recv(socket, &byte, sizeof byte, 0) >= 0) {
  }
  errno = before;
}

}  // namespace upcr
