// SPDX-License-Identifier: BSD-3-Clause
// The heaps where they are managed: a thread's local heap on its host, the global heap on thread 0's. Each
// serve() holds the arena's lock for a few dozen instructions, moves the water mark of one thread and never
// waits, so it may run in a handler. Changes of the water marks of all threads are made by the requester:
// global_heap.hpp. Any thread of a process that has the home's segment mapped; others go by call.hpp.
#pragma once
#include <atomic>
#include <cstdint>

#include "upcr/heap/arena.hpp"
#include "upcr/heap/requests.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {

struct Job;

// The same in every process, set by upcri_init_heaps().
struct HeapLayout {
  std::uint64_t begin = 0, end = 0;                 // offsets in every segment; end 0: there is no heap
  std::uint64_t local_limit = 0, global_limit = 0;  // how far each may grow: end and begin, or the middle
  std::uint64_t step = 0;                           // a heap grows by at least this much where it can
};
extern HeapLayout heap_layout;

// In the control memory of thread 0's host, in front of the global arena.
struct alignas(64) GlobalHeapHead {
  std::atomic<std::uint32_t> extending;  // 1: a thread owns the extension. Changed under the arena's lock
};

// Before the host's memory is created.
void plan_heap_service(Job& job);

// The arenas, where they are mapped here (see can_serve()).
Arena* local_arena(Slot thread) noexcept;
Arena* global_arena() noexcept;
GlobalHeapHead* global_heap_head() noexcept;

// Is this thread's segment mapped here?
inline bool can_serve(Slot home) noexcept { return job().segments.mapped[home] != 0; }

AllocateReply serve(const AllocateLocal& r) noexcept;
AllocateReply serve(const AllocateGlobal& r) noexcept;
ExtendLocal::Reply serve(const ExtendLocal& r) noexcept;
TrimLocal::Reply serve(const TrimLocal& r) noexcept;
BeginExtension::Reply serve(const BeginExtension& r) noexcept;
EndExtension::Reply serve(const EndExtension& r) noexcept;
TrimGlobal::Reply serve(const TrimGlobal& r) noexcept;
ReleaseBlock::Reply serve(const ReleaseBlock& r) noexcept;
FindBlock::Reply serve(const FindBlock& r) noexcept;
MeasureHeap::Reply serve(const MeasureHeap& r) noexcept;

}  // namespace upcr
