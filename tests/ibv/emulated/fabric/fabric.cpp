// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/fabric/fabric.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include "tests/ibv/emulated/fabric/processes.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"

namespace emulated {
namespace {

constexpr std::uint32_t kReady = 0x76627301;

// In steps: a process that is killed between being woken up and taking the mutex takes the wake-up with it,
// and if another one has the mutex meanwhile, nobody wakes up those that still wait.
int lock_in_steps(pthread_mutex_t* mutex) noexcept {
  constexpr long kStep = 50'000'000;
  for (;;) {
    timespec end{};
    ::clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += kStep;
    if (end.tv_nsec >= 1'000'000'000) ++end.tv_sec, end.tv_nsec -= 1'000'000'000;
    const int error = ::pthread_mutex_timedlock(mutex, &end);
    if (error != ETIMEDOUT) return error;
  }
}

}  // namespace

void give_up(const char* what) {
  std::fprintf(stderr, "emulated verbs: %s: %s\n", what, std::strerror(errno));
  std::abort();
}

// Never destroyed: threads of the program may still be in it at exit.
Fabric& Fabric::get() {
  static Fabric& fabric = *new Fabric(settings().directory);
  return fabric;
}

Fabric::Fabric(const std::string& directory) : directory_(directory) {
  const std::string path = directory + "/fabric";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) give_up(path.c_str());
  if (::flock(fd, LOCK_EX) != 0 || ::ftruncate(fd, static_cast<off_t>(Heap::kFileBytes)) != 0)
    give_up(path.c_str());
  void* mapped = ::mmap(nullptr, Heap::kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (mapped == MAP_FAILED) give_up(path.c_str());
  ::madvise(mapped, Heap::kFileBytes, MADV_DONTDUMP);
  base_ = static_cast<std::byte*>(mapped);
  if (shared().ready.load() != kReady) initialise();
  ::flock(fd, LOCK_UN);  // the mapping keeps the file open, and with it a lock
  ::close(fd);
  // Other processes write this one's memory.
  (void)::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  enter();
}

// The file is all zeros, and so are the tables.
void Fabric::initialise() {
  pthread_mutexattr_t attributes;
  ::pthread_mutexattr_init(&attributes);
  ::pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  ::pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  ::pthread_mutex_init(&shared().mutex, &attributes);
  ::pthread_mutexattr_destroy(&attributes);
  shared().heap.open(sizeof(Shared));
  shared().ready.store(kReady);
}

void Fabric::enter() {
  lock();
  forget_dead_processes(*this);
  std::uint16_t free = 0;
  while (free < kMaxProcesses && shared().processes[free].used) ++free;
  if (free == kMaxProcesses) {
    errno = EUSERS;
    give_up(directory_.c_str());
  }
  process_ = free;
  shared().processes[free] = {::getpid(), true, reinterpret_cast<std::uint64_t>(base_)};
  unlock();
}

void Fabric::lock() noexcept {
  const int error = lock_in_steps(&shared().mutex);
  if (error == 0) return;
  // A process that died with the mutex leaves at worst an entry that is half filled in and belongs to it.
  if (error == EOWNERDEAD && ::pthread_mutex_consistent(&shared().mutex) == 0) return;
  errno = error;
  give_up("the mutex of the fabric");
}

void Fabric::unlock() noexcept { ::pthread_mutex_unlock(&shared().mutex); }

}  // namespace emulated
