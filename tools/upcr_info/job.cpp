// SPDX-License-Identifier: BSD-3-Clause
// --job: asks the upcrun that a process belongs to. upcrun answers any process of its user
// (report_address.hpp).
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "conduits/core/bootstrap/upcrun/report_address.hpp"
#include "sections.hpp"

namespace {

// The parent of a process; 0: it has none that can be seen.
pid_t parent_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');  // the name may hold anything
  char state = 0;
  int parent = 0;
  if (name_end == std::string::npos ||
      std::sscanf(text.c_str() + name_end + 1, " %c %d", &state, &parent) != 2)
    return 0;
  return parent;
}

// A connection to the upcrun with this pid, of this user; -1: there is none, with the user in *other if it is
// another one's.
int connect_to(pid_t upcrun, uid_t* other) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  sockaddr_un address;
  const socklen_t length = upcr::wire::report_address(upcrun, &address);
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), length) == 0 &&
      ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0) {
    if (peer.uid == ::getuid() || ::getuid() == 0) return socket;
    *other = peer.uid;
  }
  ::close(socket);
  return -1;
}

std::string read_all(int socket) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(socket, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR);)
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  ::close(socket);
  return text;
}

}  // namespace

int print_job(int pid) {
  constexpr uid_t kNobodyElse = static_cast<uid_t>(-1);
  uid_t other = kNobodyElse;
  int socket = -1;
  for (pid_t p = pid; p > 0 && socket < 0; p = parent_of(p)) socket = connect_to(p, &other);
  if (socket < 0) {
    if (::kill(pid, 0) != 0 && errno == ESRCH)
      std::fprintf(stderr, "upcr_info: there is no process %d on this host\n", pid);
    else if (other != kNobodyElse)
      std::fprintf(stderr, "upcr_info: the job of process %d belongs to user %u, who alone can ask it\n", pid,
                   static_cast<unsigned>(other));
    else
      std::fprintf(
          stderr,
          "upcr_info: process %d is neither upcrun nor started by an upcrun of this host; for a process "
          "of another host give the pid of upcrun, on its host\n",
          pid);
    return 1;
  }
  const std::string report = read_all(socket);
  if (report.empty()) {
    std::fprintf(stderr,
                 "upcr_info: the job of process %d has no UPC threads to report: it starts, ends, or is no "
                 "UPC program's\n",
                 pid);
    return 1;
  }
  std::fwrite(report.data(), 1, report.size(), stdout);
  return 0;
}
