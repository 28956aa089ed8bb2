// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/startup/error_reporter.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/fatal_filter.hpp"

namespace upcr {
namespace {

// The time that processes of other hosts than rank 0's give it to end the job; higher ranks wait longer.
constexpr long kFirstHostMs = 1000;
constexpr long kRankMs = 20;
constexpr Rank kMaxDelayedRanks = 200;

std::string name;  // of the socket that the host's first process binds
const Topology* job_topology = nullptr;

// All processes have joined the job, whose end reaches them in a few milliseconds.
constexpr long kProgramLingerMs = 150;
constexpr long kCountMs = 30;  // for others that find the same error
int reporter_socket = -1;      // of the first process: others send it a byte

// Only the first process that binds an abstract socket succeeds, until it ends. Async-signal-safe.
bool first_of_host() {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return true;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  if (::bind(fd, generic, bytes) == 0) {
    reporter_socket = fd;
    return true;
  }
  if (errno != EADDRINUSE) return true;
  (void)::sendto(fd, "", 1, MSG_DONTWAIT, generic, bytes);
  (void)::close(fd);
  return false;
}

}  // namespace

void report_errors_once(const std::string& job_id, const Topology& topology) {
  if (topology.size == 1) return;
  name = "upcr-error-" + job_id;
  job_topology = &topology;
  set_fatal_filter(is_error_reporter);
  set_fatal_count(count_other_errors);
}

void report_errors_of_program() {
  set_linger(kProgramLingerMs);
  if (config_bool("UPCR_ALL_ERRORS")) set_fatal_filter(nullptr);
}

unsigned count_other_errors() {
  if (reporter_socket < 0) return 0;
  const timespec pause{0, kCountMs * 1'000'000};
  (void)::nanosleep(&pause, nullptr);
  unsigned count = 0;
  for (char byte; ::recv(reporter_socket, &byte, sizeof byte, MSG_DONTWAIT) > 0;) ++count;
  return count;
}

bool is_error_reporter() {
  if (job_topology == nullptr) return true;
  if (!first_of_host()) return false;
  if (job_topology->rank == 0 || job_topology->machine_size == job_topology->size) return true;
  const long ms = kFirstHostMs + kRankMs * static_cast<long>(std::min(job_topology->rank, kMaxDelayedRanks));
  const timespec pause{ms / 1000, ms % 1000 * 1'000'000};
  (void)::nanosleep(&pause, nullptr);
  return true;
}

}  // namespace upcr
