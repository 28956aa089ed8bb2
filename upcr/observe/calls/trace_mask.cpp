// SPDX-License-Identifier: BSD-3-Clause
// Masks of traces and statistics that a program sets (include/upcr/misc.h).
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "conduits/core/base/system/spinlock.hpp"
#include "include/upcr/misc.h"
#include "upcr/observe/mask.hpp"

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
    case Kind::kHeapBytes:
      return 'N';
    case Kind::kIo:
    case Kind::kIoRead:
    case Kind::kIoWrite:
    case Kind::kBytesInFlight:
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

// Null: all.
std::uint64_t kinds_of(const char* letters) noexcept {
  if (letters == nullptr) return ~std::uint64_t{0};
  std::uint64_t kinds = 0;
  for (unsigned i = 0; i < kKinds; ++i)
    if (has_letter(letters, letter_of(static_cast<Kind>(i)))) kinds |= std::uint64_t{1} << i;
  return kinds;
}

// A mask that a program sets and reads back. The returned string is valid until the next set, as in getenv().
class Mask {
 public:
  void set(const char* text) {
    lock_.lock();
    std::free(text_);
    text_ = strdup(text != nullptr ? text : "");
    lock_.unlock();
  }
  const char* get() const { return text_ != nullptr ? text_ : ""; }

 private:
  SpinLock lock_;
  char* text_ = nullptr;
};
Mask trace_letters, stats_letters;

}  // namespace

extern "C" {

UPCRI_API void bupc_trace_setmask(const char* mask) {
  trace_letters.set(mask);
  trace_mask.set_kinds(kinds_of(mask));
}
UPCRI_API const char* bupc_trace_getmask(void) { return trace_letters.get(); }
UPCRI_API void bupc_stats_setmask(const char* mask) { stats_letters.set(mask); }
UPCRI_API const char* bupc_stats_getmask(void) { return stats_letters.get(); }
UPCRI_API void bupc_trace_settracelocal(int on) { trace_mask.set_local(on != 0); }
UPCRI_API int bupc_trace_gettracelocal(void) { return trace_mask.local() ? 1 : 0; }

}  // extern "C"
}  // namespace upcr::observe
