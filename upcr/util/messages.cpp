// SPDX-License-Identifier: BSD-3-Clause
// The messages of generated code and of client libraries (misc.h), through base/report. Any thread.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/barrier.h"
#include "include/upcr/layout.h"
#include "include/upcr/misc.h"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

struct Text {
  char chars[2048];
};
Text format(const char* fmt, std::va_list args) {
  Text t;
  std::vsnprintf(t.chars, sizeof t.chars, fmt, args);
  return t;
}

// The codes of the GASNet-1 specification.
const char* gasnet_error(int code) {
  switch (code) {
    case 0:
      return "no error";
    case 10001:
      return "GASNET_ERR_NOT_INIT (GASNet is not initialized)";
    case 10002:
      return "GASNET_ERR_RESOURCE (a resource is exhausted)";
    case 10003:
      return "GASNET_ERR_BAD_ARG (an argument is invalid)";
    case 10004:
      return "GASNET_ERR_NOT_READY (the operation is not complete)";
    case 10005:
      return "GASNET_ERR_BARRIER_MISMATCH (barrier names differ)";
    default:
      return "unknown error";
  }
}

// One write per line, so that lines of threads do not mix.
void print_line(const char* text) {
  char line[2200];
  const ThreadCtx* c = ctx_or_null();
  const std::size_t n = std::strlen(text);
  const char* end = n != 0 && text[n - 1] == '\n' ? "" : "\n";
  if (c != nullptr)
    std::snprintf(line, sizeof line, "UPC thread %u: %s%s", c->thread, text, end);
  else
    std::snprintf(line, sizeof line, "%s%s", text, end);
  std::fputs(line, stderr);
}

}  // namespace
extern "C" {

UPCRI_API void upcri_err(const char* fmt, ...) {
  std::va_list args;
  va_start(args, fmt);
  vfatal(fmt, args);
}

UPCRI_API void upcri_early_err(const char* fmt, ...) {
  std::va_list args;
  va_start(args, fmt);
  vfatal(fmt, args);
}

UPCRI_API void upcri_errno(const char* fmt, ...) {
  const int error = errno;
  std::va_list args;
  va_start(args, fmt);
  const Text text = format(fmt, args);
  errno = error;
  fatal_errno("%s", text.chars);
}

UPCRI_API void upcri_gaserr(int code, const char* fmt, ...) {
  std::va_list args;
  va_start(args, fmt);
  const Text text = format(fmt, args);
  fatal("%s: error %d: %s", text.chars, code, gasnet_error(code));
}

UPCRI_API void upcri_warn(const char* fmt, ...) {
  std::va_list args;
  va_start(args, fmt);
  vwarn(fmt, args);
  va_end(args);
}

UPCRI_API void upcri_sleepprintf(const char* fmt, ...) {
  std::va_list args;
  va_start(args, fmt);
  print_line(format(fmt, args).chars);
  va_end(args);
}

UPCRI_API void upcri_barprintf(const char* fmt, ...) {
  std::va_list args;
  va_start(args, fmt);
  print_line(format(fmt, args).chars);
  va_end(args);
  upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
}

UPCRI_API void* upcri_checkmalloc(size_t bytes) {
  void* const p = std::malloc(bytes != 0 ? bytes : 1);
  if (p == nullptr) fatal("no memory: malloc of %zu bytes failed", bytes);
  return p;
}

}  // extern "C"
}  // namespace upcr
