// SPDX-License-Identifier: BSD-3-Clause
// UPC locks: what start-up and the heap call. The C API is include/upcr/lock.h, the protocol is described
// in lock.cpp, and how a lock ends in lock_alloc.cpp.
#pragma once
#include <cstdint>

#include "upcr/pointer/pointer.hpp"

namespace upcr {

struct ThreadCtx;

// On each UPC thread, after heap_thread_init(): prepares the thread's queue nodes.
void lock_thread_init(ThreadCtx& ctx);
// At the thread's end: frees what lock_thread_init() and later growth allocated in private memory.
void lock_thread_exit(ThreadCtx& ctx);

// Frees a lock, whether or not a thread holds it; fatal when the pointer, which is not null, is to no lock. A
// thread that waits for the lock is told, and ends the job: it would wait for ever. `function` is named in
// errors. UPC threads.
void free_lock(upcr_shared_ptr_t lock, const char* function);

// The heap is about to give away a lock's memory: nobody gets the lock any more. Returns the packed address
// of the last node in its queue, which has to be told first; 0: nobody, or the lock was closed before. `lock`
// is mapped here; any thread, also in a handler.
std::uint64_t close_lock(void* lock) noexcept;

}  // namespace upcr
