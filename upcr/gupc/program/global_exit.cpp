// SPDX-License-Identifier: BSD-3-Clause
// upc_global_exit of the GCC-UPC interface: the job ends at once, and all processes clean up as exit() does,
// that is they run the handlers that the program has registered with atexit() and then flush its files.
//
// exit() runs handlers latest first, so one that is registered just before the program starts comes after
// all of the program's and before those of the runtime and of libraries that other threads still use. Here
// it does not return:
//   the caller     exit() on the calling thread; the handler then ends the job (upcr_global_exit)
//   the others     the bootstrap's thread learns of the end and starts a thread that calls exit(); the
//                  handler signals the first one and blocks, the first one flushes and ends the process
// In a process of several UPC threads the others continue meanwhile. A second caller waits for the end.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "conduits/core/base/report/flush.hpp"
#include "conduits/core/base/system/helper_thread.hpp"
#include "include/upcr/gupc.h"
#include "include/upcr/init.h"
#include "upcr/gupc/program/program.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

// Launchers wait one second for a process to end, which includes the flush.
constexpr std::chrono::milliseconds kHandlersTake{800};

class Cleaning {
 public:
  // True for one thread of the process: it runs the handlers.
  bool claim() { return !claimed_.exchange(true); }
  void done() {
    const std::lock_guard guard(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    (void)changed_.wait_for(lock, kHandlersTake, [this] { return done_; });
  }

 private:
  std::atomic<bool> claimed_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

Cleaning& cleaning() {
  static Cleaning* const one = new Cleaning;  // never destroyed: used in exit handlers
  return *one;
}

// The role of the calling thread while it runs the handlers.
enum class Part { kNone, kCaller, kHelper };
thread_local Part part = Part::kNone;
std::atomic<bool> watching{false};

bool in_forked_child() { return getpid() != runtime().pid; }

// The last of the program's handlers has run.
void handlers_ran(int status, void*) {
  if (part == Part::kNone || in_forked_child()) return;
  cleaning().done();
  if (part == Part::kCaller) upcr_global_exit(status);
  park_thread();
}

// Handlers that name the thread's file see the first thread of this process.
void* exit_on_helper(void* status) {
  part = Part::kHelper;
  if (runtime().threads_here > 1) gupc::set_program_threads(job().topology.my_first_slot(), 0);
  std::exit(static_cast<int>(reinterpret_cast<std::intptr_t>(status)));
}

void start_helper(int status) {
  pthread_t helper;
  void* const argument = reinterpret_cast<void*>(std::intptr_t{status});
  if (start_helper_thread(&helper, HelperStack::kClient, exit_on_helper, argument) != 0) cleaning().done();
}

// On the bootstrap's thread: another process ended the job.
void job_ended(int status) {
  const Runtime& r = runtime();
  if (r.stage.load() == Stage::kEnded || r.finished.load() == r.threads_here) return;  // in exit() already
  if (cleaning().claim()) start_helper(status);
  cleaning().wait();
  (void)flush_all_files();
}

}  // namespace

extern "C" {

UPCRI_API void upcri_gupc_watch_global_exit(void) {
  if (watching.exchange(true)) return;
  on_exit(handlers_ran, nullptr);
  job().bootstrap->on_job_exit(job_ended);
}

UPCRI_API void upcri_gupc_global_exit(int status) {
  if (in_forked_child()) std::exit(status);
  if (!watching.load() || part != Part::kNone) upcr_global_exit(status);  // the latter: from a handler
  if (!cleaning().claim()) park_thread();
  part = Part::kCaller;
  std::exit(status);
}

}  // extern "C"

}  // namespace upcr
