// SPDX-License-Identifier: BSD-3-Clause
// Barriers. upcr's barrier compares the values and reports the threads whose values differ.
#include "upcr/barrier.h"
#include "upcr/gupc.h"
#include "upcr/mupc/final.hpp"
#include "upcr/mupc/pointer.hpp"

namespace mupc {
namespace {

bool between = false;  // a notify and its wait
int notified;          // its value

}  // namespace

void check_barrier_whole(const char* function) {
  if (between)
    upcri_err("%s: UPC thread %d ends between upc_notify(%d) and upc_wait(%d)", function, MYTHREAD, notified,
              notified);
}

extern "C" {

void _UPCRTS_GetAllSync(void) {
  check_running("_UPCRTS_GetAllSync");
  upcr_gmem_sync_gets();
}

void _UPCRTS_PutAllSync(void) {
  check_running("_UPCRTS_PutAllSync");
  upcr_gmem_sync_puts();
}

void upc_notify(int value) {
  check_running("upc_notify");
  _UPCRTS_GetAllSync();
  _UPCRTS_PutAllSync();
  upcr_notify(value, 0);
  between = true;
  notified = value;
}

void upc_wait(int value) {
  check_running("upc_wait");
  upcr_wait(value, 0);
  between = false;
  // Operations that were started since the notify belong to this phase.
  _UPCRTS_GetAllSync();
  _UPCRTS_PutAllSync();
  count_phase();
}

void UPC_barrier(int value) {
  upc_notify(value);
  upc_wait(value);
}

}  // extern "C"

}  // namespace mupc
