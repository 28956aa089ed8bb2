// SPDX-License-Identifier: BSD-3-Clause
// The accesses of compiled code in the order that the UPC memory consistency model demands (table 5.3): each
// operation waits for the pending ones that its row names, and for no others. Called by the archives
// upcr/gupc/abi/ for accesses that are not inlined. UPC threads, not in a handler.
//
// Relaxed puts stay pending during later accesses to other memory. Networks may reorder, so an access to the
// same bytes waits for them. A strict put stays pending too: at most one, because every access and every
// synchronisation waits for it.
#include "conduits/core/progress/progress.hpp"
#include "include/upcr/access_rep.h"
#include "upcr/gupc/memory/move.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::gupc {
namespace {

enum Row { kRowRW, kRowRR, kRowSW, kRowSR, kRowSync };
constexpr unsigned kStrict = kStrictWrite | kStrictRead, kAll = kWrites | kReads;

void wait_for_row(ThreadCtx& c, int row, const ByteRange* range) {
  if (c.transfers != nullptr) c.transfers->wait_for_row(upcri_gupc_table[row], range);
}

void wait_to_read(ThreadCtx& c, SharedAddr a, std::size_t bytes, int strict) {
  const ByteRange range = byte_range(a, bytes);
  wait_for_row(c, strict != 0 ? kRowSR : kRowRR, &range);
}
void wait_to_write(ThreadCtx& c, SharedAddr a, std::size_t bytes, int strict) {
  const ByteRange range = byte_range(a, bytes);
  wait_for_row(c, strict != 0 ? kRowSW : kRowRW, &range);
}

unsigned read_access(int strict) { return strict != 0 ? kStrictRead : kRelaxedRead; }
unsigned write_access(int strict) { return strict != 0 ? kStrictWrite : kRelaxedWrite; }
void strict_fence(int strict) {
  if (strict != 0) upcri_fence();
}

SharedAddr at(upcr_gmem_addr_t a) { return {a.thread, a.offset}; }

// An access to mapped memory sends nothing and would not poll; but pending transfers need progress before
// accesses can be inlined again, and a loop that waits for a local variable must serve the threads that will
// set it.
void poll_if_mapped(SharedAddr a) {
  if (mapped(a) != nullptr) (void)job().progress.poll();
}

}  // namespace

extern "C" {

// upc_memget, upc_memput and upc_memcpy have no row: they wait as the accesses that they consist of.
UPCRI_API struct upcri_gupc_checks upcri_gupc_table[UPCRI_GUPC_ROWS] = {
    // anywhere, same place
    {kStrict, kRelaxedWrite | kRelaxedRead | kStrict},  // RW
    {kStrict, kRelaxedWrite | kStrict},                 // RR
    {kAll, kAll},                                       // SW
    {kAll, kAll},                                       // SR
    {kAll, kAll},                                       // upc_fence, on entry
    {kAll, kAll},                                       // upc_notify, on entry
    {kAll, kAll},                                       // upc_wait, on exit
    {kAll, kAll},                                       // upc_lock, on exit
    {kAll, kAll},                                       // upc_lock_attempt, on exit if it succeeds
    {kAll, kAll},                                       // upc_unlock, on entry
};

UPCRI_API void upcri_gupc_get(void* dst, upcr_gmem_addr_t src, size_t bytes, int strict) {
  ThreadCtx& c = ctx("a read of shared memory");
  const SharedAddr from = at(src);
  wait_to_read(c, from, bytes, strict);
  poll_if_mapped(from);
  strict_fence(strict);
  blocking_get(c, dst, from, bytes);
  strict_fence(strict);
}

UPCRI_API void upcri_gupc_start_get(void* dst, upcr_gmem_addr_t src, size_t bytes, int strict) {
  ThreadCtx& c = ctx("a read of shared memory");
  const SharedAddr from = at(src);
  wait_to_read(c, from, bytes, strict);
  strict_fence(strict);
  start_get(c, read_access(strict), dst, from, bytes);
}

UPCRI_API void upcri_gupc_put(upcr_gmem_addr_t dst, const void* src, size_t bytes, int strict) {
  ThreadCtx& c = ctx("a write to shared memory");
  const SharedAddr to = at(dst);
  wait_to_write(c, to, bytes, strict);
  poll_if_mapped(to);
  strict_fence(strict);
  start_put(c, write_access(strict), to, src, bytes);
  strict_fence(strict);
}

UPCRI_API void upcri_gupc_copy(upcr_gmem_addr_t dst, upcr_gmem_addr_t src, size_t bytes, int strict) {
  ThreadCtx& c = ctx("a copy of shared memory");
  wait_to_read(c, at(src), bytes, strict);
  wait_to_write(c, at(dst), bytes, strict);
  poll_if_mapped(at(dst));
  strict_fence(strict);
  start_copy(c, write_access(strict), at(dst), at(src), bytes);
  strict_fence(strict);
}

UPCRI_API void upcri_gupc_set(upcr_gmem_addr_t dst, int value, size_t bytes, int strict) {
  ThreadCtx& c = ctx("a fill of shared memory");
  const SharedAddr to = at(dst);
  wait_to_write(c, to, bytes, strict);
  poll_if_mapped(to);
  strict_fence(strict);
  start_set(c, write_access(strict), to, value, bytes);
  strict_fence(strict);
}

UPCRI_API void upcri_gupc_before_update(upcr_gmem_addr_t object, size_t bytes) {
  wait_to_write(ctx("an atomic operation"), at(object), bytes, 0);  // row RW has all that row RR has
}

UPCRI_API void upcri_gupc_sync(enum upcri_gupc_sync operation) {
  wait_for_row(ctx("a synchronisation"), kRowSync + static_cast<int>(operation), nullptr);
  // As before a strict read: a loop of fences, or of locking and unlocking, may wait for memory of its own.
  if (upcri_window.strict_polls != 0) (void)job().progress.poll();
  upcri_fence();
}

}  // extern "C"

}  // namespace upcr::gupc
