/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The run-time interface of MuPC, Michigan Tech's UPC ("MuPC: A Run Time System For Unified Parallel C",
 * CS-TR-02-03; the numbers below are its sections), for C that a UPC front end emits for it, and for C and
 * C++ by hand. `mupcc FILE.c libmupc.a` compiles and links, `mupcrun -n N a.out` runs. Needs nothing of
 * upcr.h, but may be used beside it.
 *
 * Each UPC thread is a process with a communication thread beside it, which serves the other UPC threads
 * while this one computes (3.2). With UPCR_PROGRESS_THREAD=no there is no such thread.
 *
 * UPC threads (the thread that called _UPCRTS_init), between _UPCRTS_init and _UPCRTS_fini, unless stated
 * otherwise. No call returns an error: "UPC Runtime error: ...", with cause and values, ends the job. The
 * following is an error everywhere: a call outside those two; a null pointer-to-shared; a thread that does
 * not exist; bytes outside the shared memory of a thread.
 */
#ifndef UPCRI_MUPC_H
#define UPCRI_MUPC_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * 4.4.1: a pointer-to-shared. Null: all zero. An object that is spread over the threads has the same va on
 * each of them: that is the offset from the beginning of a thread's shared memory.
 */
typedef struct mupc_shared_ptr {
    uint64_t va; /* bytes */
    uint32_t th; /* UPC thread */
    uint32_t ph; /* phase: elements from the beginning of the block */
} mupc_shared_ptr_t;

/* Set by _UPCRTS_init: the number of UPC threads, and the calling one. */
extern int THREADS, MYTHREAD;

/* ---- 4.1, 4.5: start and end ---- */

/*
 * mupcc links with a main() of libmupc.a, which starts the runtime, calls the program's main(), passes the
 * final barrier and ends with the status that main() returned (of several that are not 0 one is the job's). A
 * program that is linked in another way calls _UPCRTS_init first and _UPCRTS_fini last, or links with
 * -Wl,--wrap=main.
 */

/*
 * Joins the job, creates shared memory, starts the communication thread. Collective. Later calls do nothing.
 * Always 0. By one thread of the process, which is its UPC thread from then on; not by two at once: a second
 * one could neither join nor know when the first one has.
 */
int _UPCRTS_init(void);
/*
 * The final barrier (4.6.3). It matches every barrier, notify and wait of other threads, so a thread that
 * ends early delays no other, and returns when all threads are at their ends. Their memory can be read until
 * then. exit(0) and a return from main do the same. Between a notify and its wait it is an error. Collective.
 * Later calls do nothing. 0.
 */
int _UPCRTS_fini(void);
/* 4.6.2: ends all threads at once with this status; their buffered output is written. Any thread. */
void upc_global_exit(int status) __attribute__((__noreturn__));

/* ---- 4.2: gets and puts ---- */

/*
 * Copies `bytes` between private memory and the shared memory that begins at p.
 *
 * Relaxed: a get returns with the data; after a put the source is reusable and the put may be pending; of the
 * accesses of one thread to the same bytes each sees those before it. mupc_get_start also returns at once:
 * the data is there after _UPCRTS_GetAllSync().
 * Strict: complete on return, after all earlier accesses.
 */
void mupc_get(void *to, mupc_shared_ptr_t p, size_t bytes);
void mupc_get_start(void *to, mupc_shared_ptr_t p, size_t bytes);
void mupc_put(mupc_shared_ptr_t p, const void *from, size_t bytes);
void mupc_get_strict(void *to, mupc_shared_ptr_t p, size_t bytes);
void mupc_put_strict(mupc_shared_ptr_t p, const void *from, size_t bytes);

/* 4.3.2: wait until every get, every put, of this thread is complete. */
void _UPCRTS_GetAllSync(void);
void _UPCRTS_PutAllSync(void);

/* ---- 2.3.1: pointers ---- */

