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

struct Own {
  std::mutex mutex;
  Threads before, own;
};

Own& own() {
  static Own* const one = new Own;  // never destroyed: threads outlive exit handlers
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
  Own& o = own();
  const Threads now = threads_now();
  const pid_t me = this_thread();
  const std::lock_guard lock(o.mutex);
  return std::any_of(now.begin(), now.end(), [&](pid_t id) { return id != me && !has(o.own, id); });
}

}  // namespace

void runtime_threads_begin() {
  Own& o = own();
  o.before = threads_now();
  if (!mpi_is_initialized()) return;
  for (const pid_t id : o.before)
    if (id != ::getpid()) o.own.push_back(id);
}

void runtime_threads_end() {
  Own& o = own();
  const std::lock_guard lock(o.mutex);
  for (const pid_t id : threads_now())
    if (!has(o.before, id)) o.own.push_back(id);
}

void note_runtime_thread() {
  Own& o = own();
  const std::lock_guard lock(o.mutex);
  if (const pid_t me = this_thread(); !has(o.own, me)) o.own.push_back(me);
}

void wait_for_program_threads() {
  const timespec moment{0, 2'000'000};
  while (program_has_threads()) ::nanosleep(&moment, nullptr);
}

}  // namespace upcr
