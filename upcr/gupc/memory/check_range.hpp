// SPDX-License-Identifier: BSD-3-Clause
// The checks of the public functions of gmem.h in every build: two comparisons before the lookup of an
// address.
#pragma once
#include "conduits/core/base/report/error.hpp"
#include "include/upcr/gmem.h"
#include "upcr/pointer/pointer.hpp"

namespace upcr {

inline SharedAddr checked_range(const char* function, upcr_gmem_addr_t a, std::size_t bytes) {
  const struct upcri_window& w = upcri_window;
  if (a.thread >= w.threads)
    fatal("%s: UPC thread %u of %u does not exist; threads are numbered from 0", function, a.thread,
          w.threads);
  if (a.offset > w.segment_bytes || bytes > w.segment_bytes - a.offset)
    fatal("%s: %zu bytes at offset %llu reach beyond the %llu bytes of UPC thread %u's shared memory",
          function, bytes, static_cast<unsigned long long>(a.offset),
          static_cast<unsigned long long>(w.segment_bytes), a.thread);
  return {a.thread, a.offset};
}

}  // namespace upcr
