// SPDX-License-Identifier: BSD-3-Clause
// Debug builds: every access is checked before it happens; a failure names function, pointer, size and (by
// the client API) the source position.
#include "upcr/access/check.hpp"

#if UPCR_DEBUG

#  include <cstdio>
#  include <cstring>

#  include "conduits/core/base/report/error.hpp"
#  include "include/upcr/layout.h"
#  include "upcr/pointer/sptr_text.hpp"
#  include "upcr/segment/runtime_area.hpp"

namespace upcr {
namespace {

struct Access {
  const char* function;
  upcr_shared_ptr_t p;
  std::ptrdiff_t offset;
  std::size_t n;
};

bool starts_with(const char* text, const char* start) {
  return std::strncmp(text, start, std::strlen(start)) == 0;
}

// A function as the programmer knows it: translators write upcr_memget for upc_memget, and
// upcr_put_shared_val for an assignment.
class FunctionText {
 public:
  explicit FunctionText(const char* function) {
    if (starts_with(function, "upcr_mem"))
      std::snprintf(text_, sizeof text_, "upc_%s", function + 5);
    else if (starts_with(function, "upcr_put_"))
      std::snprintf(text_, sizeof text_, "write to shared memory (%s)", function);
    else if (starts_with(function, "upcr_get_"))
      std::snprintf(text_, sizeof text_, "read of shared memory (%s)", function);
    else
      std::snprintf(text_, sizeof text_, "%s", function);
  }
  const char* c_str() const { return text_; }

 private:
  char text_[120];
};

[[noreturn]] void refuse(const Access& a, const char* why) {
  char offset[60] = "";
  if (a.offset != 0) std::snprintf(offset, sizeof offset, " with byte offset %td", a.offset);
  fatal("%s: %zu bytes at %s%s: %s", FunctionText(a.function).c_str(), a.n, PointerText(a.p).c_str(), offset,
        why);
}

void check_range(const Access& a) {
  if (upcr_isnull_shared(a.p)) refuse(a, "the pointer-to-shared is null");
  char why[160];
  if (upcr_threadof_shared(a.p) >= upcri_window.threads) {
    std::snprintf(why, sizeof why, "there is no UPC thread %u (THREADS is %u)", upcr_threadof_shared(a.p),
                  upcri_window.threads);
    refuse(a, why);
  }
  const std::uint64_t first = upcr_addrfield_shared(a.p) + static_cast<std::uint64_t>(a.offset);
  if (first < kNullPageBytes)
    refuse(a,
           "access through a null pointer-to-shared: the first page of a thread's shared memory holds no "
           "object");
  if (first < kFirstObjectOffset)
    refuse(a, "no object is there: the second page of a thread's shared memory is the runtime's");
  if (first > upcri_window.segment_bytes || a.n > upcri_window.segment_bytes - first) {
    std::snprintf(why, sizeof why, "outside the segment of UPC thread %u, which has %#llx bytes",
                  upcr_threadof_shared(a.p), static_cast<unsigned long long>(upcri_window.segment_bytes));
    refuse(a, why);
  }
}

void check_value(const Access& a) {
  if (a.n == 0 || a.n > SIZEOF_UPCR_REGISTER_VALUE_T) refuse(a, "a register value has 1 to 8 bytes");
  const std::uint64_t first = upcr_addrfield_shared(a.p) + static_cast<std::uint64_t>(a.offset);
  if ((a.n & (a.n - 1)) == 0 && first % a.n != 0)
    refuse(a, "misaligned; the address must be a multiple of the size");
}

// No scalar operation may be in flight while a strict one is; bulk operations may.
void check_strict(ThreadCtx& c, const Access& a) {
  const EopPool* pool = c.eops;
  if (pool == nullptr) return;
  const bool collected = pool->region != nullptr && pool->region->value != 0;
  const std::uint64_t implicit =
      pool->implicit_scalar_puts + pool->implicit_scalar_gets + (collected ? 1 : 0);
  if (pool->scalars + implicit != 0) {
    char why[200];
    std::snprintf(
        why, sizeof why,
        "a strict access while %llu explicit and %llu implicit non-blocking operations of this thread are "
        "not synchronised",
        static_cast<unsigned long long>(pool->scalars), static_cast<unsigned long long>(implicit));
    refuse(a, why);
  }
}

}  // namespace

void check_access(const char* function, upcr_shared_ptr_t p, std::ptrdiff_t offset, std::size_t n,
                  unsigned how) {
  upcri_check_thread(function);
  ThreadCtx& c = ctx(function);
  const Access access{function, p, offset, n};
  if ((how & UPCRI_NB_VALUE) != 0) check_value(access);
  if (n != 0) check_range(access);
  check_no_strict(c, function, nullptr);
  if ((how & UPCRI_NB_STRICT) != 0) check_strict(c, access);
}

void check_private(const char* function, const void* p, std::size_t n) {
  if (p == nullptr && n != 0)
    fatal("%s: the private address is null (%zu bytes)", FunctionText(function).c_str(), n);
}

void check_no_strict(ThreadCtx& c, const char* function, const Eop* eop) {
  if (c.eops == nullptr || c.eops->strict == nullptr || c.eops->strict == eop) return;
  const Eop::Site& s = c.eops->strict->issued;
  fatal(
      "%s while the strict operation %s at %s:%d is under way; nothing may start or end before "
      "upcr_wait_syncnb_strict has ended it",
      function, s.function, s.file != nullptr ? s.file : "?", s.line);
}

}  // namespace upcr

extern "C" {

void upcri_check_access(const char* function, upcr_shared_ptr_t p, ptrdiff_t offset, size_t n, int how) {
  upcr::check_access(function, p, offset, n, static_cast<unsigned>(how));
}

void upcri_check_private(const char* function, const void* p, size_t n) {
  upcr::check_private(function, p, n);
}

}  // extern "C"

#endif
