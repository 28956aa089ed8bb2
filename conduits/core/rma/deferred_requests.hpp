// SPDX-License-Identifier: BSD-3-Clause
// Deferred requests: work that one process requests of another and that takes messages of its own, which a
// handler must not send. The handler queues the deferred request; a progress hook executes it, outside
// handlers, on whichever thread polls.
//
// No deadlock, no allocation in handlers: a process has at most kMaxPerPeer deferred requests pending at
// each other process (its credits there), and each process has room for that many from all of them, so a
// request always finds room. A process without credit waits for one of its own requests to end, and serves
// its peers, deferred requests included, while it does. A deferred request itself never waits: a message
// without room is tried again, while deferred requests for other processes go on. The message that ends one
// carries the credit back.
//
// The one kind of deferred request so far: a copy from the memory of the process that receives the request to
// memory of a third one.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/model/completion.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr {

struct Job;

inline constexpr std::uint32_t kMaxPerPeer = 16;

// At attach, before the first message: handlers and room.
void attach_deferred_requests(Job& job);

// Starts a copy between the segments of two threads; `from` is not mapped here. The data goes from the
// source's process to the destination's, once. Counts in `done` until it is visible at `to`. May wait while
// kMaxPerPeer copies from that process are under way for this one. Any thread, which is `slot`; not from
// a handler.
void start_third_party_copy(Slot slot, Slot to, std::uint64_t to_offset, Slot from, std::uint64_t from_offset,
                            std::size_t bytes, Pending& done);

}  // namespace upcr
