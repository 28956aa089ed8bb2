// SPDX-License-Identifier: BSD-3-Clause
// _UPCRTS_init: the job, shared memory, the communication thread, static shared data. Initial thread.
#include <cstring>

#include "upcr/barrier.h"
#include "upcr/heap.h"
#include "upcr/init.h"
#include "upcr/layout.h"
#include "upcr/link.h"
#include "upcr/mupc/final.hpp"
#include "upcr/mupc/pointer.hpp"

// Where MUPC_SHARED puts its functions: absent where a program has none.
extern "C" void (*__start_mupc_statics[])(void) __attribute__((weak));
extern "C" void (*__stop_mupc_statics[])(void) __attribute__((weak));

namespace mupc {

Stage stage = Stage::kBefore;

namespace {

int argument_count;
char** arguments;

// The C library hands main()'s arguments to such functions too; _UPCRTS_init() has none of its own.
__attribute__((constructor)) void keep_arguments(int argc, char** argv, char**) {
  argument_count = argc;
  arguments = argv;
}

// All processes are the same program, so all have these in the same order.
void make_statics() {
  for (auto make = __start_mupc_statics; make != __stop_mupc_statics; ++make) (*make)();
  upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);  // nobody reads what is not cleared yet
}

}  // namespace
}  // namespace mupc

using namespace mupc;

extern "C" {

// MuPC's processes always have a communication thread.
int UPCRL_progress_thread = 1;

int THREADS = 0, MYTHREAD = 0;

int _UPCRTS_init(void) {
  if (stage != Stage::kBefore) return 0;
  bupc_init(&argument_count, &arguments);
  THREADS = static_cast<int>(upcr_threads());
  MYTHREAD = static_cast<int>(upcr_mythread());
  stage = Stage::kRunning;
  make_statics();
  prepare_final_barrier();
  return 0;
}

mupc_shared_ptr_t mupci_static(size_t blocks, size_t bytes) {
  const upcr_shared_ptr_t made = upcr_all_alloc(blocks, bytes);
  const size_t mine = (blocks + upcr_threads() - 1 - upcr_mythread()) / upcr_threads();
  if (mine != 0 && bytes != 0)
    std::memset(upcr_shared_to_local(upcri_make_shared(upcri_offset_shared(made), upcr_mythread(), 0)), 0,
                mine * bytes);
  return from_upcr(made);
}

}  // extern "C"
