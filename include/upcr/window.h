/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables that inlined accesses read: the addresses of mapped shared memory, and the number of the
 * calling thread. Written once at start-up, read-only afterwards. Nothing here is for users.
 *
 * Packed layout: pointer - first < span decides whether it is mapped here, and is the distance from base. The
 * thread ids of a host are consecutive, and each has a slot of 2^UPCRI_ADDR_BITS bytes. Where no addresses
 * could be reserved (ulimit -v) span is 0, and all accesses use the out-of-line path, which has a table.
 * Struct layout: a table of base addresses by thread; 0 where not mapped.
 *
 * upcri_window is the address reservation of docs/reference/glossary.md. Compiled programs contain the name, so it
 * stays.
 */
#pragma once
#include "upcr/types.h"

/*
 * UPCRI_STARTED (upc2c.h): C that runs after start-up only, such as the output of upc2c. The variables are
 * constant for it, so compilers keep MYTHREAD, THREADS and addresses in registers across stores and calls,
 * and out of loops.
 */
#ifdef UPCRI_STARTED
#define UPCRI_SET_BY_START_UP const
#else
#define UPCRI_SET_BY_START_UP
#endif

UPCRI_BEGIN_C

struct upcri_window {
    uint64_t first;         /* packed: pointer to offset 0 of the first mapped thread */
    uint64_t span;          /* packed: bytes of pointer space that are mapped */
    uintptr_t base;         /* address of `first` */
    const uintptr_t *bases; /* by thread: address of its segment here, or 0 */
    /* The rest is set-up for sptr.h. */
    upcr_thread_t threads;  /* THREADS */
    uint32_t threads_shift; /* division by THREADS: see upcri_rounds() */
    uint64_t threads_magic;
    uint64_t segment_bytes; /* of each thread's segment */
    int strict_polls;       /* a network conduit is active: strict gets poll */
    int pad;
} __attribute__((aligned(64)));

extern UPCRI_API UPCRI_SET_BY_START_UP struct upcri_window upcri_window;

/*
 * Packed layout: first and span again, for accesses, in an object that is declared constant: so compilers
 * keep both in registers across stores and calls, and a loop of accesses loads neither. Start-up writes it
 * once nevertheless. A function that calls start-up and then accesses shared memory may therefore see the
 * earlier values of one or both. Each alone means that nothing is mapped (a span of 0, or a first
 * above every pointer without a phase), which makes an access use the out-of-line path: correct at any time.
 * No value of the base has this property, so the base stays in upcri_window.
 */
struct upcri_reach {
    uint64_t first, span;
};
extern UPCRI_API const struct upcri_reach upcri_reach;

/* THREADS. A constant in a program compiled for a fixed number (upcc -T), which start-up holds it to. */
#if defined(__UPC_STATIC_THREADS__) && defined(THREADS)
#define UPCRI_STATIC_THREADS 1
#define UPCRI_THREADS ((upcr_thread_t)(THREADS))
#else
#define UPCRI_THREADS (upcri_window.threads)
#endif

/* The calling UPC thread: 0-based number and index in its process. One UPC thread is one process or one
 * pthread; the library works for both. */
extern UPCRI_API UPCRI_THREAD_LOCAL UPCRI_SET_BY_START_UP upcr_thread_t upcri_mythread_
    __attribute__((tls_model("initial-exec")));
extern UPCRI_API UPCRI_THREAD_LOCAL UPCRI_SET_BY_START_UP int upcri_mypthread_
    __attribute__((tls_model("initial-exec")));

UPCRI_END_C
