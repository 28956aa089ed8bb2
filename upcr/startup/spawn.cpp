// SPDX-License-Identifier: BSD-3-Clause
// upcr_startup_spawn: the UPC threads of this process, their set-up in the specified order, and the program
// on each of them. The process's first UPC thread is the initial thread; the others are pthreads.
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/signal_report.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/startup/error_reporter.hpp"
#include "include/upcr/gmem.h"
#include "include/upcr/heap.h"
#include "include/upcr/init.h"
#include "include/upcr/window.h"
#include "upcr/gupc/program/static_section.hpp"
#include "upcr/heap/heap.hpp"
#include "upcr/observe/settings.hpp"
#include "upcr/segment/runtime_area.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/runtime_threads.hpp"
#include "upcr/statics/tld.hpp"
#include "upcr/sync/lock.hpp"

namespace upcr {
namespace {

struct Spawn {
  upcr_startup_spawnfuncs functions{};
  std::size_t static_bytes = 0;  // reserved in each segment, a multiple of the page size
  int argc = 0;
  char** argv = nullptr;
};
Spawn spawn;  // written before the threads exist

// A thread's own copy of argv: the pointers, the terminating null, and the strings, in one block.
char** copy_arguments(int argc, char** argv) {
  std::size_t bytes = (static_cast<std::size_t>(argc) + 1) * sizeof(char*);
  for (int i = 0; i < argc; ++i) bytes += std::strlen(argv[i]) + 1;
  char** copy = static_cast<char**>(std::malloc(bytes));
  if (copy == nullptr) fatal("no memory for a copy of the command line (%zu bytes)", bytes);
  char* text = reinterpret_cast<char*>(copy + argc + 1);
  for (int i = 0; i < argc; ++i) {
    copy[i] = text;
    text = stpcpy(text, argv[i]) + 1;
  }
  copy[argc] = nullptr;
  return copy;
}

// A barrier of all UPC threads, before the program may use barriers.
void wait_for_all_threads(const ThreadCtx& c) {
  job().barrier.notify(c.thread, {BarrierKind::kAnonymous, 0});
  (void)job().barrier.wait(c.thread);
}

void set_up_shared_memory(ThreadCtx& c) {
  char* const statics = c.segment + kFirstObjectOffset;
  char* const heap = statics + spawn.static_bytes;
  const std::size_t heap_bytes = static_cast<std::size_t>(c.segment + job().segments.bytes - heap);
  heap_thread_init(c);
  lock_thread_init(c);
  (spawn.functions.heap_init != nullptr ? spawn.functions.heap_init : upcri_init_heaps)(heap, heap_bytes);
  gupc::copy_static_section(statics);
  wait_for_all_threads(c);  // static_init may allocate and write anywhere
  if (spawn.functions.static_init != nullptr) spawn.functions.static_init(statics, spawn.static_bytes);
  wait_for_all_threads(c);
}

// Makes the calling thread a UPC thread. Returns when the program may start on it.
void start_thread(int index) {
  if (index != 0) enter_thread(index);
  tld_thread_init(index);
  if (spawn.functions.per_pthread_init != nullptr) spawn.functions.per_pthread_init();
  set_up_shared_memory(ctx());
  observe::start_thread(ctx());
  ctx().barriers = 0;  // from now on those of the program
}

// If the program's function ends by pthread_exit(), the thread is unwound to here: its cleanup handlers have
// run, its thread-specific data still exists.
int call_main(ThreadCtx& c) {
  int status;
  pthread_cleanup_push(end_by_pthread_exit, &c);
  status = spawn.functions.main_function(spawn.argc, c.argv);
  pthread_cleanup_pop(0);
  return status;
}

void run_main() {
  ThreadCtx& c = ctx();
  c.argv = copy_arguments(spawn.argc, spawn.argv);
  finish_thread(c, call_main(c));
}

void* thread_body(void* index) {
  note_runtime_thread();
  use_signal_stack();
  start_thread(static_cast<int>(reinterpret_cast<std::intptr_t>(index)));
  run_main();
  return nullptr;
}

void create_threads() {
  for (Slot i = 1; i < runtime().threads_here; ++i) {
    pthread_t thread;
    errno = pthread_create(&thread, nullptr, thread_body, reinterpret_cast<void*>(std::uintptr_t{i}));
    if (errno != 0)
      fatal_errno(
          "cannot create UPC thread %u of the %u of this process (check ulimit -u and -v); use fewer "
          "UPC threads per process",
          i, runtime().threads_here);
    pthread_detach(thread);
  }
}

void check_static_data(std::size_t static_bytes) {
  if (static_bytes < job().segments.bytes &&
      static_bytes + kFirstObjectOffset + UPCR_PAGESIZE <= job().segments.bytes)
    return;
  fatal(
      "the program's static shared data takes %zu bytes of each UPC thread's shared memory, which has %zu; "
      "raise UPC_SHARED_HEAP_SIZE",
      static_bytes, job().segments.bytes);
}

}  // namespace

void enter_thread(int index) {
  ThreadCtx& c = runtime().contexts[static_cast<std::size_t>(index)];
  current_ctx = &c;
  upcri_mythread_ = upcr_my_thread = c.thread;
  upcri_mypthread_ = index;
}

extern "C" {

UPCRI_API void upcr_startup_spawn(int* pargc, char*** pargv, uintptr_t static_data_size,
                                  uintptr_t default_cache_size, struct upcr_startup_spawnfuncs* spawnfuncs) {
  Runtime& r = runtime();
  const Stage stage = r.stage.load();
  if (stage == Stage::kNone || stage == Stage::kStarted)
    fatal("upcr_startup_spawn called before upcr_startup_attach()");
  if (stage != Stage::kAttached) return;
  if (spawnfuncs != nullptr) spawn.functions = *spawnfuncs;
  if (spawn.functions.main_function == nullptr && r.threads_here > 1)
    fatal(
        "the program starts UPC without a function to run on each UPC thread (bupc_init), but has %u UPC "
        "threads per process; use bupc_init_reentrant(), or one UPC thread per process (upcrun --pthreads 1)",
        r.threads_here);
  const std::size_t static_bytes = std::max<std::size_t>(static_data_size, gupc::static_section_bytes());
  check_static_data(static_bytes);
  spawn.static_bytes = round_up(static_bytes, UPCR_PAGESIZE);
  gupc::place_static_section();
  spawn.argc = pargc != nullptr ? *pargc : 0;
  spawn.argv = pargv != nullptr ? *pargv : nullptr;

  tld_process_init(static_cast<int>(r.threads_here));
  if (spawn.functions.pre_spawn_init != nullptr) spawn.functions.pre_spawn_init();
  report_errors_of_program();
  r.stage.store(Stage::kRunning);
  observe::start_process();
  create_threads();
  start_thread(0);
  watch_pthread_exit(ctx());
  if (spawn.functions.main_function == nullptr) return;
  run_main();
  leave_process();
}

UPCRI_API void upcri_init_cache(void*, uintptr_t) {}

}  // extern "C"
}  // namespace upcr
