// SPDX-License-Identifier: BSD-3-Clause
// Copies and fills of shared memory, blocking and non-blocking. Called by the inlined code of bulk.h on UPC
// threads, not in a handler; memget and memput are the gets and puts of nb.cpp and access/remote.cpp.
#include "upcr/access/bulk.hpp"

#include <cstring>

#include "conduits/core/rma/deferred_requests.hpp"
#include "conduits/core/rma/rma.hpp"
#include "include/upcr/bulk.h"
#include "upcr/access/check.hpp"
#include "upcr/access/data.hpp"
#include "upcr/access/nb.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {

void copy_bytes_nb(SharedAddr to, SharedAddr from, std::size_t bytes, Pending& done) {
  if (bytes == 0) return;
  check_thread(to);
  check_thread(from);
  if (const void* here = mapped(from))
    put_bytes_nb(to, here, bytes, done, &done);
  else if (void* there = mapped(to))
    get_bytes_nb(there, from, bytes, done);
  else
    job().deferred_requests.start_copy(my_slot(), to.thread, to.offset, from.thread, from.offset, bytes,
                                       done);
}

void fill_bytes_nb(SharedAddr to, int byte, std::size_t bytes, Pending& done) {
  if (bytes == 0) return;
  check_thread(to);
  if (void* here = mapped(to))
    std::memset(here, byte, bytes);
  else
    job().rma.fill(rank_of(to), remote_address(to), static_cast<unsigned char>(byte), bytes, done);
}

extern "C" {

UPCRI_API void upcri_memcpy(const char* function, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                            size_t nbytes) {
  check_access(function, dst, 0, nbytes, 0);
  check_access(function, src, 0, nbytes, 0);
  const observe::Span span(observe::Kind::kMemcpy,
                           {nbytes, upcr_threadof_shared(src), upcr_threadof_shared(dst)});
  Pending done;
  copy_bytes_nb(decode(dst), decode(src), nbytes, done);
  wait_for(done, "a copy between two UPC threads", upcr_threadof_shared(dst));
}

UPCRI_API void upcri_memset(const char* function, upcr_shared_ptr_t dst, int c, size_t nbytes) {
  check_access(function, dst, 0, nbytes, 0);
  const observe::Span span(observe::Kind::kMemset, {nbytes, observe::kNobody, upcr_threadof_shared(dst)});
  Pending done;
  fill_bytes_nb(decode(dst), c, nbytes, done);
  wait_for(done, "a fill of the memory of a UPC thread", upcr_threadof_shared(dst));
}

UPCRI_API upcr_handle_t upcri_memcpy_nb(const char* function, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                                        size_t nbytes, unsigned how) {
  check_access(function, dst, 0, nbytes, how);
  check_access(function, src, 0, nbytes, how);
  const observe::Span span(observe::Kind::kNbCopy,
                           {nbytes, upcr_threadof_shared(src), upcr_threadof_shared(dst)});
  Operation op(ctx(function), function, how, nbytes);
  copy_bytes_nb(decode(dst), decode(src), nbytes, op.pending());
  return op.finish();
}

UPCRI_API upcr_handle_t upcri_memset_nb(const char* function, upcr_shared_ptr_t dst, int c, size_t nbytes,
                                        unsigned how) {
  check_access(function, dst, 0, nbytes, how);
  const observe::Span span(observe::Kind::kNbSet, {nbytes, observe::kNobody, upcr_threadof_shared(dst)});
  Operation op(ctx(function), function, how, nbytes);
  fill_bytes_nb(decode(dst), c, nbytes, op.pending());
  return op.finish();
}

}  // extern "C"
}  // namespace upcr
