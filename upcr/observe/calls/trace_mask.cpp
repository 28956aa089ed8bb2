// SPDX-License-Identifier: BSD-3-Clause
// Masks of traces and statistics that a program sets (include/upcr/misc.h).
#include <atomic>
#include <cctype>
#include <cstdio>
#include <mutex>

#include "conduits/core/base/system/spinlock.hpp"
#include "include/upcr/misc.h"
#include "upcr/observe/mask.hpp"
#include "upcr/observe/thread_path.hpp"

namespace upcr::observe {
namespace {

// The letters of GASNet's masks, with V and X for what its programs call through UPC alone.
char letter_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::kGet:
    case Kind::kMemget:
    case Kind::kNbGet:
      return 'G';
    case Kind::kPut:
    case Kind::kMemput:
    case Kind::kMemcpy:
    case Kind::kMemset:
    case Kind::kNbPut:
    case Kind::kNbCopy:
    case Kind::kNbSet:
      return 'P';
    case Kind::kVis:
      return 'V';
    case Kind::kAtomic:
      return 'X';
    case Kind::kSync:
      return 'S';
    case Kind::kNotify:
    case Kind::kBarrier:
      return 'B';
    case Kind::kLock:
    case Kind::kLockAttempt:
    case Kind::kUnlock:
    case Kind::kLockAlloc:
    case Kind::kSemPost:
    case Kind::kSemWait:
      return 'L';
    case Kind::kAlloc:
    case Kind::kAllAlloc:
    case Kind::kFree:
      return 'N';
    case Kind::kIo:
    case Kind::kIoRead:
    case Kind::kIoWrite:
      return 'I';
    case Kind::kUser:
    case Kind::kMark:
      return 'H';
    default:
      return is_message(kind) ? 'A' : 'W';  // else a collective
  }
}

bool has_letter(const char* letters, char wanted) noexcept {
  for (; *letters != '\0'; ++letters)
    if (std::toupper(static_cast<unsigned char>(*letters)) == wanted) return true;
  return false;
}

std::uint64_t kinds_of(const char* letters) noexcept {
  std::uint64_t kinds = 0;
  for (unsigned i = 0; i < kKinds; ++i)
    if (has_letter(letters, letter_of(static_cast<Kind>(i))))
      kinds |= TraceMask::bit_of(static_cast<Kind>(i));
  return kinds;
}

// A mask that a program sets and reads back. A string that it has read stays as it is for some further
// changes, so that it can be set again; longer masks are cut.
class Mask {
 public:
  // Null: what it was before it was set. One thread at a time.
  void set(const char* text) {
    char* const next = texts_[++last_ % kKept];
    if (text != nullptr) (void)std::snprintf(next, kMostLetters, "%s", text);
    now_.store(text != nullptr ? next : nullptr, std::memory_order_release);
  }
  const char* get(const char* unset) const {
    const char* const text = now_.load(std::memory_order_acquire);
    return text != nullptr ? text : unset;
  }

 private:
  static constexpr unsigned kKept = 16, kMostLetters = 64;
  unsigned last_ = 0;
  char texts_[kKept][kMostLetters] = {};
  std::atomic<const char*> now_{nullptr};
};
SpinLock setting;  // of the masks
Mask trace_letters, stats_letters;

constexpr const char* kAllLetters = "GPVXSBLWNIAH";
// Where nothing is traced there is no mask.
const char* all_letters() noexcept {
  const Thread* const t = current();
  return t != nullptr && t->trace() != nullptr ? kAllLetters : "";
}

}  // namespace

extern "C" {

UPCRI_API void bupc_trace_setmask(const char* mask) {
  const std::lock_guard guard(setting);
  trace_letters.set(mask);
  trace_mask.set_kinds(mask != nullptr ? kinds_of(mask) : ~std::uint64_t{0});
}
UPCRI_API const char* bupc_trace_getmask(void) { return trace_letters.get(all_letters()); }
UPCRI_API void bupc_stats_setmask(const char* mask) {
  const std::lock_guard guard(setting);
  stats_letters.set(mask);
}
UPCRI_API const char* bupc_stats_getmask(void) { return stats_letters.get(""); }
UPCRI_API void bupc_trace_settracelocal(int on) { trace_mask.set_local(on != 0); }
UPCRI_API int bupc_trace_gettracelocal(void) { return trace_mask.local() ? 1 : 0; }

}  // extern "C"
}  // namespace upcr::observe
