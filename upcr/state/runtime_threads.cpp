// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/state/runtime_threads.hpp"

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <vector>

#include "conduits/core/bootstrap/launcher/mpi_library.hpp"

namespace upcr {
namespace {

using Threads = std::vector<pid_t>;

struct RuntimeThreads {
  std::mutex mutex;
  Threads before, runtime;
};

RuntimeThreads& runtime_threads() {
  static RuntimeThreads* const one = new RuntimeThreads;  // never destroyed: threads outlive exit handlers
  return *one;
}

pid_t this_thread() { return static_cast<pid_t>(::syscall(SYS_gettid)); }

// The threads of the process.
Threads threads_now() {
  Threads found;
  DIR* const folder = ::opendir("/proc/self/task");
  if (folder == nullptr) return found;
  while (const dirent* entry = ::readdir(folder))
    if (const int id = std::atoi(entry->d_name); id > 0) found.push_back(id);
  ::closedir(folder);
  return found;
}

bool has(const Threads& threads, pid_t id) {
  return std::find(threads.begin(), threads.end(), id) != threads.end();
}

bool program_has_threads() {
  RuntimeThreads& o = runtime_threads();
  const Threads now = threads_now();
  const pid_t me = this_thread();
  const std::lock_guard lock(o.mutex);
  return std::any_of(now.begin(), now.end(), [&](pid_t id) { return id != me && !has(o.runtime, id); });
}

}  // namespace

void runtime_threads_begin() {
  RuntimeThreads& o = runtime_threads();
  o.before = threads_now();
  if (!mpi_is_initialized()) return;
  for (const pid_t id : o.before)
    if (id != ::getpid()) o.runtime.push_back(id);
}

void runtime_threads_end() {
  RuntimeThreads& o = runtime_threads();
  const std::lock_guard lock(o.mutex);
  for (const pid_t id : threads_now())
    if (!has(o.before, id)) o.runtime.push_back(id);
}

void note_runtime_thread() {
  RuntimeThreads& o = runtime_threads();
  const std::lock_guard lock(o.mutex);
  if (const pid_t me = this_thread(); !has(o.runtime, me)) o.runtime.push_back(me);
}

void wait_for_program_threads() {
  const timespec moment{0, 2'000'000};
  while (program_has_threads()) ::nanosleep(&moment, nullptr);
}

}  // namespace upcr
