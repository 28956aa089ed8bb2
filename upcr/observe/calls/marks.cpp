// SPDX-License-Identifier: BSD-3-Clause
// bupc_trace_printf() of files that `upcc --stats` compiled: a mark with a text in the timeline.
#include <cstdarg>
#include <cstdio>

#include "include/upcr/base.h"
#include "upcr/observe/thread_path.hpp"

#define UPCR_STATS 1
#include "include/upcr/misc.h"

namespace upcr::observe {
namespace {

constexpr std::size_t kMostText = 512;  // longer ones are cut

}  // namespace

extern "C" {

UPCRI_API int upcri_trace_marks_at(const char* file, int line) {
  Thread* const t = current();
  return t != nullptr && t->marks_at({file, line}) ? 1 : 0;
}

UPCRI_API void upcri_trace_mark(const char* format, ...) {
  char text[kMostText];
  va_list args;
  va_start(args, format);
  (void)std::vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (Thread* const t = current()) t->mark(text);
}

}  // extern "C"
}  // namespace upcr::observe
