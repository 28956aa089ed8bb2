// SPDX-License-Identifier: BSD-3-Clause
// Helper functions: random numbers, exit(), and the events of instrumented code where a function or a
// upc_forall begins (start not 0) and ends. UPC threads.
#include "gasp_upc.h"
#include "upcr/gupc/abi/pointer/convert.h"
#include "upcr/gupc/abi/tool/tool.hpp"
#include "upcr/init.h"
#include "upcr/rand.h"

namespace gupc {

extern "C" {

// Each UPC thread has a sequence of its own, in processes and in pthreads.
int __upc_rand(void) { return upcri_rand(); }
void __upc_srand(unsigned int seed) { upcri_srand(seed); }

// exit() ends this thread's program and waits for the others; upc_global_exit() does not wait.
[[noreturn]] void __upc_exit(int status) {
  gupc_need_runtime("exit");
  upcri_do_exit(status);
}
[[noreturn]] void __upc_exitg(int status, const char* file, int line) {
  at(file, line);
  __upc_exit(status);
}

void __upc_funcg(int start, const char* function, const char* file, int line) {
  InstrumentedCall(file, line).event(GASP_UPC_C_FUNC, start ? GASP_START : GASP_END, function);
}
// GASP has no event for a loop.
void __upc_forallg(int start, const char* file, int line) { at(file, line); }

}  // extern "C"

}  // namespace gupc
