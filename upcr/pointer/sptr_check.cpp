// SPDX-License-Identifier: BSD-3-Clause
// The checks of the pointer operations in debug builds. Each failure names the function and the pointers.
// Any thread; the checks of local addresses on UPC threads.
#include <cstdint>

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/sptr.h"
#include "upcr/pointer/sptr_text.hpp"

#if UPCR_DEBUG

using upcr::fatal;
using upcr::PointerText;

extern "C" {

void upcri_check_shape(upcr_shared_ptr_t p, size_t elemsz, size_t blockelems, const char* function) {
  if (elemsz == 0)
    fatal("%s of %s: the element size is 0; it must be the size of the type in bytes", function,
          PointerText(p).c_str());
  if (blockelems == 0 || blockelems > UPCR_MAX_BLOCKSIZE)
    fatal("%s of %s: the block size is %zu elements; it must be 1 to %d", function, PointerText(p).c_str(),
          blockelems, static_cast<int>(UPCR_MAX_BLOCKSIZE));
  if (upcri_phase_shared(p) >= blockelems)
    fatal("%s of %s: the phase is not inside a block of %zu elements; cast between block sizes resets it",
          function, PointerText(p).c_str(), blockelems);
}

void upcri_check_add(upcr_shared_ptr_t p, int64_t bytes, size_t elemsz, ptrdiff_t inc, size_t blockelems,
                     const char* function) {
  if (elemsz == 0) upcri_check_shape(p, elemsz, blockelems + 1, function);
  std::int64_t offset = 0;
  const bool overflow =
      __builtin_add_overflow(static_cast<std::int64_t>(upcri_offset_shared(p)), bytes, &offset);
#  ifdef UPCRI_POINTER_packed
  const std::int64_t limit = static_cast<std::int64_t>(UPCRI_ADDR_MASK);
#  else
  const std::int64_t limit = INT64_MAX;
#  endif
  if (overflow || offset < 0 || offset > limit)
    fatal(
        "%s: %s plus %td elements of %zu bytes (block size %zu) leaves the address field of a "
        "pointer-to-shared",
        function, PointerText(p).c_str(), inc, elemsz, blockelems);
}

void upcri_check_sub(upcr_shared_ptr_t p1, upcr_shared_ptr_t p2, size_t elemsz, size_t blockelems,
                     const char* function) {
  const bool indefinite = blockelems == 0;
  upcri_check_shape(p1, elemsz, indefinite ? 1 : blockelems, function);
  upcri_check_shape(p2, elemsz, indefinite ? 1 : blockelems, function);
  const auto bytes = static_cast<std::int64_t>(upcri_offset_shared(p1) - upcri_offset_shared(p2));
  const auto phases = static_cast<std::int64_t>(upcri_phase_shared(p1)) - upcri_phase_shared(p2);
  const char* why = nullptr;
  if (indefinite && upcri_thread_shared(p1) != upcri_thread_shared(p2))
    why = "they have affinity to different threads";
  else if (bytes % static_cast<std::int64_t>(elemsz) != 0)
    why = "their distance is not a whole number of elements";
  else if (!indefinite &&
           (bytes / static_cast<std::int64_t>(elemsz) - phases) % static_cast<std::int64_t>(blockelems) != 0)
    why = "their distance is not a whole number of blocks";
  if (why != nullptr)
    fatal(
        "%s: cannot subtract %s from %s (element size %zu, block size %zu): %s, so they are not in one array",
        function, PointerText(p2).c_str(), PointerText(p1).c_str(), elemsz, blockelems, why);
}

void upcri_check_local(upcr_shared_ptr_t p, int neighbours, const char* function) {
  if (upcr_isnull_shared(p)) return;
  if (!upcr_isvalid_shared(p))
    fatal("%s: %s is not a pointer-to-shared of this job (%u threads, segments of 0x%llx bytes)", function,
          PointerText(p).c_str(), upcri_window.threads,
          static_cast<unsigned long long>(upcri_window.segment_bytes));
  if (neighbours == 0 && !upcr_hasMyAffinity_shared(p))
    fatal("%s: %s has affinity to UPC thread %u, the caller is UPC thread %u; use upc_cast or a get",
          function, PointerText(p).c_str(), upcri_thread_shared(p), upcri_mythread_);
  if (upcr_cast(p) == nullptr)
    fatal(
        "%s: the memory of UPC thread %u is not mapped in this process, so %s has no local address; use a "
        "get",
        function, upcri_thread_shared(p), PointerText(p).c_str());
}

void upcri_check_mine(const void* lptr, upcr_thread_t thread, const char* function) {
  if (lptr == nullptr) return;
  if (thread >= upcri_window.threads)
    fatal("%s: there is no UPC thread %u (THREADS is %u)", function, thread, upcri_window.threads);
  const std::uintptr_t base = upcri_window.bases[thread];
  // A pointer one past the end is valid.
  if (base == 0 || reinterpret_cast<std::uintptr_t>(lptr) - base > upcri_window.segment_bytes)
    fatal("%s: the address %p is not in the shared memory of UPC thread %u (%p, 0x%llx bytes)", function,
          lptr, thread, reinterpret_cast<const void*>(base),
          static_cast<unsigned long long>(upcri_window.segment_bytes));
}

}  // extern "C"

#endif
