// SPDX-License-Identifier: BSD-3-Clause
// A C++ client of all headers: the tools in a job. The job's environment, the program's own backtrace,
// constants of both headers, threads' keys, all parts of the extended interface from C++.
#include <gasnet.h>
#include <gasnet_coll.h>
#include <gasnet_tools.h>
#include <gasnet_vis.h>

#include <cstdio>
#include <cstring>

#include "client.h"

#if GASNETT_MAX_THREADS < 1 || (GASNET_PAGESIZE % GASNETT_PAGESIZE) != 0
#  error constants
#endif
#if defined(GASNET_SEQ) != (GASNETT_MAX_THREADS == 1) || defined(GASNET_SEQ) == defined(GASNETT_THREAD_SAFE)
#  error threads
#endif

static int backtraces, backtrace_fd;
extern "C" {
static int own_backtrace(int fd) {
  backtrace_fd = fd;
  return ++backtraces, 0;
}
}
gasnett_backtrace_type_t gasnett_backtrace_user = {"USER", own_backtrace, 1};

static gasnet_handle_t unused_handles[4];

int main(int argc, char** argv) {
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "USER");
  CALL(gasnet_init(&argc, &argv));
  CHECK(gasnett_getenv("PATH") != nullptr && std::strcmp(gasnett_getenv("PATH"), gasnet_getenv("PATH")) == 0);
  gasnett_setenv("GASNET_TEST_OF_TOOLS", "in this process");
  CHECK(std::strcmp(gasnett_getenv("GASNET_TEST_OF_TOOLS"), "in this process") == 0);
  gasnett_unsetenv("GASNET_TEST_OF_TOOLS");
  CHECK(gasnett_getenv("GASNET_TEST_OF_TOOLS") == nullptr);
  CHECK(gasnett_getenv_int_withdefault("GASNET_TEST_NO_SUCH", 42, 0) == 42);
  CHECK(gasnett_print_backtrace(7) == 0 && backtraces == 1 && backtrace_fd == 7);  // gasnet_init() read it
  CALL(gasnet_attach(nullptr, 0, 16 * GASNET_PAGESIZE, 0));
  gasnett_backtrace_init(argv[0]);
  CHECK(gasnett_print_backtrace(8) == 0 && backtraces == 2 && backtrace_fd == 8);

  const gasnett_tick_t start = gasnett_ticks_now();
  gasnet_seginfo_t segments[64];
  CALL(gasnet_getSegmentInfo(segments, 64));
  const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
  double* there = static_cast<double*>(segments[peer].addr);
  double value = 1.0 + gasnet_mynode(), back = 0;
  unused_handles[1] = gasnet_put_nb(peer, there, &value, sizeof value);
  gasnet_wait_syncnb_all(unused_handles, 4);
  const gasnet_valget_handle_t later = gasnet_get_nb_val(peer, there, 8);
  gasnet_get(&back, peer, there, sizeof back);
  CHECK(back == value);
  const gasnet_register_value_t bits = gasnet_wait_syncnb_valget(later);
  double fetched;
  std::memcpy(&fetched, &bits, sizeof fetched);
  CHECK(fetched == value);
  gasnet_memvec_t to = {there + 8, 8}, from = {&value, 8};
  gasnet_putv_nbi_bulk(peer, 1, &to, 1, &from);
  gasnet_wait_syncnbi_puts();
  std::size_t count[1] = {8};
  gasnet_gets_bulk(&back, nullptr, peer, there + 8, nullptr, count, 0);
  CHECK(back == value && gasnett_ticks_now() >= start);

  void* mapped = gasnett_mmap(3 * GASNET_PAGESIZE);
  CHECK(reinterpret_cast<uintptr_t>(mapped) % GASNET_PAGESIZE == 0 && *static_cast<char*>(mapped) == 0);
  void* aligned = gasnett_malloc_aligned(4096, 100);
  CHECK(reinterpret_cast<uintptr_t>(aligned) % 4096 == 0);
  gasnett_free_aligned(aligned);
  CHECK(gasnett_run_diagnostics(1, 1, "", segments) == 0);
  gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
  gasnett_mutex_lock(&mutex);
  gasnett_mutex_unlock(&mutex);
  gasnet_handlerentry_t* table = nullptr;
  int entries = 5;
  gasnett_diagnostic_gethandlers(&table, &entries);
  CHECK(table == nullptr && entries == 0);
  barrier();
  gasnet_exit(0);
}
