// SPDX-License-Identifier: BSD-3-Clause
// Backtraces of the calling thread, for people: one line a frame, one for each function that was inlined
// there. Async-signal-safe once the unwinder is loaded, by configure() or install_signal_reports(). Any
// thread.
#include "conduits/core/base/report/backtrace.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/common_config.hpp"
#include "conduits/core/base/report/report_state.hpp"
#include "conduits/core/base/symbols/source_lines.hpp"
#include "conduits/core/base/symbols/symbols.hpp"

namespace upcr {
namespace {

constexpr int kMaxFrames = 64;
static_assert(kMaxFrames <= SourceLines::kMaxAddresses);

struct Frame {
  void* pc;
  CodePlace place;
  unsigned repeats;  // how often the same frame follows
  bool is_return;
};

class Backtrace {
 public:
  // Starts at the frame `first`, or at all frames' first.
  Backtrace(const void* first, bool first_is_fault) noexcept {
    void* found[kMaxFrames];
    const int n = backtrace(found, kMaxFrames);
    cut_off_ = n == kMaxFrames;
    int start = 0;
    for (int i = 0; i < n && !starts_at_first_; ++i) {
      starts_at_first_ = found[i] == first;
      if (starts_at_first_) start = i;
    }
    for (int i = start; i < n; ++i) add(found[i], !(first_is_fault && found[i] == first));
    leave_out_callers_of_main();
  }
  // Of an error that the runtime has found, and of a fault in it, as on memory that the program gave it: of
  // its own frames, and those of the C library's functions that it called, the one that the program called
  // says enough.
  // Not where the first frame is not among them, as after a call through a null pointer: the runtime's are
  // then those that handle the signal.
  // Of an access that was inlined in the program the parts of its function are folded as well.
  void fold_runtime() noexcept {
    folds_inlined_ = true;
    if (!starts_at_first_) return;
    unsigned end = 0;
    while (end < count_ && is_of_libc(frames_[end].place)) ++end;
    const unsigned first = end;
    while (end < count_ && is_of_runtime(frames_[end].place)) ++end;
    if (end == first || end == count_) return;
    entry_ = end - 1;
    folded_ = entry_;
  }
  void write(int fd) noexcept {
    if (folded_ != 0) write_folded(fd, folded_);
    for (unsigned i = folded_; i < count_;) i = write_file(fd, i);
  }

 private:
  void add(void* pc, bool is_return) noexcept {
    if (count_ != 0 && frames_[count_ - 1].pc == pc) {
      ++frames_[count_ - 1].repeats;
      return;
    }
    frames_[count_++] = {pc, find_code(pc, is_return), 0, is_return};
  }

  // What called the program's main() is the same in all programs: the start of the runtime, and the C
  // library's.
  void leave_out_callers_of_main() noexcept {
    unsigned last = count_;
    for (unsigned i = 0; i < count_; ++i) {
      char name[64];
      SafeText text(name, sizeof name);
      add_function(text, frames_[i].place, frames_[i].is_return);
      if (std::strncmp(name, "main+", 5) == 0) last = i + 1;
      if (std::strncmp(name, "upcr::call_main+", 16) != 0) continue;
      last = i;
      break;
    }
    cut_off_ = cut_off_ && last == count_;
    count_ = last;
  }

  static bool path_has(const CodePlace& place, const char* name) noexcept {
    return place.path != nullptr && std::strstr(place.path, name) != nullptr;
  }
  static bool is_of_runtime(const CodePlace& place) noexcept {
    return path_has(place, "/libupcr") || path_has(place, "/upcr/conduit_") ||
           path_has(place, "/upcr/bootstrap_");
  }
  static bool is_of_libc(const CodePlace& place) noexcept { return path_has(place, "/libc.so"); }

  // The first `count` frames.
  void write_folded(int fd, unsigned count) noexcept {
    char buf[128];
    SafeText text(buf, sizeof buf);
    begin_line(text);
    if (count > 1) {
      number_ = count;
      text.add("to #").add_number(count - 1).add(" ");
    }
    text.add("inside the runtime (UPCR_BACKTRACE_RUNTIME=yes shows them)").end_line();
    write_all(fd, text.data(), text.size());
  }

