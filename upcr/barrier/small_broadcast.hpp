// SPDX-License-Identifier: BSD-3-Clause
// Collectives of one or two words, for the runtime's own use (all_alloc, static data, all_free). They use no
// barrier, so they may be called between upcr_notify() and upcr_wait(), and do not wait for slower threads,
// except for one that is a whole epoch behind the caller. UPC threads, all in the same order; not from a
// handler.
#pragma once
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

struct ThreadCtx;

struct SmallValue {
  std::uint64_t words[2];
};

// Collective: returns the value that `root` passed; `value` of other threads is ignored.
SmallValue small_broadcast(ThreadCtx& ctx, Slot root, SmallValue value);

// Collective: true on exactly one thread, the last one to enter. Does not wait.
bool small_arrive(ThreadCtx& ctx);

// The calling thread makes no more such calls: a thread that waits for it in one gets an error instead of a
// hang. Not collective.
void small_broadcast_end(ThreadCtx& ctx);

}  // namespace upcr
