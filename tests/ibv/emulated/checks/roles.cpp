// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/checks/roles.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

namespace emulated::checks {
namespace {

constexpr unsigned kLimit = 60;  // seconds of a role

}  // namespace

void need(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: not so: %s (errno: %s)\n", file, line, what, std::strerror(errno));
  ::_exit(1);
}

void Board::tell(unsigned n, const Told& what) {
  need(n < kPlaces, "there is such a place");
  places_[n].what = what;
  std::atomic_ref(places_[n].told).store(1);
}

Told Board::hear(unsigned n) {
  while (std::atomic_ref(places_[n].told).load() == 0) ::usleep(100);
  return places_[n].what;
}

bool all_succeed(const std::vector<Role>& roles, int killed) {
  void* shared = ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Board& board = *::new (shared) Board;
  std::vector<pid_t> processes;
  for (const Role& role : roles) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(kLimit);
      role(board);
      ::_exit(0);
    }
    processes.push_back(child);
  }
  bool good = true;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    int status = 0;
    ::waitpid(processes[i], &status, 0);
    if (status == (static_cast<int>(i) == killed ? SIGKILL : 0)) continue;
    good = false;
    for (std::size_t k = i + 1; k < processes.size(); ++k) ::kill(processes[k], SIGKILL);  // they wait for it
  }
  ::munmap(shared, sizeof(Board));
  return good;
}

}  // namespace emulated::checks
