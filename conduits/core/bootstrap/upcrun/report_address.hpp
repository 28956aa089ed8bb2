// SPDX-License-Identifier: BSD-3-Clause
// Where upcrun answers a process of its user (upcr_info --job) that asks what the job does: it writes a text
// to each that connects, and closes the connection.
#pragma once
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdio>

namespace upcr::wire {

// The address of the upcrun with this pid: in the abstract namespace, so nothing is left behind. Any process
// may take a name there: both sides look at the user of the other one (SO_PEERCRED). Returns its length.
inline socklen_t report_address(pid_t upcrun, sockaddr_un* address) {
  *address = {};
  address->sun_family = AF_UNIX;
  const int length = std::snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "upcrun-%d",
                                   static_cast<int>(upcrun));
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(length));
}

}  // namespace upcr::wire
