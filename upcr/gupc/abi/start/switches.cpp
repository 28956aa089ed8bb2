// SPDX-License-Identifier: BSD-3-Clause
// See switches.hpp. docs/reference/gupc.md describes each.
#include "upcr/gupc/abi/start/switches.hpp"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "upcr/gupc.h"

namespace gupc {
namespace {

__attribute__((noreturn, format(printf, 1, 2))) void refuse(const char* format, ...) {
  char text[240];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  upcri_gupc_fatal(text);
}

unsigned count(const char* name, const char* text) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > UPCR_MAX_THREADS)
    refuse("%s: '%s' is no number of UPC threads from 1 to %d", name, text, UPCR_MAX_THREADS);
  return static_cast<unsigned>(value);
}

// Bytes, or with K, M, G.
std::size_t size(const char* name, const char* text) {
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  unsigned shift = 0;
  switch (*end) {
    case 'k':
    case 'K':
      shift = 10;
      break;
    case 'm':
    case 'M':
      shift = 20;
      break;
    case 'g':
    case 'G':
      shift = 30;
      break;
  }
  if (shift != 0) ++end;
  if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > (SIZE_MAX >> 1 >> shift))
    refuse("%s: '%s' is no size: expected a number of bytes, or one with K, M or G", name, text);
  return static_cast<std::size_t>(value) << shift;
}

void one_of(const char* name, const char* value, const char* const* words, const char* shown) {
  for (; *words != nullptr; ++words)
    if (std::strcmp(value, *words) == 0) return;
  refuse("%s: '%s' is none of %s", name, value, shown);
}

class Walk {
 public:
  Walk(int argc, char** argv) : argc_(argc), argv_(argv) {}

  Switches take() {
    for (; at_ < argc_; ++at_) {
      if (std::strcmp(argv_[at_], "--") == 0) {
        ++at_;
        break;
      }
      if (!take_count() && !take_heap() && !take_policy()) break;
    }
    found_.words = at_ - 1;
    return found_;
  }

 private:
  // The part of the argument behind `name`, or null if it does not begin with it.
  const char* behind(const char* name) const {
    const std::size_t length = std::strlen(name);
    return std::strncmp(argv_[at_], name, length) == 0 ? argv_[at_] + length : nullptr;
  }
  bool is(const char* name) const { return std::strcmp(argv_[at_], name) == 0; }

  const char* argument() {
    if (at_ + 1 >= argc_) refuse("%s: its argument is missing", argv_[at_]);
    return argv_[++at_];
  }

  bool take_count() {
    if (const char* value = behind("-fupc-threads-")) {
      found_.threads = count("-fupc-threads-N", value);
    } else if (const char* pthreads = behind("-fupc-pthreads-")) {
      found_.pthreads = count("-fupc-pthreads-N", pthreads);
    } else if (is("-n")) {
      found_.threads = count("-n", argument());
    } else if (const char* joined = behind("-n"); joined != nullptr && *joined >= '0' && *joined <= '9') {
      found_.threads = count("-n", joined);
    } else {
      return false;
    }
    return true;
  }

  bool take_heap() {
    if (const char* value = behind("-fupc-heap-")) {
      found_.heap = size("-fupc-heap-SIZE", value);
    } else if (is("-heap")) {
      found_.heap = size("-heap", argument());
    } else {
      return false;
    }
    return true;
  }

  // Placement of threads and memory: accepted and ignored, since the launcher and the kernel do it.
  bool take_policy() {
    static const char* const kCpus[] = {"cpu", "node", "strict", "auto", nullptr};
    static const char* const kMemory[] = {"node", "strict", "auto", nullptr};
    if (is("-sched-policy")) {
      one_of("-sched-policy", argument(), kCpus, "cpu, node, strict, auto");
    } else if (const char* cpus = behind("-sched-policy=")) {
      one_of("-sched-policy", cpus, kCpus, "cpu, node, strict, auto");
    } else if (is("-mem-policy")) {
      one_of("-mem-policy", argument(), kMemory, "node, strict, auto");
    } else if (const char* memory = behind("-mem-policy=")) {
      one_of("-mem-policy", memory, kMemory, "node, strict, auto");
    } else {
      return behind("-sched-cpu-avoid=") != nullptr || is("-g");
    }
    return true;
  }

  const int argc_;
  char** const argv_;
  int at_ = 1;
  Switches found_;
};

}  // namespace

Switches parse_switches(int argc, char** argv) { return Walk(argc, argv).take(); }

}  // namespace gupc
