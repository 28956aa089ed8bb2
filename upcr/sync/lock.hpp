// SPDX-License-Identifier: BSD-3-Clause
// UPC locks, for start-up; the heap's interface is heap/locks.hpp, the C API include/upcr/lock.h. The
// protocol is described in lock.cpp, the end of a lock in lock_alloc.cpp.
#pragma once
namespace upcr {

struct ThreadCtx;

// On each UPC thread, after heap_thread_init(): prepares the thread's queue nodes.
void lock_thread_init(ThreadCtx& ctx);
// At the thread's end: frees what lock_thread_init() and later growth allocated in private memory.
void lock_thread_exit(ThreadCtx& ctx);

}  // namespace upcr
