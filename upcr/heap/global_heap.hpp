// SPDX-License-Identifier: BSD-3-Clause
// What of the global heap concerns all threads: it occupies the same offsets of every segment, so extending
// and trimming it moves each thread's water mark. One thread at a time does that (the owner of the extension,
// GlobalHeapHead::extending); others wait only if they want the same. UPC threads; not from a handler.
#pragma once
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

// The offset of `bytes` bytes in the global heap, grown when needed, or 0: out of memory.
std::uint64_t global_allocate(Slot slot, std::uint64_t bytes);

// Adds `plenty` bytes, or else `need`, to the global heap; whole pages. Returns where the heap begins then,
// or 0: there is no room. Does nothing when another thread has added as much while this one waited for its
// turn.
std::uint64_t global_extend(Slot slot, std::uint64_t need, std::uint64_t plenty);

// Gives the room that is free at the global heap's growing edge back to all threads. False: there was none.
// When it returns, no other thread's extension or trimming that had begun before is unfinished.
bool global_trim(Slot slot);

}  // namespace upcr
