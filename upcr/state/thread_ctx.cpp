// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/state/thread_ctx.hpp"

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/report/error.hpp"
#include "include/upcr/layout.h"
#include "include/upcr/window.h"
#include "upcr/state/runtime.hpp"

namespace upcr {

constinit thread_local ThreadCtx* current_ctx = nullptr;

Runtime* the_runtime = nullptr;

namespace {

// When the library is loaded, before other constructors may use it. Never destroyed: threads and exit
// handlers may outlive main.
[[gnu::constructor(101)]] void make_runtime() { the_runtime = new Runtime; }

[[noreturn]] void wrong_thread(const char* function) {
  const char* what = function != nullptr ? function : "a UPC function";
  switch (runtime().stage.load()) {
    case Stage::kNone:
      fatal("%s called before UPC runtime initialized; call bupc_init() or bupc_init_reentrant() first",
            what);
    case Stage::kStarted:
    case Stage::kAttached:
      fatal("%s called before UPC runtime initialized: upcr_startup_%s() has not been called yet", what,
            runtime().stage.load() == Stage::kStarted ? "attach" : "spawn");
    default:
      fatal(
          "%s called on a thread that is not a UPC thread; only threads that the UPC runtime created, and "
          "main()'s, may call UPC functions",
          what);
  }
}

}  // namespace

ThreadCtx& ctx(const char* function) {
  if (__builtin_expect(current_ctx == nullptr, 0)) wrong_thread(function);
  return *current_ctx;
}

extern "C" {

UPCRI_API void upcri_check_thread(const char* function) {
  ctx(function);
  if (AmEngine::in_handler())
    fatal("%s called in an active-message handler, where only replies are allowed", function);
}

// On a thread that the program started itself in a process of one UPC thread, a function may run that only
// reads MYTHREAD and private memory, if the thread has got the number (startup/later_threads.hpp).
UPCRI_API void upcri_check_number(const char* function) {
  const Runtime& r = runtime();
  const bool one_here = r.stage.load() >= Stage::kAttached && r.threads_here == 1 && r.contexts != nullptr;
  if (current_ctx == nullptr && one_here && upcri_mythread_ == r.contexts[0].thread &&
      !AmEngine::in_handler())
    return;
  upcri_check_thread(function);
}

UPCRI_API void upcri_begin_function(void) { upcri_check_number("UPCR_BEGIN_FUNCTION"); }

UPCRI_API void upcri_check_started(const char* function) {
  if (runtime().stage.load(std::memory_order_relaxed) == Stage::kNone)
    fatal("%s called before upcr_startup_init()", function);
}

UPCRI_API void upcri_set_srcpos(const char* file, int line) {
  if (ThreadCtx* c = ctx_or_null()) {
    c->file = file;
    c->line = line;
  }
}

}  // extern "C"
}  // namespace upcr