  // Writes the frames from `first` on that are in the same file; returns the first one of another.
  unsigned write_file(int fd, unsigned first) noexcept {
    const char* const path = frames_[first].place.path;
    std::uint64_t addresses[kMaxFrames];
    unsigned end = first;
    for (; end < count_ && frames_[end].place.path == path; ++end)
      addresses[end - first] = frames_[end].place.address - (frames_[end].is_return ? 1 : 0);
    const bool asks = path != nullptr && asks_;
    if (asks) asks_ = lines_.ask(path_to_open(frames_[first].place), addresses, end - first);
    for (unsigned i = first; i < end; ++i) {
      const bool more = cut_off_ && i + 1 == count_;
      write_frame(fd, frames_[i], asks ? i - first : kNotAsked, more ? " ..." : "");
    }
    return end;
  }

  // `answer`: its number in lines_. Functions have numbers of their own, as in gdb.
  void write_frame(int fd, const Frame& frame, unsigned answer, const char* end) noexcept {
    SourceLines::Place place, outer;
    bool known = answer != kNotAsked && lines_.place(answer, 0, &place);
    const bool whole = entry_ == kMaxFrames || &frame != &frames_[entry_];
    unsigned hidden = 0;
    for (unsigned n = 1; known && lines_.place(answer, n, &outer); ++n) {
      if (folds_inlined_ && is_internal(place.function)) {
        ++hidden;
      } else if (whole) {
        write_hidden(fd, hidden);
        write_inlined(fd, place);
      }
      place = outer;
    }
    if (whole) write_hidden(fd, hidden);
    char buf[1024];
    SafeText text(buf, sizeof buf);
    begin_line(text);
    add_code_location(text, frame.pc, frame.is_return, place.line);
    if (frame.repeats > 0) text.add(", and ").add_number(frame.repeats).add(" times more");
    number_ += frame.repeats;
    text.add(end).end_line();
    write_all(fd, text.data(), text.size());
  }

  // What the runtime's headers define for themselves, as opposed to what the program calls, upcr_ and bupc_.
  static bool is_internal(std::string_view function) noexcept { return function.substr(0, 6) == "upcri_"; }

  // Below other frames they are of no interest, as what counts a call for --stats.
  void write_hidden(int fd, unsigned count) noexcept {
    if (count != 0 && number_ == 0) write_folded(fd, count);
  }

  void write_inlined(int fd, const SourceLines::Place& place) noexcept {
    char buf[1024];
    SafeText text(buf, sizeof buf);
    begin_line(text);
    text.add(place.function.empty() ? "?" : place.function);
    if (!place.line.empty()) text.add(" at ").add(place.line);
    text.add(" (inlined)").end_line();
    write_all(fd, text.data(), text.size());
  }

  void begin_line(SafeText& text) noexcept {
    add_log_origin(text, true);
    text.add("] #").add_number(number_++).add(" ");
  }

  static constexpr unsigned kNotAsked = ~0u;
  Frame frames_[kMaxFrames];
  unsigned count_ = 0, number_ = 0;
  unsigned folded_ = 0;          // frames at the top that are the runtime's
  unsigned entry_ = kMaxFrames;  // the runtime's function that the program called
  bool folds_inlined_ = false;
  bool starts_at_first_ = false;
  bool cut_off_ = false;  // there are more
  bool asks_ = true;
  SourceLines lines_;
};

}  // namespace

void write_backtrace(int fd, const void* first, bool first_is_fault) noexcept {
  Backtrace(first, first_is_fault).write(fd);
}

void load_unwinder() noexcept {
  void* frame = nullptr;
  (void)backtrace(&frame, 1);
}

void report_backtrace(const void* first, bool first_is_fault) noexcept {
  if (client_api().backtrace != nullptr) {
    client_api().backtrace();
  } else if (common_config().backtrace) {
    Backtrace trace(first, first_is_fault);
    if (!common_config().backtrace_of_runtime) trace.fold_runtime();
    trace.write(STDERR_FILENO);
  }
}

void print_backtrace(int fd) { write_backtrace(fd, __builtin_return_address(0), false); }

}  // namespace upcr
