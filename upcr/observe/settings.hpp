// SPDX-License-Identifier: BSD-3-Clause
// Whether this job is observed, and where the result goes. Start-up and exit code.
#pragma once
#include <cstdint>
#include <string>

#include "upcr/observe/kinds.hpp"

namespace upcr {
struct ThreadCtx;
}

namespace upcr::observe {

struct Settings {
  bool statistics = false;
  std::string statistics_file;     // empty: the summary only
  std::string trace_file;          // empty: no trace
  std::uint32_t trace_events = 0;  // of each thread
  std::uint64_t trace_kinds = 0;   // a bit for each

  bool any() const { return statistics || !trace_file.empty(); }
  bool traces_messages() const {
    for (unsigned i = 0; i < kKinds; ++i)
      if (is_message(static_cast<Kind>(i)) && traces(static_cast<Kind>(i))) return true;
    return false;
  }
  bool traces(Kind kind) const { return (trace_kinds >> static_cast<unsigned>(kind) & 1) != 0; }
};
// Read at the first call, after configure().
const Settings& settings();

// Before the UPC threads of this process exist.
void start_process();
// On each UPC thread, before its program; and after its end.
void start_thread(ThreadCtx& c);
void end_thread(ThreadCtx& c);

}  // namespace upcr::observe
