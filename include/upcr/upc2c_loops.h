/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops that upc2c transforms: which of their iterations a thread has, and whether an access that goes through
 * an array in equal steps may be done through a private pointer. Included by upc2c.h. UPC threads.
 *
 * A loop has iterations 0 ... trips - 1. Those of a thread are one chunk, or for arrays in blocks several, which
 * are run in their order:
 *
 *   upc2c_chunks_t c = upcri_owned_...(trips, ...);
 *   while (upcri_next_chunk(&c))
 *       for (j = 0; j < c.count; j++) iteration c.first + j * c.step
 *
 * Functions that are called once for a loop or for a stretch of it are in the library: inlined they would
 * cost the C compiler more than the loop.
 */
#pragma once
#include "upcr/access_rep.h"
#include "upcr/upc2c_later.h"

UPCRI_BEGIN_C

/* ---- The number of iterations ---- */

/* for (i = from; i < to; i += step), with step > 0; i <= to; i != to with step 1. For loops that go down the
 * bound is `from`. */
UPCRI_STATIC int64_t upc2c_trips(int64_t from, int64_t to, int64_t step) {
    const uint64_t distance = (uint64_t)to - (uint64_t)from;
    return from < to ? (int64_t)((distance - 1) / (uint64_t)step + 1) : 0;
}
UPCRI_STATIC int64_t upc2c_trips_closed(int64_t from, int64_t to, int64_t step) {
    const uint64_t distance = (uint64_t)to - (uint64_t)from;
    return from <= to ? (int64_t)(distance / (uint64_t)step + 1) : 0;
}
UPCRI_STATIC int64_t upc2c_trips_until(int64_t from, int64_t to) {
    return from <= to ? (int64_t)((uint64_t)to - (uint64_t)from)
                      : INT64_MAX; /* until the body ends the job */
}
UPCRI_STATIC int64_t upc2c_trips_unsigned(uint64_t from, uint64_t to) {
    const uint64_t distance = from < to ? to - from : 0;
    return distance > INT64_MAX ? INT64_MAX : (int64_t)distance;
}

/* ---- Chunks of iterations ---- */

typedef struct upc2c_chunks {
    int64_t first, step, count; /* the chunk: iterations first, first + step ... */
    int64_t trips;
    /* Blocked arrays: iteration k is at position k * stride. The next block of this thread is `block`
     * positions from `at` on; the one after it is `round` further. block 0: there is one chunk, which is
     * still to come while round is 1. */
    int64_t stride, at, block, round;
} upc2c_chunks_t;

UPCRI_STATIC upc2c_chunks_t upc2c_one_chunk(int64_t first, int64_t step, int64_t count) {
    upc2c_chunks_t chunks = {0, 0, 0, 0, 0, 0, 0, 1};
    chunks.first = first;
    chunks.step = step;
    chunks.count = count;
    return chunks;
}
/* All iterations, or none. */
UPCRI_STATIC upc2c_chunks_t upc2c_owned_if(int mine, int64_t trips) {
    return upc2c_one_chunk(0, 1, mine ? trips : 0);
}

/* The thread of an integer affinity: it modulo THREADS, never negative. */
UPCRI_STATIC upcr_thread_t upc2c_owner(int64_t affinity) {
    const int64_t threads = UPCRI_THREADS, rest = affinity % threads;
    return (upcr_thread_t)(rest < 0 ? rest + threads : rest);
}
UPCRI_STATIC upcr_thread_t upc2c_owner_unsigned(uint64_t affinity) {
    return (upcr_thread_t)(affinity % UPCRI_THREADS);
}

/* Iteration k is the thread's number `first` and k * stride, modulo THREADS: one chunk. `all`: every iteration
 * is the calling thread's. */
UPCRI_API upc2c_chunks_t upcri_owned_cyclic(int all, int64_t trips, upcr_thread_t first, int64_t stride);
/* Iteration k has the element k * stride further than `first`, of an array in blocks. `all`: as above. */
UPCRI_API upc2c_chunks_t upcri_owned_blocks(int all, int64_t trips, upcr_shared_ptr_t first, int64_t stride,
                                            int64_t block);
/* Blocks only: the next chunk is in *c; zero: there is none. */
UPCRI_API int upcri_next_chunk(upc2c_chunks_t *c);

