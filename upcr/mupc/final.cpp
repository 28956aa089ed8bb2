// SPDX-License-Identifier: BSD-3-Clause
// _UPCRTS_fini: the final barrier, which matches every other barrier. A thread at its end takes part in
// anonymous barriers until all threads are at their ends. All must agree which barrier is the last: before
// its first barrier in _UPCRTS_fini, each thread stores the number of that barrier in a table on thread 0.
// After barrier k the table has all numbers up to k, so all threads get the same answer to "are all numbers k
// or less?".
#include <stdlib.h>
#include <unistd.h>

#include "upcr/access.h"
#include "upcr/barrier.h"
#include "upcr/heap.h"
#include "upcr/init.h"
#include "upcr/layout.h"
#include "upcr/mupc/final.hpp"
#include "upcr/mupc/pointer.hpp"
#include "upcr/val.h"

namespace mupc {
namespace {

constexpr uint64_t kNotYet = ~uint64_t{0};

upcr_shared_ptr_t board;
uint64_t* copy;  // of the table, when this thread is at its end
uint64_t phases = 0;
pid_t process;

bool all_at_their_end() {
  upcr_get_shared(copy, board, 0, upcr_threads() * sizeof *copy);
  for (upcr_thread_t i = 0; i < upcr_threads(); ++i)
    if (copy[i] > phases) return false;
  return true;
}

// exit(0) without _UPCRTS_fini(). With another status the runtime ends the whole job at once. A child process
// that the program forked is not part of the job.
void end_at_exit(int status, void*) {
  if (status == 0 && getpid() == process) _UPCRTS_fini();
}

}  // namespace

void prepare_final_barrier() {
  const size_t bytes = upcr_threads() * sizeof(uint64_t);
  board = upcr_all_alloc(1, bytes);
  if (upcr_mythread() == 0) {
    auto* const numbers = static_cast<uint64_t*>(upcr_shared_to_local(board));
    for (upcr_thread_t i = 0; i < upcr_threads(); ++i) numbers[i] = kNotYet;
  }
  copy = static_cast<uint64_t*>(malloc(bytes));
  if (copy == nullptr) upcri_err("no memory: malloc of %zu bytes failed", bytes);
  process = getpid();
  on_exit(end_at_exit, nullptr);
  upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
}

void count_phase() { ++phases; }

extern "C" {

int _UPCRTS_fini(void) {
  if (stage == Stage::kEnded) return 0;
  check_running("_UPCRTS_fini");
  check_barrier_whole("the final barrier");
  _UPCRTS_GetAllSync();
  _UPCRTS_PutAllSync();
  upcr_put_shared_val_strict(board, static_cast<ptrdiff_t>(upcr_mythread() * sizeof *copy), phases + 1,
                             sizeof *copy);
  do {
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    count_phase();
  } while (!all_at_their_end());
  stage = Stage::kEnded;
  free(copy);
  return 0;
}

void upc_global_exit(int status) { upcr_global_exit(status); }

}  // extern "C"

}  // namespace mupc
