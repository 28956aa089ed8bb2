// SPDX-License-Identifier: BSD-3-Clause
// Environment variables for clients, and the reports of GASNET_VERBOSEENV. Any thread.
#include "include/gasnet/tools/environment.h"

#include <strings.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "conduits/api/gasnet/tools/numbers.hpp"
#include "conduits/api/gasnet/tools/tools.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/base/system/text.hpp"

namespace upcr::gasnet {
namespace {

constinit ToolsJob the_job{};

bool is_one_of(const char* text, std::initializer_list<const char*> words) noexcept {
  for (const char* word : words)
    if (strcasecmp(text, word) == 0) return true;
  return false;
}

// The value, or null when it is unset or empty.
const char* value_of(const char* name) noexcept {
  const char* value = gasnett_getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// True at the first report of this name.
bool first_report(const char* name) {
  static constinit SpinLock lock;
  static auto* const names = new std::vector<std::string>;  // exit handlers may read variables
  std::lock_guard guard(lock);
  for (const std::string& known : *names)
    if (known == name) return false;
  names->emplace_back(name);
  return true;
}

}  // namespace

void set_tools_job(const ToolsJob& job) { the_job = job; }
const ToolsJob& tools_job() noexcept { return the_job; }

using upcr::fatal;

extern "C" {

GASNETI_API char* gasnett_getenv(const char* name) {
  char* value = the_job.getenv != nullptr ? the_job.getenv(name) : nullptr;
  return value != nullptr ? value : std::getenv(name);
}

GASNETI_API char* gasnett_getenv_withdefault(const char* name, const char* dflt) {
  char* value = gasnett_getenv(name);
  gasnett_envstr_display(name, value != nullptr ? value : dflt, value == nullptr);
  return value != nullptr ? value : const_cast<char*>(dflt);
}

GASNETI_API int gasnett_getenv_yesno_withdefault(const char* name, int dflt) {
  const char* value = value_of(name);
  int result = dflt;
  if (value != nullptr) {
    if (is_one_of(value, {"y", "yes", "1"}))
      result = 1;
    else if (is_one_of(value, {"n", "no", "0"}))
      result = 0;
    else
      fatal("the environment variable %s is '%s', but must be yes or no (Y, YES, 1, N, NO or 0)", name,
            value);
  }
  gasnett_envstr_display(name, result ? "YES" : "NO", value == nullptr);
  return result;
}

GASNETI_API int64_t gasnett_getenv_int_withdefault(const char* name, int64_t dflt, uint64_t mem_mult) {
  const char* value = value_of(name);
  std::int64_t result = dflt;
  if (value != nullptr && !read_integer(value, mem_mult, &result))
    fatal("the environment variable %s is '%s', but must be a whole number%s", name, value,
          mem_mult != 0 ? ", with B, K, M, G or T behind it if need be" : "");
  gasnett_envint_display(name, result, value == nullptr, mem_mult != 0);
  return result;
}

GASNETI_API double gasnett_getenv_dbl_withdefault(const char* name, double dflt) {
  const char* value = value_of(name);
  double result = dflt;
  if (value != nullptr && !read_real(value, &result))
    fatal("the environment variable %s is '%s', but must be a number such as 0.5, 1e-3 or 1/3", name, value);
  gasnett_envdbl_display(name, result, value == nullptr);
  return result;
}

GASNETI_API void gasnett_setenv(const char* name, const char* value) {
  if (setenv(name, value, 1) != 0) upcr::fatal_errno("gasnett_setenv: cannot set '%s'", name);
  if (the_job.changed != nullptr) the_job.changed(name, value);
  read_backtrace_choice();
}

GASNETI_API void gasnett_unsetenv(const char* name) {
  (void)unsetenv(name);
  if (the_job.changed != nullptr) the_job.changed(name, nullptr);
  read_backtrace_choice();
}

GASNETI_API int gasnett_verboseenv(void) {
  const char* value = the_job.reports ? value_of("GASNET_VERBOSEENV") : nullptr;
  return value != nullptr && !is_one_of(value, {"0", "n", "no"});
}

GASNETI_API void gasnett_envstr_display(const char* name, const char* value, int is_dflt) {
  if (!gasnett_verboseenv() || !first_report(name)) return;
  char buf[1024];
  upcr::SafeText text(buf, sizeof buf);
  text.add("ENV parameter: ").add(name).add(" = ");
  text.add(value == nullptr ? "*not set*" : *value == '\0' ? "*empty*" : value);
  text.add(is_dflt ? " (default)" : "").end_line();
  upcr::write_all(STDERR_FILENO, text.data(), text.size());
}

GASNETI_API void gasnett_envint_display(const char* name, int64_t value, int is_dflt, int is_mem_size) {
  char buf[64];
  gasnett_envstr_display(name, gasnett_format_number(value, buf, sizeof buf, is_mem_size), is_dflt);
}

GASNETI_API void gasnett_envdbl_display(const char* name, double value, int is_dflt) {
  gasnett_envstr_display(name, format_real(value).c_str(), is_dflt);
}

}  // extern "C"

}  // namespace upcr::gasnet