/* upcr_add_pshared1() and upcr_add_shared(). */
UPCRI_API upcr_pshared_ptr_t upcri_moved_cyclic(upcr_pshared_ptr_t p, size_t elemsz, ptrdiff_t inc);
UPCRI_API upcr_shared_ptr_t upcri_moved_blocks(upcr_shared_ptr_t p, size_t elemsz, ptrdiff_t inc,
                                               size_t block);

/* ---- Runs: elements at equal distances in the memory of one thread ----
 *
 *   static const upc2c_run_kind_t kinds[n] = {...};
 *   upc2c_run_t runs[n];
 *   if (trips > 0) {
 *       runs[...] = the places of iteration 0
 *       upc2c_stretch_t s = {.chunks = 0 or &c, .trips = trips, .single = 0};
 *       do {
 *           if (upcri_private_runs(&s, kinds, runs, n))
 *               s.count iterations from s.first on that access runs[...].local
 *           else
 *               s.count iterations from s.first on as written
 *       } while (s.more);
 *   }
 *
 * Iteration k of the loop accesses `size` bytes at `offset` in the element that is k * stride elements of the
 * array behind `first`. Of several elements of 1 to 8 bytes it accesses the first and the last one. Runs of one
 * thread at most 128 bytes from each other are as far from each other in private memory.
 */
#define UPC2C_RUN_READ 1    /* its elements may be read */
#define UPC2C_RUN_WRITTEN 2 /* they may be written */
#define UPC2C_RUN_COPIED \
    4 /* every iteration accesses its element, and writes it if one does; and the loop
                             * does nothing that copies before and after it would not be in order with */
typedef struct upc2c_run_kind {
    uint32_t elemsz, block; /* bytes, elements; block 0: the indefinite one */
    uint32_t size, how;     /* 1 to 16 bytes, or several elements; UPC2C_RUN_ bits */
} upc2c_run_kind_t;
typedef struct upc2c_run {
    upcr_shared_ptr_t first; /* without a phase for blocks of 0 and 1 elements */
    ptrdiff_t offset;
    int64_t stride; /* 0: one element, which every iteration accesses */
    /* Set by upcri_private_runs(), which moves `first` and `offset` to the stretch: the object of its first
     * iteration, and bytes to the next one's. */
    void *local;
    int64_t distance;
} upc2c_run_t;
typedef struct upc2c_stretch {
    upc2c_chunks_t *chunks; /* which iterations are the thread's; null: all */
    int64_t trips;          /* iterations of the loop */
    int single;             /* non-zero: only one iteration at a time */
    /* The rest is 0 at first, and set by upcri_private_runs(). */
    int more;                   /* it must be called again */
    int64_t first, step, count; /* the stretch: iterations first, first + step ... */
    int64_t left;               /* iterations of the chunk from `first` on */
    int copied;                 /* there are runs to write back */
} upc2c_stretch_t;

/*
 * Goes on to the next stretch; s->count is 0 if there is none. Non-zero: the objects of its iterations are, or
 * are copied to, private memory, iteration by iteration `stride` elements apart in the memory of their thread.
 * Zero, if not all runs are UPC2C_RUN_COPIED: they are not. Copies are made of runs that are not mapped in this
 * process: they are fetched before this returns, and written back by the next call, for which s->more asks. An
 * object that the program does not read is never fetched from outside a run that it does, and no byte is
 * written that the program does not write.
 */
UPCRI_API int upcri_private_runs(upc2c_stretch_t *s, const upc2c_run_kind_t *kinds, upc2c_run_t *runs,
                                 size_t n);

/* ---- Elements at any place of an array that is mapped as a whole ----
 *
 *   const upc2c_array_t a = upcri_find_array(first, elemsz, block);
 *   if (a.mapped) ... *(T *)upc2c_element(&a, index, elemsz, block)
 *
 * Element `index`, which may be negative, counts from the one at `first`. Mapped are arrays of indefinite block
 * size (block 0) on a thread that is, and others if all threads are and their number is a power of two: then
 * shifts find an element.
 */
