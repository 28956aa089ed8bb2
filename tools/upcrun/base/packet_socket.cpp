// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/base/packet_socket.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstring>

namespace upcrun {

ssize_t receive_packet(int fd, char* packet, std::size_t size, pid_t* sender) {
  iovec part{packet, size};
  alignas(cmsghdr) char ancillary[CMSG_SPACE(sizeof(ucred))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = ancillary;
  message.msg_controllen = sizeof ancillary;
  *sender = 0;
  const ssize_t got = ::recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (got < 0) return got;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS) continue;
    ucred credentials;
    std::memcpy(&credentials, CMSG_DATA(c), sizeof credentials);
    *sender = credentials.pid;
  }
  return got;
}

}  // namespace upcrun
