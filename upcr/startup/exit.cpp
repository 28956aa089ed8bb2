// SPDX-License-Identifier: BSD-3-Clause
// How a UPC program ends.
//
//   orderly  each UPC thread passes the exit barrier (finish_thread). Then the process's first thread waits
//            for the other UPC threads of its process, leaves the job, and calls exit() with the status.
//            By a return from main_function, upcr_exit, bupc_exit, upcri_do_exit; and by exit(0), or main()
//            returning 0, which at_process_exit() catches.
//            pthread_exit() of a UPC thread, and its cancellation, count as a return of 0
//            (end_by_pthread_exit); if it is the process's first thread, the process then ends as in C, after
//            the program's threads.
//   at once  upcr_global_exit, and exit() with any other status: the launcher ends all processes.
//
// A child process that the program forked is not part of the job: it ends by plain exit().
#include <pthread.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/asan_interface.h>
#endif

#include <cstdlib>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/flush.hpp"
#include "conduits/core/base/report/process_end.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/startup/startup.hpp"
#include "include/upcr/init.h"
#include "upcr/access/nb.hpp"
#include "upcr/barrier/check.hpp"
#include "upcr/barrier/small_broadcast.hpp"
#include "upcr/coll/api/attach.hpp"
#include "upcr/gupc/memory/transfers.hpp"
#include "upcr/heap/heap.hpp"
#include "upcr/io/state.hpp"
#include "upcr/startup/end_of_observation.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/runtime_threads.hpp"
#include "upcr/sync/lock.hpp"
#include "upcr/util/gasp.hpp"

namespace upcr {
namespace {

void note_status(int status) {
  int none = 0;
  if (status != 0) runtime().status.compare_exchange_strong(none, status);
}

bool in_forked_child() { return getpid() != runtime().pid; }
bool all_finished_here() {
  return runtime().finished.load(std::memory_order_acquire) == runtime().threads_here;
}

// pthread_exit() unwinds frames whose epilogues never run, so AddressSanitizer's marks for them stay in the
// shadow of the stack, which this thread uses again here.
void forget_unwound_frames() {
#ifdef __SANITIZE_ADDRESS__
  __asan_handle_no_return();
#endif
}

// Only one thread of the process may call exit(): true for the first to call this, and for it again.
bool claim_exit(const ThreadCtx& c) {
  int none = -1;
  return runtime().exiter.compare_exchange_strong(none, c.local_index) || none == c.local_index;
}

// On the thread that ends the process.
void wait_for_local_threads(const ThreadCtx& c) {
  job().progress.wait_until(c.thread, {"UPC threads of this process at the end of the program"},
                            all_finished_here);
}

void leave_job() {
  await_reported_error();  // of a thread that is not a UPC thread
  run_hooks_before_end();
  end_job(job());
  runtime().stage.store(Stage::kEnded);
  run_hooks_after_end();
}

// exit(0), or main() returned 0, without upcr_exit() before.
void end_by_exit(ThreadCtx& c) {
  // Another UPC thread of this process that calls exit() now needs a handler too.
  if (runtime().threads_here > 1) on_exit(at_process_exit, nullptr);
  const bool mine = claim_exit(c);
  finish_thread(c, 0);
  if (!mine) park_thread();
  wait_for_local_threads(c);
  leave_job();
  if (const int status = runtime().status.load())
    std::exit(status);  // glibc continues with the other handlers
}

}  // namespace

void at_process_exit(int status, void*) {
  const Stage stage = runtime().stage.load();
  if (stage == Stage::kEnded || in_forked_child()) return;
  ThreadCtx* const c = ctx_or_null();
  if (stage != Stage::kRunning || c == nullptr) upcr_global_exit(status);
  if (all_finished_here()) return leave_job();
  if (status != 0 || c->exiting) upcr_global_exit(status);
  end_by_exit(*c);
}

void watch_process_exit() { on_exit(at_process_exit, nullptr); }

void finish_thread(ThreadCtx& c, int status) {
  if (c.notified)
    fatal("the program ended between upcr_notify(%d) and upcr_wait(); every thread must wait first",
          c.notify_value);
  c.exiting = true;
  gasp_collective_exit(c, false, status);
  report_observations(c);
  note_status(status);
  io_thread_exit(c);
  gupc::transfers_thread_exit(c);
  nb_report_leaks(c);
  heap_thread_exit(c);
  small_broadcast_end(c);
  coll::thread_end(c);
  job().barrier.notify(c.thread, {BarrierKind::kExit, 0});
  check_barrier(c, job().barrier.wait(c.thread));
  gasp_collective_exit(c, true, status);
  lock_thread_exit(c);
  runtime().finished.fetch_add(1, std::memory_order_acq_rel);
  if (runtime().threads_here > 1) job().doorbells.ring_process(job().topology, job().topology.rank);
}

void leave_process() {
  const ThreadCtx& c = ctx();
  if (!claim_exit(c)) park_thread();
  wait_for_local_threads(c);
  std::exit(runtime().status.load());
}

void watch_pthread_exit(ThreadCtx& c) {
  pthread_key_t key;
  if (pthread_key_create(&key, end_by_pthread_exit) == 0) (void)pthread_setspecific(key, &c);
}

// On a thread that is being unwound, or has been.
void end_by_pthread_exit(void* context) {
  forget_unwound_frames();
  ThreadCtx& c = *static_cast<ThreadCtx*>(context);
  if (in_forked_child()) return;
  const bool first = c.local_index == 0;
  const Stage stage = runtime().stage.load();
  if (stage == Stage::kRunning && !c.exiting) {
    finish_thread(c, 0);
    if (!first) return;
    wait_for_program_threads();
    watch_pthread_exit(c);  // an exit handler may call it too
    leave_process();
  }
  if (!first) return;
  // Inside exit(), in an exit handler of the program: exit() will not be continued.
  if (stage == Stage::kRunning && all_finished_here()) leave_job();
  wait_for_program_threads();
  const int status = runtime().status.load();
  const bool flushed = flush_all_files();
  claim_process_end();
  _exit(flushed ? status_after_output(status) : status);
}

void park_thread() {
  for (;;) pause();
}

extern "C" {

UPCRI_API void upcr_exit(int exitcode) {
  if (in_forked_child()) std::exit(exitcode);
  if (runtime().stage.load() != Stage::kRunning) upcr_global_exit(exitcode);
  ThreadCtx& c = ctx("upcr_exit");
  finish_thread(c, exitcode);
  if (c.local_index != 0) park_thread();
  leave_process();
}

UPCRI_API void upcri_do_exit(int exitcode) { upcr_exit(exitcode); }
UPCRI_API void bupc_exit(int exitcode) { upcr_exit(exitcode); }

UPCRI_API void upcr_global_exit(int exitcode) {
  if (!in_forked_child()) gasp_noncollective_exit(exitcode);
  if (!in_forked_child()) report_own_observations();
  if (!in_forked_child() && job().bootstrap != nullptr) job().bootstrap->global_exit(exitcode);
  const bool flushed = flush_all_files();
  claim_process_end();
  _exit(flushed ? status_after_output(exitcode) : exitcode);
}

}  // extern "C"
}  // namespace upcr
