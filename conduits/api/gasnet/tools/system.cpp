// SPDX-License-Identifier: BSD-3-Clause
// The machine and this process (gasnet/tools/system.h), and memory (gasnet/tools/with_gasnet.h). Any thread.
#include "include/gasnet/tools/system.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conduits/core/base/config/config_parse.hpp"
#include "conduits/core/base/report/error.hpp"

// Declared here as in with_gasnet.h, which needs gasnet.h.
extern "C" {
GASNETI_API void* gasnetti_mmap(uintptr_t size);
GASNETI_API void* gasnetti_malloc_aligned(size_t alignment, size_t bytes);
GASNETI_API void gasnetti_free_aligned(void* p);
}

using upcr::fatal;
using upcr::fatal_errno;

extern "C" {

void gasnett_sched_yield(void) { sched_yield(); }

int gasnett_cpu_count(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<int>(count) : 0;
}

void gasnett_set_affinity(int rank) {
  cpu_set_t mine;
  if (rank < 0 || sched_getaffinity(0, sizeof mine, &mine) != 0) return;
  const int count = CPU_COUNT(&mine);
  if (count <= 1) return;
  int skip = rank % count;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &mine) || skip-- != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    (void)sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

const char* gasnett_gethostname(void) {
  struct Name {
    char text[256];
    Name() {
      if (gethostname(text, sizeof text) != 0) std::strcpy(text, "localhost");
      text[sizeof text - 1] = '\0';
    }
  };
  static const Name name;
  return name.text;
}

uint64_t gasnett_getPhysMemSz(int failure_is_fatal) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) return static_cast<uint64_t>(pages) * static_cast<uint64_t>(page);
  if (failure_is_fatal) fatal("gasnett_getPhysMemSz: the kernel does not report the size of the memory");
  return 0;
}

void gasnett_flush_streams(void) {
  (void)std::fflush(stdout);
  (void)std::fflush(stderr);
  (void)std::fflush(nullptr);
  const char* sync_too = std::getenv("GASNET_FS_SYNC");
  bool yes = false;
  if (sync_too != nullptr && upcr::parse_bool(sync_too, &yes) && yes) sync();
}

void gasnett_close_streams(void) {
  (void)std::fclose(stdin);
  (void)std::fclose(stdout);
  (void)std::fclose(stderr);
}

void gasnett_killmyprocess(int code) { _exit(code); }

gasnett_sighandlerfn_t gasnett_reghandler(int sig, gasnett_sighandlerfn_t fp) {
  const gasnett_sighandlerfn_t before = signal(sig, fp);
  if (before == SIG_ERR) fatal_errno("gasnett_reghandler: cannot install a handler for signal %d", sig);
  return before;
}

void* gasnetti_mmap(uintptr_t size) {
  void* at = mmap(nullptr, size > 0 ? size : 1, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) fatal_errno("gasnett_mmap: cannot map %zu bytes", static_cast<std::size_t>(size));
  return at;
}

void* gasnetti_malloc_aligned(size_t alignment, size_t bytes) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    fatal("gasnett_malloc_aligned: the alignment is %zu, but must be a power of two", alignment);
  void* at = nullptr;
  if (posix_memalign(&at, alignment < sizeof(void*) ? sizeof(void*) : alignment, bytes) != 0)
    fatal("gasnett_malloc_aligned: out of memory: %zu bytes at a multiple of %zu", bytes, alignment);
  return at;
}

void gasnetti_free_aligned(void* p) { std::free(p); }

}  // extern "C"
