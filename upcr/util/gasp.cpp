// SPDX-License-Identifier: BSD-3-Clause
// The library's part of GASP: each UPC thread's context, and the events that the macros of
// include/upcr/instrument.h do not generate. The tool is part of the program or missing: its functions are
// weak.
#include "upcr/util/gasp.hpp"

#define UPCR_GASP 1
#include "include/gasp_upc.h"
#include "include/pupc.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "include/upcr/layout.h"
#include "upcr/state/thread_ctx.hpp"

extern "C" {
extern gasp_context_t gasp_init(gasp_model_t, int*, char***) __attribute__((weak));
extern int gasp_control(gasp_context_t, int) __attribute__((weak));
extern unsigned int gasp_create_event(gasp_context_t, const char*, const char*) __attribute__((weak));
}

namespace upcr {
namespace {

gasp_context_t start_tool(ThreadCtx& c) {
  if (gasp_init == nullptr || gasp_event_notify == nullptr)
    fatal_setting(
        "the program is compiled with --inst, but no GASP tool is linked: nothing defines %s; give the tool's "
        "source, object or library to upcc (upcc --inst prog.c tool.c), or compile without --inst",
        gasp_init == nullptr ? "gasp_init" : "gasp_event_notify");
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  int argc = 0;
  char** argv = c.argv;
  while (argv != nullptr && argv[argc] != nullptr) ++argc;
  const gasp_context_t context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
  if (context == nullptr) fatal("gasp_init of the GASP tool returned no context for UPC thread %u", c.thread);
  return context;
}

ThreadCtx& caller(const char* function) {
  ThreadCtx& c = ctx(function);
  if (c.gasp == nullptr) c.gasp = start_tool(c);
  return c;
}

}  // namespace

void gasp_collective_exit(ThreadCtx& c, bool over, int status) {
  if (c.gasp == nullptr || c.gasp_off) return;
  gasp_event_notify(static_cast<gasp_context_t>(c.gasp), GASP_UPC_COLLECTIVE_EXIT,
                    over ? GASP_END : GASP_START, c.file, c.line, 0, status);
}

void gasp_noncollective_exit(int status) {
  ThreadCtx* const c = ctx_or_null();
  if (c == nullptr || c->gasp == nullptr || c->gasp_off) return;
  gasp_event_notify(static_cast<gasp_context_t>(c->gasp), GASP_UPC_NONCOLLECTIVE_EXIT, GASP_ATOMIC, c->file,
                    c->line, 0, status);
}

extern "C" {

UPCRI_API gasp_context_t upcri_gasp_context(void) {
  const ThreadCtx& c = caller("an instrumented call");
  return c.gasp_off ? nullptr : static_cast<gasp_context_t>(c.gasp);
}

UPCRI_API unsigned int upcri_pupc_create_event(const char* name, const char* desc) {
  const ThreadCtx& c = caller("pupc_create_event");
  if (gasp_create_event != nullptr) return gasp_create_event(static_cast<gasp_context_t>(c.gasp), name, desc);
  // The tool does not assign tags: each name gets one in this process.
  static std::mutex lock;
  static std::vector<std::string> names;
  const std::lock_guard guard(lock);
  const auto found = std::find(names.begin(), names.end(), name);
  const unsigned tag = GASP_UPC_USEREVT_START + static_cast<unsigned>(found - names.begin());
  if (tag > GASP_UPC_USEREVT_END)
    fatal("pupc_create_event(\"%s\"): there are %u events already, the most that there can be", name,
          GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1);
  if (found == names.end()) names.emplace_back(name);
  return tag;
}

UPCRI_API int upcri_pupc_control(int on) {
  ThreadCtx& c = caller("pupc_control");
  const int before = c.gasp_off ? 0 : 1;
  if (gasp_control != nullptr) (void)gasp_control(static_cast<gasp_context_t>(c.gasp), on != 0);
  c.gasp_off = on == 0;
  return before;
}

}  // extern "C"
}  // namespace upcr
