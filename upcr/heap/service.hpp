// SPDX-License-Identifier: BSD-3-Clause
// The heaps where they are managed: a thread's local heap on its host, the global heap on thread 0's. Each
// serve() holds the arena's lock for a few dozen instructions, moves the water mark of one thread and never
// waits, so it may run in a handler. What concerns the water marks of all threads is done by the requester:
// global_heap.hpp. Any thread of a process that has the home's segment mapped; others go by call.hpp.
#pragma once
#include <atomic>
#include <cstdint>

#include "upcr/heap/arena.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {

struct Job;

enum class HeapOp : std::uint32_t {
  kAllocate,  // size: bytes for `use` -> kOk: offset; kFull. With kWithoutGrowing: kGrow
  kExtend,    // bytes, plenty: adds plenty, or else bytes, to the local heap -> kOk: where they begin; kFull
  kRelease,   // offset: frees what was allocated for `use` -> kOk: tail of a lock; kBlock, kInteriorPointer,
              // kNotInHeap
  kTrim,      // gives room at the local heap's end back -> kOk: bytes
  kInfo,      // -> kOk: end, used, peak, largest, objects, edge_free of the local heap
  kDescribe,  // offset -> kOk: use, bytes, 1 if global, of the block that starts there; kNotInHeap: there is
              // none
  kGlobalAllocate,  // size -> kOk: offset; kGrow: the caller is to extend the heap by so many bytes; kBusy;
                    // kFull. With kWithoutGrowing nobody is to extend it, and never kBusy
  kGlobalBegin,     // the caller is to extend the heap -> kOk, kBusy: where the heap begins
  kGlobalExtended,  // added bytes, size: ends that, and allocates (size 0: nothing) -> kOk: offset (where the
                    // heap begins); kFull
  kGlobalTrim,      // -> kOk: bytes that the caller is to give back on every thread; kBusy; kFull: none
  kGlobalTrimmed,   // ends that -> kOk
  kGlobalInfo,      // -> kOk: begin, and as kInfo
  kCount
};

// The second word of kAllocate and kGlobalAllocate: only from what the heap has; how much it lacks is told.
inline constexpr std::uint64_t kWithoutGrowing = 1;

enum class HeapStatus : std::uint32_t {
  kOk,
  kFull,
  kGrow,   // so many bytes are missing; global: extend, then say kGlobalExtended
  kBusy,   // global: another thread is extending or trimming; ask again
  kBlock,  // release: not the start of a block, or not of this use: values are its use, offset, bytes
  kInteriorPointer,  // release: a later thread's part of a global object
  kNotInHeap,        // release: in neither heap; describe: no block
};

struct HeapRequest {
  HeapOp op;
  Slot home;  // the thread whose heap is meant; 0 for the global one
  BlockUse use = BlockUse::kData;
  std::uint64_t a = 0, b = 0;
};

struct HeapReply {
  HeapStatus status = HeapStatus::kOk;
  std::uint64_t values[6] = {};
};

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
void attach_heap_calls(Job& job);

// The arenas, where they are mapped here (see can_serve()).
Arena* local_arena(Slot thread) noexcept;
Arena* global_arena() noexcept;
GlobalHeapHead* global_heap_head() noexcept;

// Is this thread's segment mapped here?
inline bool can_serve(Slot home) noexcept { return job().segments.mapped[home] != 0; }
HeapReply serve(const HeapRequest& request) noexcept;
// Serves it here or has it served there. `slot`: the calling thread. Blocking; not from a handler.
HeapReply heap_call(Slot slot, const HeapRequest& request);

}  // namespace upcr
