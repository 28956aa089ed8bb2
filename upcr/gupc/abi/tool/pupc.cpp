// SPDX-License-Identifier: BSD-3-Clause
// <pupc.h> of GCC-UPC: events of a program's own for a measurement tool (GASP). Without a tool nothing
// happens and the results are 0. The arguments behind a tag reach tools that define gasp_event_notifyVA, the
// form that takes a va_list; others get zeros in their place. UPC threads.
#include <cstdarg>

#include "upcr/gupc/abi/tool/tool.hpp"

namespace gupc {

extern "C" {
// Defined by the tool, or null.
extern void gasp_event_notifyVA(gasp_context_t, unsigned int, gasp_evttype_t, const char*, int, int, va_list)
    __attribute__((weak));
// Defined by the library (include/pupc.h).
extern unsigned int upcri_pupc_create_event(const char* name, const char* desc);
extern int upcri_pupc_control(int on);
}

namespace {

void tell(unsigned tag, gasp_evttype_t type, const char* file, int line, va_list rest) {
  if (!has_tool()) return;
  const gasp_context_t context = upcri_gasp_context();
  if (context == nullptr) return;  // switched off
  if (gasp_event_notifyVA != nullptr)
    gasp_event_notifyVA(context, tag, type, file, line, 0, rest);
  else
    gasp_event_notify(context, tag, type, file, line, 0, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
}

}  // namespace

extern "C" {

int pupc_control(int on) { return has_tool() ? upcri_pupc_control(on) : 0; }

unsigned int pupc_create_event(const char* name, const char* desc) {
  return has_tool() ? upcri_pupc_create_event(name, desc) : 0;
}

#define GUPC_EVENT(name, type)                                      \
  void name(unsigned int tag, ...) {                                \
    va_list rest;                                                   \
    va_start(rest, tag);                                            \
    tell(tag, type, nullptr, 0, rest);                              \
    va_end(rest);                                                   \
  }                                                                 \
  void name##g(unsigned int tag, const char* file, int line, ...) { \
    va_list rest;                                                   \
    va_start(rest, line);                                           \
    tell(tag, type, file, line, rest);                              \
    va_end(rest);                                                   \
  }
GUPC_EVENT(pupc_event_start, GASP_START)
GUPC_EVENT(pupc_event_end, GASP_END)
GUPC_EVENT(pupc_event_atomic, GASP_ATOMIC)

}  // extern "C"

}  // namespace gupc
