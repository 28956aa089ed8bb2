// SPDX-License-Identifier: BSD-3-Clause
// The shared heaps, as the rest of the runtime sees them; the C API is include/upcr/heap.h.
//
// Each thread has a local heap that grows upwards in its segment from behind the runtime's page (and the
// static data of linker-section compilers); the global heap, one for the job, occupies the same offsets on
// every thread and grows downwards from the segments' end. Metadata is kept out of band: arena.hpp.
#pragma once
#include <cstddef>
#include <cstdint>

#include "upcr/heap/arena.hpp"
#include "upcr/pointer/pointer.hpp"

namespace upcr {

struct Job;
struct ThreadCtx;

// Start-up, in this order. heap_plan: where AttachOptions::plan is called, job.segments.bytes being set.
// heap_attach: once per process, after attach_job() and before any UPC thread runs. heap_thread_init: on
// each UPC thread, before upcri_init_heaps() or whatever the client passes as heap_init.
void heap_plan(Job& job);
void heap_attach(Job& job);
void heap_thread_init(ThreadCtx& ctx);
// At the thread's orderly end, before the exit barrier: the line that UPCR_HEAP_STATS=yes asks for.
void heap_thread_exit(ThreadCtx& ctx);

// The calling UPC thread; fatal when the job has no heap.
ThreadCtx& heap_caller(const char* function);

// From the calling thread's local heap. try: null when memory is out; else never null. `function` is named
// when memory is out.
SharedAddr heap_try_alloc(std::size_t bytes, BlockUse use, const char* function);
SharedAddr heap_alloc(std::size_t bytes, BlockUse use, const char* function);

// The bytes that `nblocks` blocks of `blocksz` bytes, dealt to the threads in turn, take on each thread.
// Fatal when the size does not fit in size_t.
std::size_t bytes_per_thread(std::size_t nblocks, std::size_t blocksz, const char* function);
// Memory for such an array: at thread 0 alone when it is one block, else from the global heap. Not null.
SharedAddr heap_alloc_blocked(std::size_t nblocks, std::size_t blocksz, const char* function);

// Frees what was allocated for `use`; anything else is fatal. The pointer is not null. Not 0: a lock that is
// closed now, but not freed, since this is the last node in its queue (see lock_alloc.cpp); to be called
// again.
std::uint64_t heap_free(upcr_shared_ptr_t pointer, BlockUse use, const char* function);

}  // namespace upcr