typedef struct upc2c_array {
    uintptr_t start;  /* the local address of the block that `first` is in, were it thread 0's; struct layout:
                      * without that thread's base */
    int64_t position; /* of `first`, from the beginning of thread 0's block of that round on */
    uint32_t shift, mask; /* THREADS is 1 << shift */
    int mapped;
} upc2c_array_t;
UPCRI_API upc2c_array_t upcri_find_array(upcr_shared_ptr_t first, size_t elemsz, size_t block);
UPCRI_STATIC uintptr_t upc2c_element(const upc2c_array_t *a, int64_t index, size_t elemsz, int64_t block) {
    const int64_t position = a->position + index, size = (int64_t)elemsz;
    if (block == 0) return a->start + (uintptr_t)(index * size);
    {
        const int64_t blocks = upcri_floor_div(position, block), phase = position - blocks * block,
                      rounds = blocks >> a->shift;
        const uintptr_t start = a->start + (uintptr_t)((rounds * block + phase) * size);
#ifdef UPCRI_POINTER_packed
        return start + ((uintptr_t)(blocks & a->mask) << UPCRI_ADDR_BITS);
#else
        return start + upcri_window.bases[blocks & a->mask];
#endif
    }
}

/* ---- Elements at any place of a cyclic array (block size 1) ----
 *
 *   uintptr_t starts[upc2c_starts()];
 *   const upc2c_cyclic_t a = upcri_find_cyclic(first, elemsz, starts);
 *   if (a.mapped) ... *(T *)upc2c_cyclic_element(&a, index, elemsz)
 *
 * Like the above, with a table of where the elements of each thread begin, counted from the thread of `first`:
 * an element takes as many instructions as through a program's own table of plain pointers. Up to 1024 threads.
 */
#define UPC2C_MAX_STARTS 1024
typedef struct upc2c_cyclic {
    const uintptr_t *starts;
    uint32_t shift, mask; /* THREADS is 1 << shift */
    int mapped;
} upc2c_cyclic_t;
UPCRI_STATIC size_t upc2c_starts(void) {
    return UPCRI_THREADS <= UPC2C_MAX_STARTS ? UPCRI_THREADS : UPC2C_MAX_STARTS;
}
UPCRI_API upc2c_cyclic_t upcri_find_cyclic(upcr_shared_ptr_t first, size_t elemsz, uintptr_t *starts);
UPCRI_STATIC uintptr_t upc2c_cyclic_element(const upc2c_cyclic_t *a, int64_t index, size_t elemsz) {
    return a->starts[index & a->mask] + (uintptr_t)((index >> a->shift) * (int64_t)elemsz);
}

/* ---- Objects anywhere ----
 *
 * Where all threads are mapped, an access in a loop need not test its address: a null pointer leads to memory
 * that is not mapped, and so does one outside of the threads' segments.
 */
UPCRI_STATIC int upc2c_all_mapped(void) {
#if UPCR_DEBUG
    return 0; /* each access is checked */
#elif defined(UPCRI_POINTER_packed)
    return !upcri_window.strict_polls && upcri_reach.span != 0;
#else
    return !upcri_window.strict_polls;
#endif
}
UPCRI_STATIC uintptr_t upc2c_mapped_pshared(upcr_pshared_ptr_t p, ptrdiff_t offset) {
#ifdef UPCRI_POINTER_packed
    return upcri_window.base + p + (uintptr_t)offset;
#else
    return upcri_window.bases[p.s_thread] + p.s_addr + (uintptr_t)offset;
#endif
}
UPCRI_STATIC uintptr_t upc2c_mapped_shared(upcr_shared_ptr_t p, ptrdiff_t offset) {
#ifdef UPCRI_POINTER_packed
    return upcri_window.base + upcri_drop_phase(p) + (uintptr_t)offset;
#else
    return upcri_window.bases[p.s_thread] + p.s_addr + (uintptr_t)offset;
#endif
}

UPCRI_END_C

/* Before a loop of which no iteration accesses memory that another one writes: the C compiler need not compare
 * addresses before it makes vectors of it. */
#if defined(__GNUC__) && !defined(__clang__)
#define UPC2C_INDEPENDENT _Pragma("GCC ivdep")
#else
#define UPC2C_INDEPENDENT
#endif

/* The value of a number or a pointer of type T at a local address, read once: it may decide what is done. */
#define UPC2C_LOAD(T, address)                                                \
    __extension__({                                                           \
        T upc2c_loaded;                                                       \
        __atomic_load((const T *)(address), &upc2c_loaded, __ATOMIC_RELAXED); \
        upc2c_loaded;                                                         \
    })
/* The same for larger objects, which are not read at once. */
#define UPC2C_COPY(T, address)                                         \
    __extension__({                                                    \
        T upc2c_copied;                                                \
        upcri_compiler_fence();                                        \
        upcri_copy(&upc2c_copied, (const void *)(address), sizeof(T)); \
        upc2c_copied;                                                  \
    })
