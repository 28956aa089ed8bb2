// SPDX-License-Identifier: BSD-3-Clause
// Backtraces of the calling thread, for people: one line a frame. Async-signal-safe once the unwinder is
// loaded, by configure() or install_signal_reports(). Any thread.
#include "conduits/core/base/report/backtrace.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <cstdint>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/common_config.hpp"
#include "conduits/core/base/report/report_state.hpp"
#include "conduits/core/base/system/symbols.hpp"

namespace upcr {
namespace {

constexpr int kMaxFrames = 64;

}  // namespace

void write_backtrace(int fd, const void* first, bool first_is_fault) noexcept {
  void* frames[kMaxFrames];
  const int n = backtrace(frames, kMaxFrames);
  int start = 0;
  for (int i = 0; i < n && start == 0; ++i)
    if (frames[i] == first) start = i;
  char buf[512];
  for (int i = start, repeats = 0; i < n; i += repeats + 1) {
    for (repeats = 0; i + repeats + 1 < n && frames[i + repeats + 1] == frames[i]; ++repeats) {
    }
    SafeText text(buf, sizeof buf);
    add_log_origin(text, true);
    text.add("] #").add_number(static_cast<std::uint64_t>(i - start)).add(" ");
    add_code_location(text, frames[i], !(first_is_fault && frames[i] == first));
    if (repeats > 0) text.add(", and ").add_number(static_cast<std::uint64_t>(repeats)).add(" times more");
    if (i + repeats + 1 == kMaxFrames) text.add(" ...");
    text.end_line();
    write_all(fd, text.data(), text.size());
  }
}

void load_unwinder() noexcept {
  void* frame = nullptr;
  (void)backtrace(&frame, 1);
}

void report_backtrace(const void* first, bool first_is_fault) noexcept {
  if (client_api().backtrace != nullptr)
    client_api().backtrace();
  else if (common_config().backtrace)
    write_backtrace(STDERR_FILENO, first, first_is_fault);
}

void print_backtrace(int fd) { write_backtrace(fd, __builtin_return_address(0), false); }

}  // namespace upcr
