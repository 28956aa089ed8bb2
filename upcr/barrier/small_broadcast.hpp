// SPDX-License-Identifier: BSD-3-Clause
// Collectives of a word or two, for the runtime's own use (all_alloc, static data, all_free). They use no
// barrier, so they may be called between upcr_notify() and upcr_wait(), and do not wait for a thread that
// comes late, except when the caller is a whole epoch ahead of it. By UPC threads, all in the same order;
// not from a handler.
#pragma once
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

struct ThreadCtx;

struct SmallValue {
  std::uint64_t words[2];
};

// Collective: returns the value that `root` passed; the others' is ignored.
SmallValue small_broadcast(ThreadCtx& ctx, Slot root, SmallValue value);

// Collective: true on exactly one thread, the one that found everybody else had entered. Nobody waits.
bool small_arrive(ThreadCtx& ctx);

// The calling thread makes no more such calls. Whoever waits for it in one gets an error instead of a hang.
// Not collective.
void small_broadcast_end(ThreadCtx& ctx);

}  // namespace upcr
