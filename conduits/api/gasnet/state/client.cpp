// SPDX-License-Identifier: BSD-3-Clause
// The client's state, and checks of it.
#include "conduits/api/gasnet/state/client.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "conduits/core/base/report/error.hpp"
#include "include/gasnet/tools/environment.h"

struct gasneti_state_s gasneti_state = {0, 0, nullptr, 0};

namespace upcr::gasnet {
Client* the_client = nullptr;

namespace {

// The part of a unit's string that all units must share: up to the third slash.
std::string_view configuration(const char* unit) {
  const char* end = unit;
  for (int slashes = 0; slashes < 3; ++slashes) end = std::strchr(end, '/') + 1;
  return {unit, static_cast<std::size_t>(end - unit - 1)};
}

bool well_formed(const char* unit) {
  int slashes = 0;
  for (const char* c = unit; *c != '\0'; ++c) slashes += *c == '/';
  return slashes >= 3;
}

void set_configuration(std::string_view text) {
  Client& c = client();
  c.threads = text.starts_with("PARSYNC/") ? ThreadModel::kParsync
              : text.starts_with("PAR/")   ? ThreadModel::kPar
                                           : ThreadModel::kSeq;
  c.everything = text.find("/EVERYTHING/") != text.npos;
}

// Before other constructors may use it. Never destroyed: threads and exit handlers may outlive main.
[[gnu::constructor(101)]] void make_client() { the_client = new Client; }

}  // namespace

void require_started(const char* function) {
  if (client().stage.load(std::memory_order_acquire) == Stage::kNone)
    fatal("%s called before gasnet_init()", function);
}

void require_attached(const char* function) {
  if (client().stage.load(std::memory_order_acquire) != Stage::kAttached)
    fatal("%s called before gasnet_attach()", function);
}

int refuse(const Refusal& r, const char* format, ...) {
#ifdef UPCR_DEBUG
  const bool verbose = true;
#else
  const bool verbose = gasnett_verboseenv() != 0;
#endif
  if (!verbose) return r.code;
  char reason[512];
  std::va_list args;
  va_start(args, format);
  std::vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  std::fprintf(stderr, "GASNet %s returning an error code: %s (%s)\n  at %s:%i\n  reason: %s\n", r.function,
               gasnet_ErrorName(r.code), gasnet_ErrorDesc(r.code), r.file, r.line, reason);
  return r.code;
}

void check_units(const char* const* units, const char* const* end) {
  if (units == end) fatal("gasnet_init: the program was linked without the marks of gasnet.h");
  const char* first = nullptr;
  for (const char* const* u = units; u != end; ++u) {
    if (*u == nullptr) continue;  // the linker's padding
    if (!well_formed(*u)) fatal("gasnet_init: an object has the mark '%s'; is it of this gasnet.h?", *u);
    if (first == nullptr) first = *u;
    const std::string_view one = configuration(first), other = configuration(*u);
    if (one == other) continue;
    fatal(
        "objects of this program were compiled for different GASNet configurations: %s for %.*s, %s for %.*s; "
        "compile all of them with the same GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR, the same "
        "GASNET_SEGMENT_* and all or none with GASNET_DEBUG",
        first + one.size() + 1, static_cast<int>(one.size()), one.data(), *u + other.size() + 1,
        static_cast<int>(other.size()), other.data());
  }
  set_configuration(configuration(first));
}

}  // namespace upcr::gasnet
