// SPDX-License-Identifier: BSD-3-Clause
// upcr_info without options: a summary of this upcr and of this machine. Calls the library where its answer
// may differ from the headers that this program was compiled with.
#include <sched.h>

#include <cinttypes>
#include <cstdio>
#include <string>

#include "bupc_extern.h"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/transport/registry.hpp"
#include "sections.hpp"
#include "upcr/types.h"

namespace {

void line(const char* what, const std::string& value) { std::printf("  %-22s %s\n", what, value.c_str()); }

std::string size_text(std::uint64_t bytes) {
  char buf[32];
  return upcr::format_size(bytes, buf, sizeof buf);
}

void print_version() {
  const char* version = nullptr;
  int major = 0, minor = 0;
  bupc_extern_config_info(nullptr, nullptr, &version, &major, &minor, nullptr, nullptr, nullptr);
  std::printf("upcr %s\n", version);
  line("UPC Runtime interface", "specification " + std::to_string(major) + "." + std::to_string(minor));
}

void print_pointers() {
  std::printf("\npointer-to-shared\n");
  line("layout", std::string(UPCRI_POINTER_LAYOUT) + ", " + std::to_string(UPCR_SHARED_SIZE) + " bytes");
#ifdef UPCRI_POINTER_packed
  const int phase = UPCRI_PHASE_BITS, thread = UPCRI_THREAD_BITS, address = UPCRI_ADDR_BITS;
#else
  const int phase = 32, thread = 32, address = 64;
#endif
  line("fields", "phase " + std::to_string(phase) + " bits, thread " + std::to_string(thread) +
                     " bits, address " + std::to_string(address) + " bits");
}

void print_limits() {
  std::printf("\nlimits\n");
  line("UPC threads", std::to_string(UPCR_MAX_THREADS));
  line("UPC threads, process", std::to_string(UPCR_MAX_PTHREADS));
  line("block size", std::to_string(UPCR_MAX_BLOCKSIZE) + " elements");
#ifdef UPCRI_POINTER_packed
  line("shared memory, thread", "less than " + size_text(std::uint64_t{1} << UPCRI_ADDR_BITS));
#endif
  line("atomic accesses", "1 to " + std::to_string(UPCR_ATOMIC_MEMSIZE(0)) + " bytes, aligned");
}

void print_conduits() {
  std::printf("\nconduits\n");
  for (const upcr::ConduitInfo& c : upcr::list_conduits()) {
    std::printf("  %-6s %-8s %s (%s)\n", c.name.c_str(), c.present ? "present" : "missing", c.summary.c_str(),
                c.where.c_str());
    if (!c.obstacle.empty()) std::printf("  %-15s module present, %s\n", "", c.obstacle.c_str());
  }
}

void print_machine() {
  std::printf("\nthis machine\n");
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) line("CPUs for a job", std::to_string(CPU_COUNT(&set)));
  const std::uint64_t memory = upcr::available_memory();
  line("memory for a job", memory == UINT64_MAX
                               ? "unknown: /proc is not mounted"
                               : size_text(memory) + " free now, of the machine or the cgroup");
}

}  // namespace

void print_summary() {
  print_version();
  print_pointers();
  print_limits();
  print_conduits();
  print_machine();
}
