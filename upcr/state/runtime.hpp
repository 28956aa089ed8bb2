// SPDX-License-Identifier: BSD-3-Clause
// The state of a process's UPC program: its job, how far start-up has come, its UPC threads, how they
// ended. C functions of the API have no argument for it, so it is reached by a global pointer, the only one
// to anything of a job: job() and ctx() for all code, the rest of Runtime for start-up and exit code (init,
// spawn, exit, client_api).
#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/bootstrap/table.hpp"
#include "conduits/core/job/job.hpp"
#include "include/upcr/gasnet_queries.h"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {

enum class Stage : int {
  kNone,      // nothing called yet
  kStarted,   // upcr_startup_init done
  kAttached,  // upcr_startup_attach done
  kRunning,   // upcr_startup_spawn has made the UPC threads
  kEnded,     // the process has left the job: exit handlers find nothing to do
};

// Exchanged between all processes at attach.
struct ProcessInfo {
  gasnet_seginfo_t segment;       // the memory of its UPC threads, in its own addresses
  Rank host, window_group_first;  // equal: same host, segments mapped into each other
};

struct Runtime {
  Job job;
  std::atomic<Stage> stage{Stage::kNone};
  pid_t pid = 0;          // of the process that started; a forked child has another
  Slot threads = 0;       // THREADS
  Slot threads_here = 1;  // UPC threads of this process
  const char* main_name = nullptr;
  std::size_t max_local = 0, max_global = 0;  // bytes that each UPC thread's segment can have
  std::size_t requested_segment = 0;          // bytes; more than job().segments.bytes if memory was short
  std::string segment_limit;                  // then: the reason, for messages
  std::unique_ptr<ThreadCtx[]> contexts;      // threads_here, once attached
  Table process_table;                        // memory of `processes`
  std::span<const ProcessInfo> processes;     // by rank, once attached
  bool started_by_bupc = false;               // bupc_init*: the UPCRL_mpi hooks apply

  // The end of the program: threads finish one by one; one of them ends the process.
  std::atomic<unsigned> finished{0};  // UPC threads of this process that have passed the final barrier
  std::atomic<int> status{0};         // the first that was not 0
  std::atomic<int> exiter{-1};        // local index of the thread that is in exit(), -1: none
};

// Made when the library is loaded (thread_ctx.cpp).
UPCR_MODULE_API extern Runtime* the_runtime;
inline Runtime& runtime() noexcept { return *the_runtime; }
inline Job& job() noexcept { return runtime().job; }

// Installs the prefix of messages ("UPC Runtime error: ") and the way to end the job. Before anything else.
void install_upc_client_api();
// Describes where a faulting address lies; for install_signal_reports().
std::size_t describe_address(const void* address, char* buf, std::size_t size);
// Fills upcri_window and upcri_layout (window.cpp).
void publish_layout(Rank rank, Rank size);
void publish_window();

// Before a fatal() that every process reaches: returns on rank 0; the others wait for the end of the job.
void defer_to_first_process();

// Makes the calling thread UPC thread `index` of this process.
void enter_thread(int index);

// Registers the handler that makes exit() and a return from main() end the UPC program too.
void watch_process_exit();
void at_process_exit(int status, void*);
// Ends the calling UPC thread's program with the final barrier. Returns when all UPC threads have reached it.
void finish_thread(ThreadCtx& c, int status);
// After finish_thread(), on the process's first UPC thread: ends the process.
[[noreturn]] void leave_process();
// Called on the UPC thread of this ThreadCtx after its pthread_exit() or cancellation, which end its program.
// Ends the process if it is the process's first thread, and returns on others.
void end_by_pthread_exit(void* context);
// Catches pthread_exit() of the calling thread, the process's first, where none of the runtime's frames is on
// its stack: in main() after bupc_init(), or in an exit handler.
void watch_pthread_exit(ThreadCtx& c);
// After finish_thread() on other threads: waits for the process to end.
[[noreturn]] void park_thread();

// Call the program's link-time hooks (link.h), before and after the process leaves the job.
void run_hooks_before_end();
void run_hooks_after_end();

// Fills in Runtime::processes. Collective, at attach.
void collect_process_info();

}  // namespace upcr
