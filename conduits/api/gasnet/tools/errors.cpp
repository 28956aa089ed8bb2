// SPDX-License-Identifier: BSD-3-Clause
// gasnett_fatalerror and the like, and the client API of programs without a job. Any thread.
#include "include/gasnet/tools/errors.h"

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conduits/api/gasnet/tools/tools.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/debugger.hpp"
#include "conduits/core/base/report/error.hpp"

extern "C" {
volatile int gasnet_frozen = 0;
}

namespace upcr::gasnet {
namespace {

std::size_t no_identity(char*, std::size_t) { return 0; }
bool warnings_only_warn() { return false; }
void end_by_abort(int) { std::abort(); }

constinit const ClientApi kToolsApi{"*** FATAL ERROR: ", "*** WARNING: ",    no_identity,
                                    end_by_abort,        warnings_only_warn, backtrace_if_enabled};

// When the library is loaded; gasnet_init() replaces it by a job's.
[[gnu::constructor(101)]] void install_at_load() { install_tools_client_api(); }

}  // namespace

void install_tools_client_api() { set_client_api(&kToolsApi); }

}  // namespace upcr::gasnet

extern "C" {

void gasnett_fatalerror(const char* format, ...) {
  char text[4096];
  std::va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const std::size_t n = std::strlen(text);
  if (n > 0 && text[n - 1] == '\n') text[n - 1] = '\0';
  upcr::fatal("%s", text);
}

char* gasnetti_make_loc(const char* function, const char* file, int line) {
  char number[16];
  std::snprintf(number, sizeof number, "%d", line);
  const std::size_t size = std::strlen(function) + std::strlen(file) + sizeof " at :" + sizeof number;
  auto* text = static_cast<char*>(std::malloc(size));
  if (text == nullptr) upcr::fatal("gasnett_current_loc: out of memory");
  std::snprintf(text, size, "%s at %s:%s", function, file, number);
  return text;
}

void gasnett_freezeForDebuggerNow(volatile int* flag, const char* name) {
  upcr::wait_for_debugger("gasnett_freezeForDebuggerNow", flag, name);
}

void gasnett_freezeForDebuggerErr(void) { upcr::freeze_on_error(); }

}  // extern "C"
