// SPDX-License-Identifier: BSD-3-Clause
// Backtraces of the calling thread, for people: one line a frame. Async-signal-safe once the unwinder is
// loaded, which configure() and install_signal_reports() see to. Any thread.
#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <cstdint>

#include "conduits/base/report.hpp"
#include "conduits/base/report_state.hpp"

namespace upcr {
namespace {

constexpr int kMaxFrames = 64;

void add_frame(SafeText& text, int number, const void* pc) {
  add_log_origin(text, true);
  text.add("] #").add_number(static_cast<std::uint64_t>(number)).add(number < 10 ? "  " : " ");
  const auto address = reinterpret_cast<std::uintptr_t>(pc);
  Dl_info info{};
  // A return address may be the first byte of the next function: look one byte earlier.
  if (dladdr(reinterpret_cast<const void*>(address - 1), &info) == 0 || info.dli_fname == nullptr) {
    text.add_address(address).end_line();
    return;
  }
  if (info.dli_sname != nullptr) {
    text.add(info.dli_sname).add("+").add_address(address - reinterpret_cast<std::uintptr_t>(info.dli_saddr));
    text.add(" ");
  }
  text.add("(").add(info.dli_fname).add("+");
  text.add_address(address - reinterpret_cast<std::uintptr_t>(info.dli_fbase)).add(")").end_line();
}

}  // namespace

void write_backtrace(int fd, const void* first) noexcept {
  void* frames[kMaxFrames];
  const int n = backtrace(frames, kMaxFrames);
  int start = 0;
  for (int i = 0; i < n && start == 0; ++i)
    if (frames[i] == first) start = i;
  char buf[512];
  for (int i = start; i < n; ++i) {
    SafeText text(buf, sizeof buf);
    add_frame(text, i - start, frames[i]);
    write_all(fd, text.data(), text.size());
  }
}

void load_unwinder() noexcept {
  void* frame = nullptr;
  (void)backtrace(&frame, 1);
}

void print_backtrace() { write_backtrace(STDERR_FILENO, __builtin_return_address(0)); }

}  // namespace upcr
