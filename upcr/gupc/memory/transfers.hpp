// SPDX-License-Identifier: BSD-3-Clause
// The pending transfers of one UPC thread: their ranges of bytes, so that an operation that the memory model
// orders behind some of them waits for exactly those (upcri_gupc_table), and their number in each direction
// (upcr_gmem_gets, upcr_gmem_puts).
//
// A thread has at most kMaxPending pending transfers; one more waits until one is complete. So the start of a
// transfer searches a list of bounded length, and nothing is allocated. Only memory that is not mapped here
// has transfers.
//
// Used by its own thread only, not in a handler; conduits decrement a transfer's Pending on any thread that
// polls. Created at the thread's first transfer: ThreadCtx::transfers is null before that.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "conduits/core/model/completion.hpp"
#include "include/upcr/gupc.h"
#include "upcr/access/data.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr::gupc {

// Bits, as upcri_gupc_access. A transfer has one of them.
constexpr unsigned kRelaxedWrite = UPCRI_GUPC_RW, kRelaxedRead = UPCRI_GUPC_RR;
constexpr unsigned kStrictWrite = UPCRI_GUPC_SW, kStrictRead = UPCRI_GUPC_SR;
constexpr unsigned kWrites = kRelaxedWrite | kStrictWrite, kReads = kRelaxedRead | kStrictRead;

// A range of bytes of one thread's segment.
struct ByteRange {
  Slot thread = 0;
  std::uint64_t begin = 0, end = 0;
  bool overlaps(const ByteRange& o) const noexcept {
    return thread == o.thread && begin < o.end && o.begin < end;
  }
};
inline ByteRange byte_range(SharedAddr a, std::size_t bytes) noexcept {
  return {a.thread, a.offset, a.offset + bytes};
}

struct Transfer {
  Pending pending;
  unsigned access = 0;
  std::uint64_t pieces = 0;  // pieces_in() its bytes
  ByteRange range;
};

class Transfers {
 public:
  static constexpr int kMaxPending = 64;
  explicit Transfers(ThreadCtx& c) : ctx_(c) {}
  // The transfers of the calling thread, created if there are none.
  static Transfers& of(ThreadCtx& c);

  // Waits for the transfers that an operation with this row of the table must follow. `range`: of an access,
  // else null.
  void wait_for_row(const upcri_gupc_checks& row, const ByteRange* range);
  // Waits for all transfers of these kinds.
  void wait_for(unsigned accesses);
  // Adds a pending transfer and returns it. Call wait_for_row() first.
  Transfer& start(unsigned access, const ByteRange& range);
  // Waits for this transfer.
  void finish(Transfer& t);
  // `bytes` of the bounce buffer (at most its size) for the source of the put that is started next.
  char* bounce_buffer(std::size_t bytes);

 private:
  bool conflicts(const upcri_gupc_checks& row, const ByteRange* range) const noexcept;
  void collect() noexcept;
  void end(int index) noexcept;
  void publish_pending() const noexcept;
  unsigned kinds() const noexcept;

  ThreadCtx& ctx_;
  std::uint64_t used_ = 0;  // bits: entries of all_ that were pending at the last collect() or start()
  std::array<Transfer, kMaxPending> all_;
};
static_assert(Transfers::kMaxPending == 64, "used_ has a bit for each");

// The number of pieces that a transfer of `bytes` counts as (gmem.h).
std::uint64_t pieces_in(std::size_t bytes) noexcept;
// Counts a transfer to or from mapped memory, which was complete at once and not in Transfers.
void count_done(const ThreadCtx& c, unsigned access, Slot owner, std::size_t bytes) noexcept;

// Waits for all transfers of the calling thread, at the end of its program. Once a thread.
void transfers_thread_exit(ThreadCtx& c);

}  // namespace upcr::gupc
