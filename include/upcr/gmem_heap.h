/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared heaps and the broadcast of a value, with the names of "UPC Runtime Design Utilizing Portals-4"
 * (chapters 11 and 12, sections 15.2.1 and 15.2.2), beside heap.h, whose heaps these are: objects of either
 * are freed by either. Differences from heap.h: without memory the result is null instead of an error, and
 * the heap's growth is a function that the caller passes.
 *
 * A heap's bookkeeping is outside shared memory, kept by thread 0's host for the global heap and by each
 * thread's host for its own. A request is one atomic step there, at most one message each way, so no lock is
 * held across accesses of shared memory. The local heap begins at the low end of a segment and grows
 * upwards, the global one at the high end and grows downwards (the design has them the other way round); how
 * far both reach in a segment is one word of that segment, changed by compare-and-swap. struct
 * upcr_heap_info (heap.h) has both numbers: local_end, global_begin.
 *
 * UPC threads only, not from an AM handler. Complete when they return.
 */
#pragma once
#include "upcr/gmem_lock.h"

UPCRI_BEGIN_C

#ifdef __cplusplus
typedef bool upcri_bool;
#else
typedef _Bool upcri_bool;
#endif

/* The description of an object, which upcr_heap_node() fills. No header is stored in front of objects. */
typedef upcr_shared_ptr_t upcr_heap_node_p;
typedef struct upcr_heap_node_struct {
    upcr_heap_node_p next, prev; /* of a free list, in which no object is: null */
    size_t size;                 /* bytes of the object (on each thread), a multiple of 64 */
    int is_global;               /* 1: from the global heap */
} upcr_heap_node_t;

/* Names a heap. Lies in the second page of a segment, all zero: neither lock nor list is kept there. */
typedef struct upcr_heap_struct {
    upcr_lock_t lock;
    upcr_heap_node_p head;
} upcr_heap_t;
typedef upcr_shared_ptr_t upcr_heap_p;

/* The heaps: the global one, and that of each thread, by its number. Set at start-up, constant afterwards. */
extern UPCRI_API upcr_heap_p upcr_global_heap;
extern UPCRI_API upcr_heap_p *upcr_local_heap;

/*
 * An object of alloc_size bytes, aligned to 64 and not cleared; on each thread that many if it is global
 * (the pointer is to thread 0's part). Phase 0.
 *   heap              upcr_global_heap, or upcr_local_heap[the calling thread]
 *   is_global         true for upcr_global_heap
 *   heap_extend_func  called while the heap has no room for the object, with the number of bytes that it
 *                     lacks: adds memory to the heap and returns where that begins, or null if it cannot.
 *                     upcr_heap_global_extend, upcr_heap_local_extend, or what calls them; a null function
 *                     adds nothing
 * Null: alloc_size is 0, or the heap has no room and cannot grow; nothing has changed then.
 * Fatal: a heap of another thread, or one that does not match is_global.
 */
UPCRI_API upcr_shared_ptr_t upcr_heap_alloc(upcr_heap_p heap, upcri_bool is_global,
                                            upcr_shared_ptr_t (*heap_extend_func)(size_t nbytes),
                                            size_t alloc_size);

/* Frees an object of any thread, in the heap that it is from. Null is ignored, else as upcr_free(). */
UPCRI_API void upcr_heap_free(upcr_shared_ptr_t ptr);

/*
 * Adds at least nbytes bytes to the global heap (on every thread), or to the calling thread's own: 4 MiB or
 * a multiple, less (whole pages) when there is no more. Returns the beginning of the new memory, or null when
 * there is not so much. Free memory at the edge of the other heap is used, too. When another thread
 * has added as much while this call waited, nothing more is added.
 */
UPCRI_API upcr_shared_ptr_t upcr_heap_global_extend(size_t nbytes);
UPCRI_API upcr_shared_ptr_t upcr_heap_local_extend(size_t nbytes);

/* Fills *node for the object that begins at ptr, on whatever thread, and returns 1; 0 if there is no object.
 * */
UPCRI_API int upcr_heap_node(upcr_shared_ptr_t ptr, upcr_heap_node_t *node);

/*
 * Collective: thread 0 calls put, all others get, with the same nbytes: the nbytes bytes at thread 0's
 * `value` are copied to that of all others. No barrier: put waits only for threads that are several such
 * calls (or other collective allocations) behind, get for thread 0.
 * Fatal: put on another thread, get on thread 0; in debug, nbytes that differ.
 */
UPCRI_API void upcr_broadcast_put(void *value, size_t nbytes);
UPCRI_API void upcr_broadcast_get(void *value, size_t nbytes);

UPCRI_END_C
