// SPDX-License-Identifier: BSD-3-Clause
// Start-up of programs whose compilers keep static shared data in a linker section; the C API is
// include/upcr/gccupc.h. The hooks are called by upcr_startup_spawn(), in the order of this file.
#include "include/upcr/gccupc.h"

#include "include/upcr/gupc.h"
#include "include/upcr/heap.h"
#include "include/upcr/init.h"
#include "upcr/gupc/program/program.hpp"
#include "upcr/gupc/program/program_info.hpp"
#include "upcr/gupc/program/sections.hpp"
#include "upcr/gupc/program/static_section.hpp"
#include "upcr/state/runtime.hpp"

// Null if the program does not use THREADS or MYTHREAD.
extern "C" __attribute__((weak, visibility("default"))) void upcri_gupc_enter(int, int, int, int);

namespace upcr {

void gupc::set_program_threads(Slot thread, int local) {
  if (upcri_gupc_enter == nullptr) return;
  upcri_gupc_enter(static_cast<int>(runtime().threads), static_cast<int>(thread),
                   static_cast<int>(runtime().threads_here), local);
}

extern "C" {

UPCRI_API size_t upcri_gupc_static_bytes() { return gupc::static_section_bytes(); }

UPCRI_API struct upcri_gupc_program upcri_gupc_program_info() {
  const gupc::FileInfo info = gupc::merged_info(gupc::program_info());
  return {info.threads, info.pthreads};
}

UPCRI_API void upcri_gupc_fatal_everywhere(const char* text) {
  defer_to_first_process();
  upcri_gupc_fatal(text);
}

UPCRI_API void gccupc_pre_spawn_init() {
  gupc::check_sections();
  gupc::check_program_info(gupc::program_info(), runtime().threads_here);
  upcri_gupc_watch_global_exit();
}

UPCRI_API void gccupc_per_pthread_init() {
  const ThreadCtx& c = ctx();
  gupc::set_program_threads(c.thread, c.local_index);
}

UPCRI_API void gccupc_cache_init(void*, uintptr_t) {}

UPCRI_API void gccupc_heap_init(void* start, uintptr_t len) { upcri_init_heaps(start, len); }

UPCRI_API void gccupc_static_data_init(void*, uintptr_t) {
  const gupc::InitArray functions = gupc::init_array();
  for (const gupc::InitFunction* f = functions.begin; f < functions.end; ++f)
    if (*f != nullptr) (*f)();
}

}  // extern "C"

}  // namespace upcr
