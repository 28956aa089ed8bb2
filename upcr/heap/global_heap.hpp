// SPDX-License-Identifier: BSD-3-Clause
// The parts of the global heap that concern all threads: it occupies the same offsets of every segment, so
// extending and trimming it moves each thread's water mark. One thread at a time does that (the owner of the
// extension, GlobalHeapHead::extending); others wait only if they want the same. UPC threads; not from a
// handler.
#pragma once
#include <cstdint>

#include "conduits/core/model/topology.hpp"
#include "upcr/heap/arena.hpp"

namespace upcr {

// Allocates `bytes` of the global heap for `use`; it is extended where it must be. Returns the offset, or 0:
// out of memory.
std::uint64_t global_allocate(Slot caller, std::uint64_t bytes, BlockUse use);

// Extends the global heap by `preferred` bytes, or else by `needed`; whole pages. Returns where the heap
// begins then, or 0: some segment has no room. Does nothing when another thread has added as much while this
// one waited for the extension.
std::uint64_t global_extend(Slot caller, std::uint64_t needed, std::uint64_t preferred);

// Returns the free pages at the global heap's growing edge to all segments. False: there were none. When it
// returns, no extension or trimming by another thread that had begun before is unfinished.
bool global_trim(Slot caller);

}  // namespace upcr
