// SPDX-License-Identifier: BSD-3-Clause
// upcr_startup_init and upcr_startup_attach: the number of UPC threads, the size of shared memory. Initial
// thread.
#include "include/upcr/init.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/signal_report.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/bootstrap/launcher/make_bootstrap.hpp"
#include "conduits/core/memory/memory_limits.hpp"
#include "conduits/core/startup/startup.hpp"
#include "include/upcr/layout.h"
#include "include/upcr/link.h"
#include "upcr/coll/api/attach.hpp"
#include "upcr/heap/heap.hpp"
#include "upcr/observe/messages.hpp"
#include "upcr/segment/runtime_area.hpp"
#include "upcr/startup/later_threads.hpp"
#include "upcr/startup/legacy_config.hpp"
#include "upcr/startup/wait_report.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/runtime_threads.hpp"
#include "upcr/statics/tld.hpp"
#include "upcr/sync/sem_remote.hpp"

namespace upcr {
namespace {

const ConfigVar kVars[] = {
    {"UPC_SHARED_HEAP_SIZE", ConfigType::kMegabytes, "64MB",
     "shared memory of each UPC thread; the default is the program's, or 64MB if it has none"},
    {"UPC_SHARED_HEAP_OFFSET", ConfigType::kMegabytes, "0",
     "accepted for compatibility, without effect: shared memory does not limit the C heap"},
    {"UPC_REQUIRE_SHARED_SIZE", ConfigType::kBool, "no",
     "end the job if less shared memory than requested is available"},
    {"UPC_SIZE_WARN", ConfigType::kBool, "no", "warn if less shared memory than requested is available"},
    {"UPC_POLITE_SYNC", ConfigType::kBool, "no",
     "accepted for compatibility, without effect: waiting threads always yield when CPUs are short"},
    {"UPC_SEM_MAXMEDIUM", ConfigType::kSize, "0",
     "accepted for compatibility, without effect: a signalling put is one message whatever its size"},
};
ConfigTable table("start-up", kVars);

constexpr std::size_t kDefaultSegment = std::size_t{64} << 20;
// The reserved page, the runtime area, and a heap of some pages.
constexpr std::size_t kSmallestSegment = 16 * UPCR_PAGESIZE;

// The largest segment of which a pointer-to-shared can address every byte and the one behind the last, and
// that the heaps can manage (1 TiB).
#ifdef UPCRI_POINTER_packed
constexpr std::size_t kLargestSegment =
    (std::size_t{1} << (UPCRI_ADDR_BITS < 40 ? UPCRI_ADDR_BITS : 40)) - UPCR_PAGESIZE;
#else
constexpr std::size_t kLargestSegment = (std::size_t{1} << 40) - UPCR_PAGESIZE;
#endif

// The program's limit for a process; 0: none. One variable with two names.
std::uint64_t most_per_process() {
  return UPCRL_gasnet_max_segsize != 0 ? UPCRL_gasnet_max_segsize : gasnet_max_segsize;
}

std::size_t limit_segment(const Runtime& r, std::size_t available) {
  std::size_t bytes = std::min(available, kLargestSegment);
  if (const std::uint64_t most = most_per_process())
    bytes = std::min<std::size_t>(bytes, most / r.threads_here);
  return bytes / UPCR_PAGESIZE * UPCR_PAGESIZE;
}

void choose_threads(Runtime& r, upcr_thread_t default_pthreads) {
  const JobShape& shape = job_shape();
  if (!shape.from_launcher && !shape.threads_given && !shape.pthreads_given && default_pthreads > 1) {
    r.threads = r.threads_here = default_pthreads;
  } else {
    r.threads = shape.threads;
    r.threads_here = shape.threads_of(job().topology.rank);
  }
}

void check_threads(const Runtime& r, upcr_thread_t static_threads) {
  if (r.threads == 0 || r.threads > UPCR_MAX_THREADS || r.threads_here > UPCR_MAX_PTHREADS ||
      (static_threads != 0 && static_threads != r.threads))
    defer_to_first_process();
  if (r.threads == 0) fatal("the job has 0 UPC threads; start at least 1 (upcrun -n, UPCR_THREADS)");
  if (r.threads > UPCR_MAX_THREADS)
    fatal(
        "the job has %u UPC threads, but this upcr was built for %d at most; run fewer, or build it with a "
        "larger UPCR_THREAD_BITS",
        r.threads, UPCR_MAX_THREADS);
  if (r.threads_here > UPCR_MAX_PTHREADS)
    fatal(
        "%u UPC threads per process are requested, but %d is the limit; use more processes (upcrun "
        "--pthreads, UPCR_PTHREADS)",
        r.threads_here, UPCR_MAX_PTHREADS);
  if (static_threads != 0 && static_threads != r.threads)
    fatal(
        "the program was compiled for %u UPC threads, but the job has %u; start it with upcrun -n %u, or "
        "compile it without a fixed number of threads",
        static_threads, r.threads, static_threads);
}

// Collective: the largest size that a process requests. The environment may differ between processes; a size
// below the minimum in one of them ends the job on all.
std::size_t requested_segment_bytes(std::uintptr_t default_size, int flags) {
  std::size_t bytes = default_size != 0 ? default_size : kDefaultSegment;
  const bool from_user = (flags & UPCR_ATTACH_ENV_OVERRIDE) != 0 && config_is_set("UPC_SHARED_HEAP_SIZE");
  if (from_user) bytes = config_size("UPC_SHARED_HEAP_SIZE");
#if defined(UPCR_DEBUG) && UPCR_DEBUG
  else if (bytes % UPCR_PAGESIZE != 0)
    fatal("upcr_startup_attach: a shared size of %zu bytes is not a multiple of UPCR_PAGESIZE (%d)", bytes,
          UPCR_PAGESIZE);
#endif
  std::vector<std::uint64_t> all(job().topology.size);
  const std::uint64_t mine = bytes;
  job().bootstrap->allgather(&mine, sizeof mine, all.data());
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  if (*least < kSmallestSegment) {
    defer_to_first_process();
    fatal(
        "%llu bytes of shared memory are requested for each UPC thread, but %zu is the minimum; "
        "%s UPC_SHARED_HEAP_SIZE, for example to 64MB",
        static_cast<unsigned long long>(*least), kSmallestSegment, from_user ? "raise" : "set");
  }
  bytes = *most;
  return std::min(bytes, SIZE_MAX - UPCR_PAGESIZE) / UPCR_PAGESIZE * UPCR_PAGESIZE;
}

bool setting(const char* variable, int flags, int flag) {
  return config_is_set(variable) ? config_bool(variable) : (flags & flag) != 0;
}

// The limit of this process's segments, in words.
std::string segment_limit_here(const Runtime& r) {
  const Job& j = job();
  const std::uint64_t most = most_per_process();
  char text[32];
  if (most != 0 && r.max_global == most / r.threads_here / UPCR_PAGESIZE * UPCR_PAGESIZE)
    return std::string("the program's gasnet_max_segsize of ") + format_size(most, text, sizeof text) +
           " for each process";
  if (r.max_global == kLargestSegment) return "the reach of a pointer-to-shared";
  const MemoryLimit memory = memory_limit();
  char host[65] = "";
  (void)gethostname(host, sizeof host - 1);
  return std::string("host ") + host + " has " + format_size(memory.bytes, text, sizeof text) + " for the " +
         std::to_string(j.topology.machine_ranks * r.threads_here) + " UPC threads of " +
         std::to_string(j.topology.machine_ranks) + " processes: " + memory.source;
}

// Why segments cannot be larger, in words. Collective: the text is that of the process with the least memory.
std::string find_segment_limit(const Runtime& r) {
  const Job& j = job();
  const std::uint64_t mine = r.max_local;
  std::vector<std::uint64_t> all(j.topology.size);
  j.bootstrap->allgather(&mine, sizeof mine, all.data());
  const auto least = static_cast<Rank>(std::min_element(all.begin(), all.end()) - all.begin());
  return j.bootstrap->broadcast(least, segment_limit_here(r));
}

// The size of the segments: the requested one, or the largest that all hosts can provide.
std::size_t choose_segment(Runtime& r, std::size_t wanted, int flags) {
  r.requested_segment = wanted;
  if (wanted <= r.max_global) return wanted;
  r.segment_limit = find_segment_limit(r);
  const bool require = setting("UPC_REQUIRE_SHARED_SIZE", flags, UPCR_ATTACH_REQUIRE_SIZE);
  char asked[32], got[32];
  format_size(wanted, asked, sizeof asked);
  format_size(r.max_global, got, sizeof got);
  if (require || r.max_global < kSmallestSegment) {
    defer_to_first_process();
    fatal(
        "%s of shared memory is requested for each of %u UPC threads, but only %s is available: %s; lower "
        "UPC_SHARED_HEAP_SIZE, or run fewer UPC threads per host%s",
        asked, r.threads, got, r.segment_limit.c_str(),
        require ? ", or do not require the size (UPC_REQUIRE_SHARED_SIZE=no)" : "");
  }
  if (job().topology.rank == 0 && setting("UPC_SIZE_WARN", flags, UPCR_ATTACH_SIZE_WARN))
    warn(
        "%s of shared memory is requested for each UPC thread, but only %s is available and will be used: %s",
        asked, got, r.segment_limit.c_str());
  return r.max_global;
}

unsigned stride_bits(std::size_t bytes) {
#ifdef UPCRI_POINTER_packed
  (void)bytes;
  return UPCRI_ADDR_BITS;
#else
  unsigned bits = 30;
  while ((std::size_t{1} << bits) < bytes + UPCR_PAGESIZE) ++bits;  // a gap between neighbours
  return bits;
#endif
}

void make_contexts(Runtime& r, const Job& j) {
  r.contexts = std::make_unique<ThreadCtx[]>(r.threads_here);
  for (Slot i = 0; i < r.threads_here; ++i) {
    ThreadCtx& c = r.contexts[i];
    c.thread = j.topology.my_first_slot() + i;
    c.local_index = static_cast<int>(i);
    c.segment = reinterpret_cast<char*>(j.segments.mapped[c.thread]);
  }
}

// AttachOptions::ready. Handlers and hooks are registered here, before attach_job() creates the progress
// thread: its creation orders these writes before its first poll.
void attach_runtime(Job& j) {
  publish_window();
  collect_process_info();
  observe::start_messages(*j.engine, j.topology.size, j.multithreaded);
  heap_attach(j);
  attach_semaphores(j);
  make_contexts(runtime(), j);
  coll::attach(j);
  j.bootstrap->on_question(describe_threads);
  j.progress.on_stall(report_stall);
}

}  // namespace

void defer_to_first_process() {
  if (job().topology.rank != 0) job().bootstrap->barrier();
}

extern "C" {

UPCRI_API void upcr_startup_init(int* pargc, char*** pargv, upcr_thread_t static_threadcnt,
                                 upcr_thread_t default_pthreads_per_proc, const char* main_name) {
  Runtime& r = runtime();
  if (r.stage.load() != Stage::kNone) return;
  runtime_threads_begin();
  install_upc_client_api();
  r.pid = getpid();
  r.main_name = main_name;
  start_job(job(), {pargc != nullptr ? *pargc : 0, pargv != nullptr ? *pargv : nullptr});
  if (job().topology.rank == 0) warn_about_legacy_variables();
  install_signal_reports(describe_address);
  choose_threads(r, default_pthreads_per_proc);
  const Topology& t = job().topology;
  publish_layout(t.rank, t.size);
  r.stage.store(Stage::kStarted);
  watch_process_exit();
  check_threads(r, static_cast<int>(static_threadcnt) > 0 ? static_threadcnt : 0);
  tld_check(static_cast<int>(r.threads_here));
  r.max_global = limit_segment(r, max_global_segment(job(), r.threads_here));
  // Two readings of the free memory: the second may be lower than this process's part of the first.
  r.max_local = std::max(r.max_global, limit_segment(r, max_local_segment(job(), r.threads_here)));
}

UPCRI_API void upcr_startup_attach(uintptr_t default_shared_size, uintptr_t default_shared_offset,
                                   int flags) {
  Runtime& r = runtime();
  if (r.stage.load() == Stage::kNone) fatal("upcr_startup_attach called before upcr_startup_init()");
  if (r.stage.load() != Stage::kStarted) return;
  const std::size_t bytes = choose_segment(r, requested_segment_bytes(default_shared_size, flags), flags);
  AttachOptions options;
  options.slots_here = r.threads_here;
  options.segment_bytes = bytes;
  options.null_bytes = kNullPageBytes;
  options.stride_bits = stride_bits(bytes);
  options.multithreaded = r.threads_here > 1;
  options.progress_thread = UPCRL_progress_thread != 0;
  options.plan = [](Job& j) {
    heap_plan(j);
    coll::plan(j);
  };
  options.ready = attach_runtime;
  attach_job(job(), options);
  runtime_threads_end();
  r.stage.store(Stage::kAttached);
  enter_thread(0);  // the initial thread is the process's first UPC thread from here
  if (r.threads_here == 1) number_later_threads(upcr_mythread());
}

UPCRI_API char* upcr_getenv(const char* env_name) {
  upcri_check_started("upcr_getenv");
  return std::getenv(env_name);
}

UPCRI_API char* bupc_getenv(const char* env_name) {
  ctx("bupc_getenv");
  return std::getenv(env_name);
}

}  // extern "C"
}  // namespace upcr
