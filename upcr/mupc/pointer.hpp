// SPDX-License-Identifier: BSD-3-Clause
// Conversion between MuPC's pointers-to-shared and upcr's, and the checks at the start of every function of
// mupc.h. UPC threads.
#pragma once
#include "mupc.h"
#include "upcr/gmem.h"
#include "upcr/layout.h"
#include "upcr/misc.h"
#include "upcr/sptr.h"
#include "upcr/window.h"

namespace mupc {

enum class Stage { kBefore, kRunning, kEnded };
extern Stage stage;

// `function` is the public function that the program called.
inline void check_running(const char* function) {
  if (stage == Stage::kRunning) return;
  upcri_err(
      stage == Stage::kBefore
          ? "%s: the runtime has not been started; call _UPCRTS_init() first, or link with libmupc.a's main()"
          : "%s: called after _UPCRTS_fini()",
      function);
}

inline bool is_null(mupc_shared_ptr_t p) { return p.va == 0 && p.th == 0; }

inline void check_range(const char* function, mupc_shared_ptr_t p, size_t bytes) {
  check_running(function);
  if (is_null(p)) upcri_err("%s: the pointer-to-shared is null", function);
  if (p.th >= upcri_window.threads)
    upcri_err("%s: UPC thread %u of %u does not exist; threads are numbered from 0", function, p.th,
              upcri_window.threads);
  if (p.va > upcri_window.segment_bytes || bytes > upcri_window.segment_bytes - p.va)
    upcri_err("%s: %zu bytes at va %#llx reach beyond the %#llx bytes of UPC thread %u's shared memory",
              function, bytes, static_cast<unsigned long long>(p.va),
              static_cast<unsigned long long>(upcri_window.segment_bytes), p.th);
}

inline upcr_gmem_addr_t address(mupc_shared_ptr_t p) { return {p.th, p.va}; }
inline upcr_shared_ptr_t to_upcr(mupc_shared_ptr_t p) { return upcri_make_shared(p.va, p.th, p.ph); }
inline mupc_shared_ptr_t from_upcr(upcr_shared_ptr_t p) {
  return {upcri_offset_shared(p), static_cast<uint32_t>(upcri_thread_shared(p)),
          static_cast<uint32_t>(upcri_phase_shared(p))};
}

}  // namespace mupc
