// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/measure/thread_team.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace perf {

void ThreadTeam::find_partner(bool one_host) {
  barrier();
  set_word(me_, process_ != 0);
  barrier();
  partner_ = threads_ > 1 ? 1 : 0;
  for (Thread t = threads_; t-- > 1;)
    if (word_of(t) != 0) {
      partner_ = t;
      partner_elsewhere_ = true;
    }
  barrier();
  scratch_ = map_scratch(all(one_host));
  if (!all(scratch_ != nullptr)) scratch_ = nullptr;
}

std::uint64_t ThreadTeam::value_of(Thread thread, std::uint64_t value) const {
  barrier();
  for (Thread t = 0; me_ == thread && t < threads_; ++t) set_word(t, value);
  barrier();
  return word_of(me_);
}

bool ThreadTeam::all(bool mine) const { return largest(mine ? 0 : 1) == 0; }

std::uint64_t ThreadTeam::largest(std::uint64_t mine) const {
  barrier();
  set_word(me_, mine);
  barrier();
  std::uint64_t most = 0;
  for (Thread t = 0; t < threads_; ++t) most = std::max(most, word_of(t));
  barrier();  // a thread that enters MPI does not serve those that still read
  return most;
}

// Thread 0's file, which the others open through /proc: on one host, whatever the runtime maps.
char* ThreadTeam::map_scratch(bool one_host) const {
  int fd = -1;
  if (leads()) {
    fd = memfd_create("upcr_perf", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, kScratchBytes) != 0) fd = -1;
  }
  const auto pid = static_cast<int>(value_of_leader(static_cast<std::uint64_t>(getpid())));
  const auto number = static_cast<int>(value_of_leader(static_cast<std::uint64_t>(fd)));
  if (!leads() && one_host) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, number);
    fd = open(path, O_RDWR | O_CLOEXEC);
  }
  void* p = fd >= 0 ? mmap(nullptr, kScratchBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  barrier();  // all threads have opened it
  if (fd >= 0) close(fd);
  return p == MAP_FAILED ? nullptr : static_cast<char*>(p);
}

}  // namespace perf
