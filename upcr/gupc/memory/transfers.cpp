// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/gupc/memory/transfers.hpp"

#include <sys/mman.h>

#include <bit>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/state/runtime.hpp"

extern "C" {

// The state of gmem.h and gupc.h. Each UPC thread has its own.
__attribute__((section(".tdata"))) __thread upcr_thread_t upcr_my_thread = 0;  // as upcri_mythread_
__thread upcr_gmem_xfer_info_t upcr_gmem_gets = {}, upcr_gmem_puts = {};
__thread int upcr_pending_strict_put = 0, upcri_gupc_pending = 0;
__thread unsigned upcri_gupc_gets = 0;
__thread upcr_gmem_put_bounce_buffer_t* upcri_gmem_put_bounce_buffer = nullptr;
__thread size_t upcr_gmem_num_put_bounce_buffer_bytes_used = 0;

size_t upcri_gmem_piece = UPCR_GMEM_MAX_PORTALS_PUT_SIZE;
static_assert(UPCR_GMEM_MAX_PORTALS_PUT_SIZE == UPCR_GMEM_MAX_PORTALS_GET_SIZE);

}  // extern "C"

namespace upcr::gupc {
namespace {

upcr_gmem_xfer_info_t& counts_of(unsigned access) noexcept {
  return (access & kWrites) != 0 ? upcr_gmem_puts : upcr_gmem_gets;
}

void map_bounce_buffer() {
  void* const memory = mmap(nullptr, sizeof(upcr_gmem_put_bounce_buffer_t), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    fatal_errno("no memory for the %zu bytes that hold the sources of puts",
                sizeof(upcr_gmem_put_bounce_buffer_t));
  upcri_gmem_put_bounce_buffer = static_cast<upcr_gmem_put_bounce_buffer_t*>(memory);
}

}  // namespace

Transfers& Transfers::of(ThreadCtx& c) {
  if (c.transfers == nullptr) c.transfers = new Transfers(c);
  return *c.transfers;
}

unsigned Transfers::kinds() const noexcept {
  unsigned all = 0;
  for (std::uint64_t left = used_; left != 0; left &= left - 1)
    all |= all_[static_cast<std::size_t>(std::countr_zero(left))].access;
  return all;
}

void Transfers::publish_pending() const noexcept {
  upcri_gupc_pending = static_cast<int>(kinds());
  upcr_pending_strict_put = (kinds() & kStrictWrite) != 0;
}

void Transfers::end(int index) noexcept {
  const Transfer& t = all_[static_cast<std::size_t>(index)];
  upcr_gmem_xfer_info_t& counts = counts_of(t.access);
  counts.num_pending -= t.pieces;
  counts.num_completed += t.pieces;
  used_ &= ~(std::uint64_t{1} << index);
}

// Drops what is complete.
void Transfers::collect() noexcept {
  const std::uint64_t before = used_;
  for (std::uint64_t left = used_; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    if (all_[static_cast<std::size_t>(i)].pending.done()) end(i);
  }
  if (used_ != before) publish_pending();
}

bool Transfers::conflicts(const upcri_gupc_checks& row, const ByteRange* range) const noexcept {
  for (std::uint64_t left = used_; left != 0; left &= left - 1) {
    const Transfer& t = all_[static_cast<std::size_t>(std::countr_zero(left))];
    if ((t.access & row.anywhere) != 0) return true;
    if ((t.access & row.same_place) != 0 && range != nullptr && t.range.overlaps(*range)) return true;
  }
  return false;
}

void Transfers::wait_for_row(const upcri_gupc_checks& row, const ByteRange* range) {
  if (used_ == 0) return;
  job().progress.wait_until(ctx_.thread, {"accesses of this UPC thread that come before this one"}, [&] {
    collect();
    return !conflicts(row, range);
  });
}

void Transfers::wait_for(unsigned accesses) {
  wait_for_row({static_cast<unsigned char>(accesses), 0}, nullptr);
  if ((accesses & kWrites) == kWrites) upcr_gmem_num_put_bounce_buffer_bytes_used = 0;
}

Transfer& Transfers::start(unsigned access, const ByteRange& range) {
  if (used_ == ~std::uint64_t{0})
    job().progress.wait_until(ctx_.thread, {"one of many transfers to memory that is not mapped here"}, [&] {
      collect();
      return used_ != ~std::uint64_t{0};
    });
  const int i = std::countr_one(used_);
  Transfer& t = all_[static_cast<std::size_t>(i)];
  t.access = access;
  t.range = range;
  t.pieces = pieces_in(range.end - range.begin);
  counts_of(access).num_pending += t.pieces;
  used_ |= std::uint64_t{1} << i;
  upcri_gupc_pending |= static_cast<int>(access);
  if (access == kStrictWrite) upcr_pending_strict_put = 1;
  return t;
}

void Transfers::finish(Transfer& t) {
  job().progress.wait_until(ctx_.thread, {"a transfer of more bytes than are copied", t.range.thread},
                            [&] { return t.pending.done(); });
  collect();
}

char* Transfers::bounce_buffer(std::size_t bytes) {
  if (upcri_gmem_put_bounce_buffer == nullptr) map_bounce_buffer();
  size_t& used = upcr_gmem_num_put_bounce_buffer_bytes_used;
  collect();
  if ((kinds() & kWrites) == 0) used = 0;
  if (bytes > UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE - used) wait_for(kWrites);
  char* const room = *upcri_gmem_put_bounce_buffer + used;
  used += bytes;
  return room;
}

std::uint64_t pieces_in(std::size_t bytes) noexcept {
  return bytes / upcri_gmem_piece + (bytes % upcri_gmem_piece != 0);
}

void count_done(const ThreadCtx& c, unsigned access, Slot owner, std::size_t bytes) noexcept {
  if (owner != c.thread) counts_of(access).num_completed += pieces_in(bytes);
}

void transfers_thread_exit(ThreadCtx& c) {
  if (c.transfers == nullptr) return;
  c.transfers->wait_for(kReads | kWrites);
  delete c.transfers;
  c.transfers = nullptr;
  if (upcri_gmem_put_bounce_buffer != nullptr)
    munmap(upcri_gmem_put_bounce_buffer, sizeof *upcri_gmem_put_bounce_buffer);
  upcri_gmem_put_bounce_buffer = nullptr;
}

}  // namespace upcr::gupc
