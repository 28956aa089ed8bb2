// SPDX-License-Identifier: BSD-3-Clause
// Explicit handles of non-blocking operations: one pool per UPC thread, used by that thread only (conduits
// complete an operation's Pending on any thread that polls). Handles are never freed: their number is the
// largest that was ever in flight at once.
//
// In debug builds every operation has a handle, even one that is complete at once, which records where it was
// issued. The handle carries a number of 16 bits above the address that changes at every reuse, so that a
// handle which is used twice, or by another thread, differs from the present one of the same address.
#pragma once
#include <cstddef>
#include <cstdint>

#include "include/upcr/nb.h"
#include "upcr/state/thread_ctx.hpp"

// The tag is part of the interface for translated C (struct _upcri_eop *).
struct _upcri_eop {
  upcr::Pending pending;
  std::uint32_t how = 0;            // UPCRI_NB_ bits of the operation
  _upcri_eop* next = nullptr;       // in the list of free ones
  upcr_register_value_t value = 0;  // of a value get
  std::size_t in_flight = 0;        // bytes, for a trace with counters
#if UPCR_DEBUG
  struct Site {
    const char* function = nullptr;
    const char* file = nullptr;
    int line = 0;
  };
  Site issued, synced;  // of the present operation, or of the last one while free
  Site before;          // where the operation before that was issued
  upcr::Slot owner = 0;
  std::uint16_t number = 0;
  bool live = false;
#endif
};

namespace upcr {

using Eop = ::_upcri_eop;

struct EopPool {
  Eop* free = nullptr;
  Eop* region = nullptr;  // the open access region's
  struct Chunk {
    Chunk* next;
    std::size_t count;
    Eop* eops;
  };
  Chunk* chunks = nullptr;
#if UPCR_DEBUG
  std::uint64_t scalars = 0;  // explicit handles of scalar operations that are not synced
  std::uint64_t implicit_puts = 0, implicit_gets = 0;                // not synced: operations,
  std::uint64_t implicit_scalar_puts = 0, implicit_scalar_gets = 0;  // and how many are scalar
  Eop::Site last_implicit;
  Eop* strict = nullptr;  // the strict operation in flight
#endif
};

// The calling thread's pool; allocated at the first use.
EopPool& eop_pool(ThreadCtx& c);
Eop* acquire_eop(ThreadCtx& c, const char* function, unsigned how);
void release_eop(ThreadCtx& c, Eop* eop);
// An operation's handle for the program, and back. Debug: from_handle is fatal unless the handle is of an
// operation of the calling thread that is not synchronised yet.
upcr_handle_t to_handle(Eop* eop);
Eop* from_handle(ThreadCtx& c, const char* function, upcr_handle_t handle);

// A non-blocking operation while it is started: the Pending that it counts in, and the handle that finish()
// returns, null for an implicit one.
class Operation {
 public:
  Operation(ThreadCtx& c, const char* function, unsigned how, std::size_t bytes);
  Pending& pending() noexcept { return *pending_; }
  Eop* eop() noexcept { return eop_; }
  upcr_handle_t finish();

 private:
  void count_in_flight() noexcept;

  ThreadCtx& ctx_;
  const std::size_t bytes_;
  const bool get_;
  Eop* eop_ = nullptr;
  Pending* pending_;
};

// Debug: warns about every operation of this thread that was never synced, with where it was issued. Called
// when the thread's program is over. Release: nothing.
void nb_report_leaks(ThreadCtx& c);

}  // namespace upcr
