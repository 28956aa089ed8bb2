// SPDX-License-Identifier: BSD-3-Clause
// Copies between shared places and fills, blocking and not. Called by the inlined code of bulk.h on UPC
// threads, not in a handler; memget and memput are the gets and puts of nb.cpp and access_remote.cpp.
#include "upcr/bulk.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/rma.hpp"
#include "include/upcr/bulk.h"
#include "upcr/access_check.hpp"
#include "upcr/data.hpp"
#include "upcr/nb.hpp"

namespace upcr {
namespace {

constexpr std::size_t kPieceBytes = 64 << 10;  // of what passes through this process; there are two

char* bounce() {
  EopPool& pool = eop_pool(ctx());
  if (pool.bounce == nullptr) pool.bounce = new char[2 * kPieceBytes];
  return pool.bounce;
}

// Each piece is on its way out while the next one comes in.
void copy_through_here(SharedAddr to, SharedAddr from, std::size_t bytes) {
  char* const buffer = bounce();
  Pending out[2];
  for (std::size_t at = 0, turn = 0; at < bytes; at += kPieceBytes, turn ^= 1) {
    const std::size_t piece = std::min(kPieceBytes, bytes - at);
    char* const half = buffer + turn * kPieceBytes;
    wait_for(out[turn], "a copy between two UPC threads", to.thread);
    get_bytes(half, {from.thread, from.offset + at}, piece);
    put_bytes_nb({to.thread, to.offset + at}, half, piece, out[turn], &out[turn]);
  }
  for (const Pending& p : out) wait_for(p, "a copy between two UPC threads", to.thread);
}

}  // namespace

void copy_bytes_nb(SharedAddr to, SharedAddr from, std::size_t bytes, Pending& done) {
  if (bytes == 0) return;
  if (const void* here = mapped(from))
    put_bytes_nb(to, here, bytes, done, &done);
  else if (void* there = mapped(to))
    get_bytes_nb(there, from, bytes, done);
  else
    copy_through_here(to, from, bytes);
}

void fill_bytes_nb(SharedAddr to, int byte, std::size_t bytes, Pending& done) {
  if (bytes == 0) return;
  if (void* here = mapped(to)) {
    std::memset(here, byte, bytes);
    return;
  }
  char* const pattern = bounce();
  std::memset(pattern, byte, std::min(kPieceBytes, bytes));
  for (std::size_t at = 0; at < bytes; at += kPieceBytes)  // the buffer is used again: the conduit copies it
    put_bytes_nb({to.thread, to.offset + at}, pattern, std::min(kPieceBytes, bytes - at), done, nullptr);
}

}  // namespace upcr

using namespace upcr;

extern "C" {

void upcri_memcpy(const char* function, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes) {
  check_access(function, dst, 0, nbytes, 0);
  check_access(function, src, 0, nbytes, 0);
  Pending done;
  copy_bytes_nb(decode(dst), decode(src), nbytes, done);
  wait_for(done, "a copy between two UPC threads", upcr_threadof_shared(dst));
}

void upcri_memset(const char* function, upcr_shared_ptr_t dst, int c, size_t nbytes) {
  check_access(function, dst, 0, nbytes, 0);
  Pending done;
  fill_bytes_nb(decode(dst), c, nbytes, done);
  wait_for(done, "a fill of the memory of a UPC thread", upcr_threadof_shared(dst));
}

upcr_handle_t upcri_memcpy_nb(const char* function, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                              size_t nbytes, unsigned how) {
  check_access(function, dst, 0, nbytes, how);
  check_access(function, src, 0, nbytes, how);
  Operation op(ctx(function), function, how);
  copy_bytes_nb(decode(dst), decode(src), nbytes, op.pending());
  return op.finish();
}

upcr_handle_t upcri_memset_nb(const char* function, upcr_shared_ptr_t dst, int c, size_t nbytes,
                              unsigned how) {
  check_access(function, dst, 0, nbytes, how);
  Operation op(ctx(function), function, how);
  fill_bytes_nb(decode(dst), c, nbytes, op.pending());
  return op.finish();
}

}  // extern "C"