/* p + elements, in `shared [block] T *`, T of `bytes` bytes: block elements on each thread in turn; block 0:
 * all on one thread. */
mupc_shared_ptr_t mupc_add(mupc_shared_ptr_t p, ptrdiff_t elements, size_t bytes, size_t block);
/* A pointer-to-shared as a pointer: that of the calling thread only. */
void *mupc_local(mupc_shared_ptr_t p);

/*
 * `shared [BLOCK] T NAME[...]`, outside of functions: defines the pointer NAME to `blocks` blocks of `bytes`
 * bytes each, zero, the first on thread 0, allocated by _UPCRTS_init. Both may be computed from THREADS.
 * Other files declare `extern mupc_shared_ptr_t NAME;`.
 */
#define MUPC_SHARED(NAME, blocks, bytes)                                                           \
    mupc_shared_ptr_t NAME;                                                                        \
    static void NAME##_mupc_make(void) { NAME = mupci_static((size_t)(blocks), (size_t)(bytes)); } \
    static void (*const NAME##_mupc_maker)(void) __attribute__((section("mupc_statics"), used)) =  \
        NAME##_mupc_make
mupc_shared_ptr_t mupci_static(size_t blocks, size_t bytes);

/* ---- 4.3: barriers ---- */

/*
 * A barrier in two halves. upc_wait returns when all threads have notified. Both wait first for the calling
 * thread's own accesses. Errors: two threads that notify different values; a wait for another value than what
 * was notified; a notify after a notify, a wait without one. upc_wait reports both kinds of mismatch, with
 * the values. UPC_barrier is a notify and a wait. (The report spells them in both ways.)
 */
void upc_notify(int value);
void upc_wait(int value);
void UPC_barrier(int value);
#define UPC_notify upc_notify
#define UPC_wait upc_wait
#define upc_barrier UPC_barrier

/* ---- 4.4.1: memory ---- */

/*
 * nblocks blocks of nbytes bytes, block i on thread i % THREADS; not cleared; null when either is 0. A
 * request that is too large is an error that has the size of the heap (mupcrun --shared-heap SIZE).
 *   upc_global_alloc  called by any thread
 *   upc_all_alloc     collective: every thread gets the same pointer
 *   upc_local_alloc   everything on the calling thread
 *   upc_free          frees an object, by any one thread; null is ignored. Errors: static data, a lock, a
 *                     pointer that is no object, or was freed already
 */
mupc_shared_ptr_t upc_global_alloc(size_t nblocks, size_t nbytes);
mupc_shared_ptr_t upc_all_alloc(size_t nblocks, size_t nbytes);
mupc_shared_ptr_t upc_local_alloc(size_t nblocks, size_t nbytes);
void upc_free(mupc_shared_ptr_t p);

/* ---- 4.4.2: locks ---- */

/*
 * A lock is allocated by one of the first two, on thread 0, and initialised by upc_lock_init, by any thread,
 * before its first use; initialising it again returns at once and changes nothing, even if it is held.
 * Threads acquire it in the order of their requests. Errors: using a lock that was not initialised; unlocking
 * a lock that another thread holds; locking one that the caller holds.
 *   upc_global_lock_alloc  called by any thread
 *   upc_all_lock_alloc     collective: every thread gets the same lock
 *   upc_lock_attempt       1: locked; 0: it is held
 *   upc_lock_free          frees a lock (not upc_free); initialised or not; null is ignored
 */
mupc_shared_ptr_t upc_global_lock_alloc(void);
mupc_shared_ptr_t upc_all_lock_alloc(void);
void upc_lock_init(mupc_shared_ptr_t lock);
void upc_lock(mupc_shared_ptr_t lock);
int upc_lock_attempt(mupc_shared_ptr_t lock);
void upc_unlock(mupc_shared_ptr_t lock);
void upc_lock_free(mupc_shared_ptr_t lock);

#ifdef __cplusplus
}
#endif
#endif
