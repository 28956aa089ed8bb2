/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory allocation (UPC Runtime specification, "Shared memory allocation"; upc_alloc and its family).
 *
 * Each UPC thread's segment holds a heap of its own, growing upwards, and its part of the job's global heap,
 * growing downwards; each may use all memory that the other leaves (UPCR_HEAP_PARTITION=static splits the
 * segment in two halves instead). Memory is aligned to 64 bytes and not cleared; every returned pointer has
 * phase 0. Bookkeeping is kept outside the segments: a program that writes past its objects does not damage
 * it. Allocating and freeing take constant time.
 *
 * Errors, all fatal, in every build:
 *   - out of memory: the message has the request, the free memory in total and in one piece, the size of the
 *     heap and the variable to raise (UPC_SHARED_HEAP_SIZE)
 *   - nblocks * blocksz does not fit in size_t
 *   - freeing a pointer that is not an allocated object: freed already, not its start, a pointer to a later
 *   thread's
 *     part, no shared heap memory at all. The message has the pointer and describes the memory that it points
 *     to
 *
 * UPC threads only, not from an AM handler. Complete when they return.
 */
#pragma once
#include "upcr/types.h"

UPCRI_BEGIN_C

/* `nbytes` bytes with affinity to the calling thread. Null for 0. */
UPCRI_API upcr_shared_ptr_t upcr_alloc(size_t nbytes);

/* The same for nblocks * blocksz bytes (upc_local_alloc, the older spelling). */
UPCRI_API upcr_shared_ptr_t upcr_local_alloc(size_t nblocks, size_t blocksz);

/*
 * An object laid out as `shared [blocksz] char[nblocks * blocksz]`: block i on thread i % THREADS, so every
 * thread reserves ceil(nblocks / THREADS) * blocksz bytes; one block is on thread 0 alone. The pointer
 * is to thread 0's part; null when either argument is 0.
 *   upcr_global_alloc  the calling thread makes one such object
 *   upcr_all_alloc     collective: all threads make one together and get the same pointer. The arguments
 *                      must be equal everywhere. Not a barrier.
 */
UPCRI_API upcr_shared_ptr_t upcr_global_alloc(size_t nblocks, size_t blocksz);
UPCRI_API upcr_shared_ptr_t upcr_all_alloc(size_t nblocks, size_t blocksz);

/*
 * Frees an object of the functions above; null is ignored.
 *   upcr_free      any one thread
 *   upcr_all_free  collective, with the same pointer everywhere: freed once every thread has called. Not a
 *                  barrier. bupc_all_free is its older name.
 * A lock is freed as by upcr_lock_free(); the debug library warns, once in a process.
 */
UPCRI_API void upcr_free(upcr_shared_ptr_t sptr);
UPCRI_API void upcr_all_free(upcr_shared_ptr_t sptr);
#define bupc_all_free upcr_all_free

/*
 * The use of the heaps (an extension). Fills *info with numbers of one thread's segment, in bytes. The
 * numbers may be outdated on return, since other threads continue to allocate.
 */
struct upcr_heap_info {
    size_t size;          /* of the heap: both parts, and the room between them */
    size_t local_used;    /* allocated from the thread's own heap, rounded up to 64-byte units */
    size_t local_free;    /* available for upcr_alloc() on that thread */
    size_t local_largest; /* the largest such object */
    size_t local_objects; /* allocated objects */
    size_t global_used;   /* the same for upcr_global_alloc() and upcr_all_alloc(), bytes per thread; */
    size_t global_free;   /* free and largest as far as this thread's segment allows */
    size_t global_largest;
    size_t global_objects;
    size_t local_end;    /* offset in the segment of the end of its own heap, */
    size_t global_begin; /* and of the beginning of the global heap */
};
UPCRI_API void upcr_heap_info(upcr_thread_t thread, struct upcr_heap_info *info);

/*
 * A heap_init for start-up code (UPCRL_heap_init, upcr_startup_spawn): makes [start, start + len) of the
 * calling thread's segment its heap. Collective over the UPC threads, with the same offsets on all.
 */
UPCRI_API void upcri_init_heaps(void *start, uintptr_t len);

UPCRI_END_C
