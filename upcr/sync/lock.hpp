// SPDX-License-Identifier: BSD-3-Clause
// UPC locks: what start-up calls; what the heap calls is heap/locks.hpp. The C API is include/upcr/lock.h,
// the protocol is described in lock.cpp, and how a lock ends in lock_alloc.cpp.
#pragma once
namespace upcr {

struct ThreadCtx;

// On each UPC thread, after heap_thread_init(): prepares the thread's queue nodes.
void lock_thread_init(ThreadCtx& ctx);
// At the thread's end: frees what lock_thread_init() and later growth allocated in private memory.
void lock_thread_exit(ThreadCtx& ctx);

}  // namespace upcr
