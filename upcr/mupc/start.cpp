// SPDX-License-Identifier: BSD-3-Clause
// _UPCRTS_init: the job, shared memory, the communication thread, static shared data. Initial thread.
#include <cstdlib>
#include <cstring>

#include "upcr/barrier.h"
#include "upcr/heap.h"
#include "upcr/init.h"
#include "upcr/layout.h"
#include "upcr/link.h"
#include "upcr/mupc/final.hpp"
#include "upcr/mupc/pointer.hpp"
#include "upcr/mupc/statics.hpp"

// The section with the functions of MUPC_SHARED; a program without MUPC_SHARED has none.
extern "C" void (*__start_mupc_statics[])(void) __attribute__((weak));
extern "C" void (*__stop_mupc_statics[])(void) __attribute__((weak));

namespace mupc {

Stage stage = Stage::kBefore;

namespace {

int argument_count;
char** arguments;

// The C library passes main()'s arguments to such functions too; _UPCRTS_init() has no parameters.
__attribute__((constructor)) void keep_arguments(int argc, char** argv, char**) {
  argument_count = argc;
  arguments = argv;
}

// The objects of MUPC_SHARED; never freed.
struct Static {
  uint64_t va, bytes;  // of the part of each thread
  uint64_t threads;    // so many threads, from 0, have a part; on others the va is that of other objects
  Static* next;
};
Static* statics = nullptr;

void remember_static(uint64_t va, uint64_t bytes, uint64_t threads) {
  auto* const made = static_cast<Static*>(std::malloc(sizeof *statics));
  if (made == nullptr) upcri_err("no memory: malloc of %zu bytes failed", sizeof *made);
  *made = {va, bytes, threads, statics};
  statics = made;
}

// All processes are the same program, so all have these in the same order.
void make_statics() {
  for (auto make = __start_mupc_statics; make != __stop_mupc_statics; ++make) (*make)();
  upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);  // no thread reads memory that is not cleared yet
}

}  // namespace

bool is_static(mupc_shared_ptr_t p) {
  for (const Static* s = statics; s != nullptr; s = s->next)
    if (p.th < s->threads && p.va >= s->va && p.va - s->va < s->bytes) return true;
  return false;
}

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
  const size_t most = (blocks + upcr_threads() - 1) / upcr_threads();
  remember_static(upcri_offset_shared(made), most * bytes, blocks);
  const size_t mine = (blocks + upcr_threads() - 1 - upcr_mythread()) / upcr_threads();
  if (mine != 0 && bytes != 0)
    std::memset(upcr_shared_to_local(upcri_make_shared(upcri_offset_shared(made), upcr_mythread(), 0)), 0,
                mine * bytes);
  return from_upcr(made);
}

}  // extern "C"

}  // namespace mupc
