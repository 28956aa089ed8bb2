// SPDX-License-Identifier: BSD-3-Clause
// The shared heaps' interface to the rest of the runtime; the C API is include/upcr/heap.h.
//
// Each thread has a local heap that grows upwards in its segment from behind the runtime area (and the static
// data of compilers that use linker sections); the global heap, one for the job, occupies the same offsets on
// every thread and grows downwards from the segments' end. Metadata is kept out of band: arena.hpp.
#pragma once
#include <cstddef>
#include <cstdint>

#include "upcr/heap/arena.hpp"
#include "upcr/pointer/pointer.hpp"

namespace upcr {

struct Job;
struct ThreadCtx;

// Start-up, in this order. heap_plan: from AttachOptions::plan, when job.segments.bytes is set. heap_attach:
// once per process, from AttachOptions::ready. heap_thread_init: on each UPC thread,
// before upcri_init_heaps() or the function that the client passes as heap_init.
void heap_plan(Job& job);
void heap_attach(Job& job);
void heap_thread_init(ThreadCtx& ctx);
// At the thread's orderly end, before the exit barrier: prints statistics if UPCR_HEAP_STATS=yes.
void heap_thread_exit(ThreadCtx& ctx);

// The calling UPC thread; fatal when the job has no heap.
ThreadCtx& heap_caller(const char* function);

// From the calling thread's local heap. When memory is out, heap_try_alloc returns null and heap_alloc ends
// the job with a message that names `function`.
SharedAddr heap_try_alloc(std::size_t bytes, BlockUse use, const char* function);
SharedAddr heap_alloc(std::size_t bytes, BlockUse use, const char* function);

// The bytes of each thread's part of `nblocks` blocks of `blocksz` bytes, distributed cyclically. Fatal when
// the whole size does not fit in size_t.
std::size_t bytes_per_thread(std::size_t nblocks, std::size_t blocksz, const char* function);
// Memory for such an array: from thread 0's local heap when it is one block, else from the global heap. Never
// null.
SharedAddr heap_alloc_blocked(std::size_t nblocks, std::size_t blocksz, BlockUse use, const char* function);

// Frees what was allocated for `use`; anything else is fatal. The pointer is not null. Returns 0, or for a
// lock that threads wait for the last node in its queue: the lock is closed then but not freed, and the
// caller notifies that node and calls again (lock_alloc.cpp).
std::uint64_t heap_free(upcr_shared_ptr_t pointer, BlockUse use, const char* function);

}  // namespace upcr
