// SPDX-License-Identifier: BSD-3-Clause
// Barriers. Values are compared by upcr's own barrier, which tells which threads had which.
#include "upcr/barrier.h"
#include "upcr/gupc.h"
#include "upcr/mupc/final.hpp"
#include "upcr/mupc/pointer.hpp"

using namespace mupc;

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
}

void upc_wait(int value) {
  check_running("upc_wait");
  upcr_wait(value, 0);
  // What was started since the notify belongs to this phase.
  _UPCRTS_GetAllSync();
  _UPCRTS_PutAllSync();
  count_phase();
}

void UPC_barrier(int value) {
  upc_notify(value);
  upc_wait(value);
}

}  // extern "C"
