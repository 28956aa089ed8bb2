// SPDX-License-Identifier: BSD-3-Clause
// upc_notify, upc_wait, upc_barrier and upc_fence as compilers call them. The barrier is upcr's: a thread
// sends its arrival at notify, so the others can complete their wait while it computes. The ordering of
// accesses is that of upcri_gupc_sync(): before a notify, after a wait. UPC threads.
#include <climits>

#include "gasp_upc.h"
#include "upcr/access_rep.h"
#include "upcr/barrier.h"
#include "upcr/gupc/abi/pointer/convert.h"
#include "upcr/gupc/abi/tool/tool.hpp"

namespace gupc {
namespace {

// The value that compilers pass for a statement without an expression.
constexpr int kAnonymous = INT_MIN;

int is_named(int id) { return id != kAnonymous ? 1 : 0; }
int flags_of(int id) { return is_named(id) ? 0 : UPCR_BARRIERFLAG_ANONYMOUS; }

}  // namespace

extern "C" {

void __upc_notify(int id) {
  gupc_need_runtime("upc_notify");
  upcri_gupc_sync(UPCRI_GUPC_NOTIFY);
  upcr_notify(id, flags_of(id));
}

void __upc_wait(int id) {
  gupc_need_runtime("upc_wait");
  upcr_wait(id, flags_of(id));
  upcri_gupc_sync(UPCRI_GUPC_WAIT);
}

void __upc_barrier(int id) {
  gupc_need_runtime("upc_barrier");
  upcri_gupc_sync(UPCRI_GUPC_NOTIFY);
  upcr_barrier(id, flags_of(id));
  upcri_gupc_sync(UPCRI_GUPC_WAIT);
}

void __upc_fence(void) {
  gupc_need_runtime("upc_fence");
  upcri_gupc_sync(UPCRI_GUPC_FENCE);
  upcri_fence();
}

void __upc_notifyg(int id, const char* file, int line) {
  InstrumentedCall(file, line)
      .span(
          GASP_UPC_NOTIFY, [=] { __upc_notify(id); }, is_named(id), id);
}
void __upc_waitg(int id, const char* file, int line) {
  InstrumentedCall(file, line)
      .span(
          GASP_UPC_WAIT, [=] { __upc_wait(id); }, is_named(id), id);
}
// Reported as a notify and a wait.
void __upc_barrierg(int id, const char* file, int line) {
  const InstrumentedCall events(file, line);
  events.span(
      GASP_UPC_NOTIFY, [=] { __upc_notify(id); }, is_named(id), id);
  events.span(
      GASP_UPC_WAIT, [=] { __upc_wait(id); }, is_named(id), id);
}
void __upc_fenceg(const char* file, int line) { at(file, line), __upc_fence(); }

}  // extern "C"

}  // namespace gupc
