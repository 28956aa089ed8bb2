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

// Bytes of one thread's segment.
struct Place {
  Slot thread = 0;
  std::uint64_t begin = 0, end = 0;
  bool overlaps(const Place& o) const noexcept {
    return thread == o.thread && begin < o.end && o.begin < end;
  }
};
inline Place place_of(SharedAddr a, std::size_t bytes) noexcept {
  return {a.thread, a.offset, a.offset + bytes};
}

struct Transfer {
  Pending pending;
  unsigned access = 0;
  std::uint64_t pieces = 0;  // what it counts as
  Place place;
};

class Transfers {
 public:
  static constexpr int kMost = 64;
  explicit Transfers(ThreadCtx& c) : ctx_(c) {}
  // The transfers of the calling thread, created if there are none.
  static Transfers& of(ThreadCtx& c);

  // Waits until the operation may go on, by its row of the table. `place`: of an access, else null.
  void wait_for_row(const upcri_gupc_checks& row, const Place* place);
  // Waits for all transfers of these kinds.
  void wait_for(unsigned accesses);
  // A transfer to count in, which is under way from now on. Wait for one that fits first (wait_for_row).
  Transfer& start(unsigned access, const Place& place);
  // Waits for this one.
  void finish(Transfer& t);
  // `bytes` of the bounce buffer (at most its size) for the source of the put that is started next.
  char* bounce_buffer(std::size_t bytes);

 private:
  bool conflicts(const upcri_gupc_checks& row, const Place* place) const noexcept;
  void collect() noexcept;
  void end(int index) noexcept;
  void tell() const noexcept;
  unsigned kinds() const noexcept;

  ThreadCtx& ctx_;
  std::uint64_t used_ = 0;  // bits: entries of all_ that are under way, or were at the last collect()
  std::array<Transfer, kMost> all_;
};
static_assert(Transfers::kMost == 64, "used_ has a bit for each");

// The number of pieces that a transfer of `bytes` counts as (gmem.h).
std::uint64_t pieces_in(std::size_t bytes) noexcept;
// Counts a transfer to or from mapped memory, which was complete at once and not in Transfers.
void count_done(const ThreadCtx& c, unsigned access, Slot owner, std::size_t bytes) noexcept;

// Waits for all transfers of the calling thread, at the end of its program. Once a thread.
void transfers_thread_exit(ThreadCtx& c);

}  // namespace upcr::gupc
