// SPDX-License-Identifier: BSD-3-Clause
// The variables that the inlined pointer operations read (the mapped segments, the calling thread's number,
// the null pointers; start-up writes them), and the operations that are not inlined: validity, affinity
// sizes, local addresses without an address reservation, castability. Any thread; UPC threads where the
// result depends on the caller.
#include "include/upcr/sptr.h"

#include <cstddef>
#include <cstdint>

extern "C" {

struct upcri_window upcri_window;
// Has an initial value in the module, though it is 0: startup/later_threads.cpp changes it.
__attribute__((section(".tdata"))) UPCRI_THREAD_LOCAL upcr_thread_t upcri_mythread_;
UPCRI_THREAD_LOCAL int upcri_mypthread_;

const upcr_shared_ptr_t upcr_null_shared = UPCR_NULL_SHARED;
const upcr_pshared_ptr_t upcr_null_pshared = UPCR_NULL_PSHARED;

void upcri_set_threads(upcr_thread_t threads) {
  unsigned shift = 31;
  while ((std::uint64_t{1} << (shift - 31)) < threads) ++shift;
  upcri_window.threads = threads;
  upcri_window.threads_shift = shift;
  upcri_window.threads_magic = ((std::uint64_t{1} << shift) + threads - 1) / threads;
}

upcr_shared_ptr_t upcri_add_shared_far(upcr_shared_ptr_t sptr, size_t elemsz, ptrdiff_t inc,
                                       size_t blockelems) {
  const std::int64_t blocks =
      upcri_floor_div(std::int64_t{upcri_phase_shared(sptr)} + inc, static_cast<std::int64_t>(blockelems));
  const std::int64_t rounds =
      upcri_floor_div(std::int64_t{upcri_thread_shared(sptr)} + blocks, upcri_window.threads);
  return upcri_step_shared(sptr, elemsz, inc, blockelems, blocks, rounds);
}
upcr_pshared_ptr_t upcri_add_pshared1_far(upcr_pshared_ptr_t sptr, size_t elemsz, ptrdiff_t inc) {
  const std::int64_t rounds =
      upcri_floor_div(std::int64_t{upcri_thread_pshared(sptr)} + inc, upcri_window.threads);
  return upcri_step_pshared1(sptr, elemsz, inc, rounds);
}

int upcr_isvalid_shared(upcr_shared_ptr_t sptr) {
  if (upcr_isnull_shared(sptr)) return 1;
  const std::uint64_t offset = upcri_offset_shared(sptr);
  return offset != 0 && offset < upcri_window.segment_bytes &&
         upcri_thread_shared(sptr) < upcri_window.threads && upcri_phase_shared(sptr) < UPCR_MAX_BLOCKSIZE;
}

int upcr_isvalid_pshared(upcr_pshared_ptr_t sptr) { return upcr_isvalid_shared(upcri_with_phase(sptr, 0)); }

size_t upcr_affinitysize(size_t totalsize, size_t nbytes, upcr_thread_t threadid) {
  if (nbytes == 0 || nbytes >= totalsize) return threadid == 0 ? totalsize : 0;
  const std::size_t blocks = totalsize / nbytes;
  const std::size_t rounds = blocks / upcri_window.threads;
  const std::size_t cut = blocks % upcri_window.threads;  // the thread of the last, partial block
  if (threadid < cut) return (rounds + 1) * nbytes;
  return rounds * nbytes + (threadid == cut ? totalsize % nbytes : 0);
}

void* upcri_address_of(uint64_t offset, upcr_thread_t thread) {
  if (thread >= upcri_window.threads || upcri_window.bases == nullptr) return nullptr;
  const std::uintptr_t base = upcri_window.bases[thread];
  return base != 0 ? reinterpret_cast<void*>(base + offset) : nullptr;
}

upcr_shared_ptr_t _bupc_local_to_shared(void* ptr, int thread, int phase) {
  return upcr_local_to_shared_withphase(ptr, static_cast<upcr_phase_t>(phase),
                                        static_cast<upcr_thread_t>(thread));
}

void* upcr_cast(upcr_shared_ptr_t sptr) {
  if (upcr_isnull_shared(sptr)) return nullptr;
  return upcri_address_of(upcri_offset_shared(sptr), upcri_thread_shared(sptr));
}

upc_thread_info_t upcr_thread_info(size_t th) {
  const bool mapped =
      th < upcri_window.threads && upcri_window.bases != nullptr && upcri_window.bases[th] != 0;
  const int kinds = mapped ? UPC_CASTABLE_ALL : 0;
  return {kinds, kinds};
}

}  // extern "C"
