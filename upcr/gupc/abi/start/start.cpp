// SPDX-License-Identifier: BSD-3-Clause
// __upc_start(): reads the runtime's switches and starts the program, whose main function is upc_main() (the
// compilers rename it), as upcr/gccupc.h describes. Called by the archive's main() (main.cpp), or by the
// program's.
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "upcr/gccupc.h"
#include "upcr/gupc/abi/pointer/pts.h"
#include "upcr/gupc/abi/start/switches.hpp"
#include "upcr/layout.h"
#include "upcr/link.h"

extern "C" {
int upc_main(int argc, char** argv);
int __upc_start(int argc, char** argv);
extern int UPC_PTHREADS;
}

namespace {

constexpr std::size_t kDefaultHeap = std::size_t{64} << 20;  // as for every program of upcr
constexpr std::size_t kMinHeap = std::size_t{64} << 10;      // upcr refuses a smaller segment

// At the start of each segment: the page of null pointers-to-shared, and the runtime's own.
constexpr std::size_t kRuntimeBytes = 2 * UPCR_PAGESIZE;

std::size_t pages(std::size_t bytes) { return (bytes + UPCR_PAGESIZE - 1) / UPCR_PAGESIZE * UPCR_PAGESIZE; }

// Written before the threads exist.
gupc::Switches switches;
unsigned linked_threads = 0;

void refuse_threads(unsigned here) {
  char text[240];
  std::snprintf(
      text, sizeof text,
      "the program's switches ask for %u UPC threads, but it was started with %u; leave out the switch "
      "(-n, -fupc-threads-N), or start that many",
      switches.threads, here);
  upcri_gupc_fatal_everywhere(text);
}

#ifdef GUPC_PTS_struct
// The distance of the program, the first object that the loader lists, from its link addresses.
int note_bias(dl_phdr_info* program, std::size_t, void* bias) {
  *static_cast<std::uintptr_t*>(bias) = program->dlpi_addr;
  return 1;
}
#endif

// Checks that depend on the compiler's form of pointer-to-shared, which only the archives know.
void check_format(unsigned threads) {
#ifdef GUPC_PTS_packed
  if (threads - 1 <= upcri_gupc_format.thread_mask) return;
  char text[240];
  std::snprintf(
      text, sizeof text,
      "the job has %u UPC threads, but %llu is the most that the compiler's packed pointer-to-shared can "
      "number; use fewer, or a compiler with a wider field (-fupc-packed-bits)",
      threads, static_cast<unsigned long long>(upcri_gupc_format.thread_mask) + 1);
  upcri_gupc_fatal_everywhere(text);
#else
  (void)threads;
  std::uintptr_t bias = 0;
  dl_iterate_phdr(note_bias, &bias);
  if (bias != 0 && upcr_nodes() > 1)
    upcri_gupc_fatal_everywhere(
        "the program is position-independent, so its shared variables have other addresses in each process, "
        "and addresses are what the compiler's struct pointers-to-shared hold; link it with -no-pie");
#endif
}

// Code that was compiled for a number of threads has it as the constant THREADS.
void check_static_threads() {
  const unsigned compiled = upcri_gupc_program_info().threads;
  if (linked_threads == 0 || compiled == 0 || linked_threads == compiled) return;
  char text[240];
  std::snprintf(
      text, sizeof text,
      "the program was linked for %u UPC threads (upcc -T), but its objects were compiled for %u; link it "
      "without -T, or compile all of it for the same number (-fupc-threads-N)",
      linked_threads, compiled);
  upcri_gupc_fatal_everywhere(text);
}

void pre_spawn() {
  gccupc_pre_spawn_init();
  check_static_threads();
  const unsigned threads = upcr_threads();
  if (switches.threads != 0 && switches.threads != threads) refuse_threads(threads);
  check_format(threads);
}

void check_pthreads() {
  const unsigned here = static_cast<unsigned>(UPC_PTHREADS),
                 most = std::min(switches.pthreads, upcr_threads());
  // The first process has its full share, others may have fewer.
  if (switches.pthreads == 0 || (upcr_mynode() == 0 ? here == most : here <= most)) return;
  char text[240];
  std::snprintf(
      text, sizeof text,
      "the program's switches ask for %u UPC threads per process, but it was started with %d; leave out "
      "-fupc-pthreads-N, or start that many (upcrun --pthreads)",
      switches.pthreads, UPC_PTHREADS);
  upcri_gupc_fatal(text);
}

int run(int argc, char** argv) {
  check_pthreads();
  const int skip = switches.words;
  argv[skip] = argv[0];
  return upc_main(argc - skip, argv + skip);
}

// Sets the number of threads for a program that was started without a launcher; a launcher's number takes
// precedence.
void ask(const char* variable, unsigned number, bool force) {
  char text[16];
  std::snprintf(text, sizeof text, "%u", number);
  if (number != 0) setenv(variable, text, force ? 1 : 0);
}

}  // namespace

int __upc_start(int argc, char** argv) {
  switches = gupc::parse_switches(argc, argv);
  linked_threads = UPCRL_static_thread_count;
  const struct upcri_gupc_program compiled = upcri_gupc_program_info();
  ask("UPCR_THREADS", switches.threads, true);
  ask("UPCR_THREADS", compiled.threads != 0 ? compiled.threads : UPCRL_static_thread_count, false);
  ask("UPCR_PTHREADS", switches.pthreads, true);
  ask("UPCR_PTHREADS", compiled.pthreads, false);

  // UPCRL_default_shared_size is the size of the heap alone before this line (upcc --shared-heap).
  const std::size_t linked = UPCRL_default_shared_size != 0 ? UPCRL_default_shared_size : kDefaultHeap;
  const std::size_t heap = std::max(switches.heap != 0 ? switches.heap : linked, kMinHeap);
  // The reserved pages, the static data, the heap.
  UPCRL_default_shared_size = kRuntimeBytes + pages(upcri_gupc_static_bytes()) + pages(heap);
  if (switches.heap != 0) UPCRL_attach_flags &= ~UPCR_ATTACH_ENV_OVERRIDE;
  if (compiled.threads != 0) UPCRL_static_thread_count = compiled.threads;
  UPCRL_main_name = "upc_main";
  UPCRL_pre_spawn_init = pre_spawn;
  UPCRL_per_pthread_init = gccupc_per_pthread_init;
  UPCRL_cache_init = gccupc_cache_init;
  UPCRL_heap_init = gccupc_heap_init;
  UPCRL_static_init = gccupc_static_data_init;
  bupc_init_reentrant(&argc, &argv, run);
  return 0;
}
