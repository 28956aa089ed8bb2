// SPDX-License-Identifier: BSD-3-Clause
// Start-up of programs whose compilers keep static shared data in a linker section; the C API is
// include/upcr/gccupc.h. The section's addresses are what the compiler's pointers-to-shared count from; the
// data itself is in each thread's segment, behind the runtime's page, so that it is reached like any other
// shared memory. Called by upcr_startup_spawn(), in the order of this file.
#include "include/upcr/gccupc.h"

#include <link.h>

#include <algorithm>
#include <cstring>

#include "conduits/base/report.hpp"
#include "conduits/core/barrier.hpp"
#include "conduits/core/job.hpp"
#include "include/upcr/gupc.h"
#include "include/upcr/heap.h"
#include "include/upcr/init.h"
#include "upcr/gupc/program_info.hpp"
#include "upcr/gupc/sections.hpp"
#include "upcr/runtime.hpp"
#include "upcr/runtime_area.hpp"

uint64_t upcri_gupc_statics = 0;
uint64_t upcri_gupc_reach = 0;

// The program may have none: then it looks at THREADS and MYTHREAD nowhere.
extern "C" __attribute__((weak, visibility("default"))) void upcri_gupc_enter(int, int, int, int);

namespace upcr::gupc {
namespace {

constexpr std::size_t kPage = UPCR_PAGESIZE;

// The part of a range of addresses that the program's file fills. What is beyond is zero (as .bss is), and
// not worth reading.
struct InFile {
  Bytes range;
  const char* end;
};

int find_in_file(dl_phdr_info* object, std::size_t, void* argument) {
  auto* found = static_cast<InFile*>(argument);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    const char* const at = reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr);
    if (part.p_type != PT_LOAD || found->range.begin < at || found->range.begin >= at + part.p_memsz)
      continue;
    found->end = std::clamp(at + part.p_filesz, found->range.begin, found->range.end);
    return 1;
  }
  return 0;
}

// Compilers leave the section zero, and variables with initial values to upc_init_array; but what the linker
// was given is copied. Pages that are zero stay untouched, at the destination holes of a memory file.
void copy_section(char* to, const Bytes& section) {
  static constexpr char kZero[kPage] = {};
  InFile filled{section, section.end};
  dl_iterate_phdr(find_in_file, &filled);
  for (const char* from = section.begin; from < filled.end; from += kPage, to += kPage) {
    const std::size_t n = std::min(kPage, static_cast<std::size_t>(filled.end - from));
    if (std::memcmp(from, kZero, n) != 0) std::memcpy(to, from, n);
  }
}

}  // namespace
}  // namespace upcr::gupc

using namespace upcr;

extern "C" {

size_t upcri_gupc_static_bytes() {
  const gupc::Bytes section = gupc::shared_section();
  return section.begin != nullptr && section.end > section.begin ? section.size() : 0;
}

struct upcri_gupc_program upcri_gupc_program_info() {
  std::string_view strings = gupc::program_info();
  gupc::FileInfo info;
  if (!gupc::parse_info(gupc::next_info(&strings), &info)) return {0, 0};
  return {info.threads, info.pthreads};
}

void gccupc_pre_spawn_init() {
  gupc::check_sections();
  gupc::check_program_info(gupc::program_info(), runtime().threads_here);
  upcri_gupc_statics = kRuntimeAreaBytes;
  upcri_gupc_reach = job().segments.bytes - kRuntimeAreaBytes;
  upcri_gupc_watch_global_exit();
}

void gccupc_per_pthread_init() {
  const ThreadCtx& c = ctx();
  if (upcri_gupc_enter != nullptr)
    upcri_gupc_enter(static_cast<int>(runtime().threads), static_cast<int>(c.thread),
                     static_cast<int>(runtime().threads_here), c.local_index);
}

void gccupc_cache_init(void*, uintptr_t) {}

void gccupc_heap_init(void* start, uintptr_t len) { upcri_init_heaps(start, len); }

void gccupc_static_data_init(void* start, uintptr_t len) {
  const gupc::Bytes section = gupc::shared_section();
  if (section.begin != nullptr) {
    if (section.size() > len)
      fatal(
          "the linker section upc_shared has %zu bytes, but the static data of each UPC thread was given "
          "%zu; "
          "start the program by bupc_init_reentrant(), or pass upcr_startup_spawn() the section's size",
          section.size(), static_cast<std::size_t>(len));
    gupc::copy_section(static_cast<char*>(start), section);
    // An initial value may be written by any thread, wherever it belongs: all copies are there first.
    const ThreadCtx& c = ctx();
    barrier_notify(c.thread, {BarrierKind::kAnonymous, 0});
    (void)barrier_wait(c.thread);
  }
  const gupc::InitArray functions = gupc::init_array();
  for (const gupc::InitFunction* f = functions.begin; f < functions.end; ++f)
    if (*f != nullptr) (*f)();
}

}  // extern "C"
