// SPDX-License-Identifier: BSD-3-Clause
// Shared allocation (UPC 1.3 7.2.2), for programs of GCC-UPC and Clang-UPC, in the steps of the design: what
// memory there is is the heap's answer, and null when there is none. UPC threads.
#include "upcr/heap.h"
#include "gasp_upc.h"

#include "upcr/gmem_heap.h"
#include "upcr/gupc/abi/access/access.hpp"
#include "upcr/gupc/abi/library/call.hpp"
#include "upcr/gupc/abi/tool/tool.hpp"
#include "upcr/misc.h"

namespace gupc {
namespace {

upcr_shared_ptr_t local_object(std::size_t bytes) {
  return upcr_heap_alloc(upcr_local_heap[upcr_mythread()], false, upcr_heap_local_extend, bytes);
}

// The bytes of a thread's part of nblocks blocks, distributed round robin; SIZE_MAX if a word cannot
// represent them.
std::size_t part_of(std::size_t nblocks, std::size_t nbytes) {
  std::size_t bytes;
  if (__builtin_mul_overflow(nblocks, nbytes, &bytes)) return SIZE_MAX;
  const std::size_t threads = upcri_window.threads;
  return (nblocks / threads + (nblocks % threads != 0 ? 1 : 0)) * nbytes;
}

upcr_shared_ptr_t global_object(std::size_t nblocks, std::size_t nbytes) {
  return upcr_heap_alloc(upcr_global_heap, true, upcr_heap_global_extend, part_of(nblocks, nbytes));
}

}  // namespace

extern "C" {

upc_shared_ptr_t upc_alloc(size_t nbytes) {
  gupc_need_runtime("upc_alloc");
  return gupc_from_upcr(local_object(nbytes));
}

// The older spelling.
upc_shared_ptr_t upc_local_alloc(size_t nblocks, size_t nbytes) {
  gupc_need_runtime("upc_local_alloc");
  size_t bytes;
  if (__builtin_mul_overflow(nblocks, nbytes, &bytes)) return gupc_null();
  return gupc_from_upcr(local_object(bytes));
}

upc_shared_ptr_t upc_global_alloc(size_t nblocks, size_t nbytes) {
  gupc_need_runtime("upc_global_alloc");
  return gupc_from_upcr(global_object(nblocks, nbytes));
}

upc_shared_ptr_t upc_all_alloc(size_t nblocks, size_t nbytes) {
  gupc_need_runtime("upc_all_alloc");
  if (nblocks == 0 || nbytes == 0) return gupc_null();
  upcr_shared_ptr_t made;
  if (upcr_mythread() == 0) {
    made = global_object(nblocks, nbytes);
    upcr_broadcast_put(&made, sizeof made);
  } else {
    upcr_broadcast_get(&made, sizeof made);
  }
  return gupc_from_upcr(made);
}

// A pending put must not overwrite data of the next owner of the memory.
void upc_free(upc_shared_ptr_t p) {
  if (gupc_is_null(p)) return;
  poll_occasionally();
  complete_accesses();
  upcr_free(gupc_to_upcr(p));
}

void upc_all_free(upc_shared_ptr_t p) {
  if (gupc_is_null(p)) return;
  complete_accesses();
  upcr_all_free(gupc_to_upcr(p));
}

upc_shared_ptr_t upc_allocg(size_t nbytes, const char* file, int line) {
  return InstrumentedCall(file, line)
      .allocation_span(
          GASP_UPC_ALLOC, [=] { return upc_alloc(nbytes); }, nbytes);
}
upc_shared_ptr_t upc_global_allocg(size_t nblocks, size_t nbytes, const char* file, int line) {
  return InstrumentedCall(file, line)
      .allocation_span(
          GASP_UPC_GLOBAL_ALLOC, [=] { return upc_global_alloc(nblocks, nbytes); }, nblocks, nbytes);
}
upc_shared_ptr_t upc_all_allocg(size_t nblocks, size_t nbytes, const char* file, int line) {
  return InstrumentedCall(file, line)
      .allocation_span(
          GASP_UPC_ALL_ALLOC, [=] { return upc_all_alloc(nblocks, nbytes); }, nblocks, nbytes);
}
void upc_freeg(upc_shared_ptr_t p, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t q = as_upcr_pointer(p);
  events.span(
      GASP_UPC_FREE, [=] { upc_free(p); }, &q);
}
void upc_all_freeg(upc_shared_ptr_t p, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t q = as_upcr_pointer(p);
  events.span(
      GASP_UPC_FREE, [=] { upc_all_free(p); }, &q);
}

}  // extern "C"

}  // namespace gupc
