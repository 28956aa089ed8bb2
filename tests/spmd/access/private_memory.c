/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Large puts and gets from and to private memory of every kind, whose pages are unmapped and replaced at the
 * same address in every way that a program has. The memory's present contents must arrive: a network with a
 * registration cache must notice the change. Each thread uses the next thread's memory, and checks through
 * its own.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/spmd/spmd.h"

enum { kBytes = 48 << 10, kOff = 40 }; /* of a transfer; and its offset in the memory */
static size_t page, room;              /* of a mapping: kOff + kBytes in whole pages */

static atomic_uint threads_here; /* UPC threads of this process */
static __thread upcr_shared_ptr_t
    all; /* of each thread: the part that the previous thread uses, and one of its own */
static __thread upcr_shared_ptr_t there; /* of the next thread */
static __thread char *here;              /* of this thread */
static __thread uint64_t seed;           /* of the next data */

static void fill(char *p) {
    uint64_t state = ++seed;
    for (size_t i = 0; i < kBytes; i += 8) {
        const uint64_t word = spmd_random(&state);
        memcpy(p + i, &word, 8);
    }
}
/* `p` holds data number `of` of fill(). */
static void check(const char *p, uint64_t of, const char *kind, const char *what) {
    uint64_t state = of;
    for (size_t i = 0; i < kBytes; i += 8) {
        const uint64_t want = spmd_random(&state);
        uint64_t got;
        memcpy(&got, p + i, 8);
        if (got != want)
            SPMD_FAIL("%s, %s: byte %zu is %#llx and not %#llx", kind, what, i, (unsigned long long)got,
                      (unsigned long long)want);
    }
}
/* The memory at p is put to the next thread as it is. */
static void put_as_is(const char *p, uint64_t of, const char *kind) {
    upcr_memput(there, p, kBytes);
    upcr_memget(here, there, kBytes); /* into memory that every network has registered */
    check(here, of, kind, "put");
}
static void put(char *p, const char *kind) {
    fill(p);
    put_as_is(p, seed, kind);
}
static void get(char *p, const char *kind) {
    fill(here);
    upcr_memput(there, here, kBytes);
    upcr_memget(p, there, kBytes);
    check(p, seed, kind, "get");
}
static void both(char *p, const char *kind) {
    put(p, kind);
    get(p, kind);
    put(p, kind);
}

static char *map_at(void *at, size_t bytes) {
    char *p = mmap(at, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | (at != NULL ? MAP_FIXED : 0), -1, 0);
    if (p == MAP_FAILED) SPMD_FAIL("mmap: %s", strerror(errno));
    return p;
}

/* ---- One kind of memory each; called several times. */

static void from_heap(void) { /* the address is reused, from the heap or as a mapping of its own */
    for (int i = 0; i < 3; ++i) {
        char *p = malloc(room), *q = malloc(room);
        both(p + kOff, "malloc");
        free(p);
        both(q + kOff, "malloc");
        free(q);
        malloc_trim(0);
    }
}
static void unmapped(void) {
    char *p = map_at(NULL, room);
    both(p + kOff, "mmap");
    munmap(p, room);
    SPMD_CHECK(map_at(p, room) == p);
    both(p + kOff, "munmap and mmap at the same address");
    map_at(p, room);
    both(p + kOff, "mmap over it");
    map_at(p + page, page); /* one page of many */
    both(p + kOff, "mmap over one page");
    munmap(p, room);
}
/* The system call: UCX, below MPICH, replaces mremap by a function that loses the fifth argument. Hooks in the C
 * library see only calls of its functions. */
static char *move_to(char *from, char *to) {
    const char *watch = getenv("UPCR_IBV_WATCH");
    if (watch != NULL && strcmp(watch, "hooks") == 0)
        return mremap(from, room, room, MREMAP_MAYMOVE | MREMAP_FIXED, to);
    return (char *)syscall(SYS_mremap, from, room, room, MREMAP_MAYMOVE | MREMAP_FIXED, to);
}
static void moved(void) {
    char *a = map_at(NULL, 3 * room), *b = a + room, *c = b + room;
    both(a + kOff, "before mremap");
    both(b + kOff, "before mremap");
    fill(b + kOff);
    const uint64_t of_b = seed;
    SPMD_CHECK(move_to(a, c) == c);
    SPMD_CHECK(move_to(b, a) == a);
    put_as_is(a + kOff, of_b, "mremap to where others were");
    both(a + kOff, "mremap to where others were");
    both(c + kOff, "mremap to an address that is not registered");
    munmap(a, 3 * room);
}
static void grown(void) {
    char *p = map_at(NULL, 4 * room);
    munmap(p + room, 3 * room);
    both(p + kOff, "before it grows");
    p = mremap(p, room, 2 * room, MREMAP_MAYMOVE);
    if (p == MAP_FAILED) SPMD_FAIL("mremap of memory that was transferred: %s", strerror(errno));
    both(p + kOff, "grown, first part");
    both(p + room + kOff, "grown, second part");
    p = mremap(p, 2 * room, room, 0);
    SPMD_CHECK(p != MAP_FAILED);
    p = mremap(p, room, 2 * room, MREMAP_MAYMOVE);
    SPMD_CHECK(p != MAP_FAILED);
    both(p + room + kOff, "cut off and grown again");
    munmap(p, 2 * room);
    p = malloc(room);
    both(p + kOff, "before realloc");
    fill(p + kOff);
    p = realloc(p, 2 * room);
    put_as_is(p + kOff, seed, "realloc");
    both(p + room, "realloc, second part");
    free(p);
}
static void discarded(void) {
    char *p = map_at(NULL, room);
    both(p + kOff, "before madvise");
    madvise(p, room, MADV_DONTNEED);
    upcr_memput(there, p + kOff, kBytes);
    memset(here, 1, kBytes);
    upcr_memget(here, there, kBytes);
    for (size_t i = 0; i < kBytes; ++i)
        if (here[i] != 0) SPMD_FAIL("discarded memory: byte %zu is %d", i, here[i]);
    both(p + kOff, "madvise");
    madvise(p + 2 * page, page, MADV_DONTNEED);
    both(p + kOff, "madvise of one page");
    munmap(p, room);
}
static void at_the_break(void) {
    if (atomic_load(&threads_here) > 1) return; /* other threads allocate */
    /* Allocations by other threads must fit below: a heap with a hole. */
    free(malloc(4 * room));
    char *const was = sbrk(0);
    for (int i = 0; i < 2; ++i) {
        char *p = sbrk((intptr_t)(room + page));
        SPMD_CHECK(p != (void *)-1);
        both(p + kOff, "sbrk");
        if (sbrk(0) != p + room + page) return; /* memory behind it is allocated: it cannot be trimmed */
        sbrk(-(intptr_t)(room + page));
    }
    SPMD_CHECK(sbrk(0) == was);
}
static void __attribute__((noinline)) on_the_stack(unsigned depth) {
    char memory[kBytes + kOff];
    both(memory + kOff, "the stack");
    if (depth > 0) on_the_stack(depth - 1);
    put(memory + kOff, "the stack");
}
static char in_bss[kBytes + kOff];
static void in_the_program(void) {
    if (atomic_load(&threads_here) == 1) both(in_bss + kOff, "a static variable");
}

static void read_only(void) {
    char *p = map_at(NULL, room);
    fill(p + kOff);
    mprotect(p, room, PROT_READ);
    put_as_is(p + kOff, seed, "read-only memory");
    put_as_is(p + kOff, seed, "read-only memory");
    mprotect(p, room, PROT_READ | PROT_WRITE);
    both(p + kOff, "memory that was read-only");
    munmap(p, room);
}
static void of_a_file(void) {
    const int fd = memfd_create("private_memory", MFD_CLOEXEC);
    SPMD_CHECK(fd >= 0 && ftruncate(fd, (off_t)room) == 0);
    char *shared = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    SPMD_CHECK(shared != MAP_FAILED);
    both(shared + kOff, "a file");
    SPMD_CHECK(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)room) == 0);
    both(shared + kOff, "a file with a hole"); /* other pages now, without a notice */
    fill(shared + kOff);
    char *reading = mmap(NULL, room, PROT_READ, MAP_SHARED, fd, 0);
    SPMD_CHECK(reading != MAP_FAILED);
    put_as_is(reading + kOff, seed, "a file for reading");
    char *copy = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    SPMD_CHECK(copy != MAP_FAILED);
    put_as_is(copy + kOff, seed, "a private copy of a file");
    both(copy + kOff, "a private copy of a file");
    munmap(copy, room);
    munmap(reading, room);
    munmap(shared, room);
    close(fd);
}
/* The parent writes after the child has been forked; the child sees the old pages until it ends. */
static void after_fork(void) {
    int go[2];
    char *p = map_at(NULL, room), byte = 0;
    both(p + kOff, "before fork");
    SPMD_CHECK(pipe(go) == 0);
    const pid_t child = fork();
    SPMD_CHECK(child >= 0);
    if (child == 0) {
        close(go[1]);
        _exit(read(go[0], &byte, 1) == 1 ? 0 : 1);
    }
    close(go[0]);
    both(p + kOff, "while a child has it too");
    munmap(p, room); /* nor does the child block anything */
    SPMD_CHECK(map_at(p, room) == p);
    both(p + kOff, "unmapped while a child has it too");
    SPMD_CHECK(write(go[1], &byte, 1) == 1);
    close(go[1]);
    int status = -1;
    while (waitpid(child, &status, 0) < 0) SPMD_CHECK(errno == EINTR);
    SPMD_CHECK(status == 0);
    both(p + kOff, "after the child has ended");
    munmap(p, room);
}

/* Another thread unmaps, and before its call has returned this one maps the same addresses. */
static void *unmap_for_others(void *orders) { /* sleeps in between, to leave the CPU to others */
    char *p;
    while (read(*(int *)orders, &p, sizeof p) == (ssize_t)sizeof p) munmap(p, room);
    return NULL;
}
static void by_another_thread(void) {
    pthread_t other;
    int orders[2];
    SPMD_CHECK(pipe(orders) == 0);
    SPMD_CHECK(pthread_create(&other, NULL, unmap_for_others, &orders[0]) == 0);
    for (int i = 0; i < 4; ++i) {
        char *p = map_at(NULL, room), *again;
        put(p + kOff, "before another thread unmaps it");
        SPMD_CHECK(write(orders[1], &p, sizeof p) == (ssize_t)sizeof p);
        while ((again = mmap(p, room, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)) == MAP_FAILED)
            sched_yield();
        SPMD_CHECK(again == p);
        put(p + kOff, "while another thread is unmapping what was there");
        munmap(p, room);
    }
    close(orders[1]);
    pthread_join(other, NULL);
    close(orders[0]);
}

__attribute__((constructor)) static void sizes(void) {
    page = (size_t)sysconf(_SC_PAGESIZE);
    room = (kOff + kBytes + page - 1) / page * page;
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void run(void) {
    static void (*const kinds[])(void) = {from_heap,        unmapped,       moved,     grown,     discarded,
                                          at_the_break,     in_the_program, read_only, of_a_file, after_fork,
                                          by_another_thread};
    const char *only = getenv("SPMD_KIND"); /* the number of one, for debugging */
    atomic_fetch_add(&threads_here, 1);
    all = spmd_alloc(2 * kBytes);
    here = upcr_shared_to_local(spmd_part(all, upcr_mythread(), kBytes));
    there = spmd_part(all, (upcr_mythread() + 1) % upcr_threads(), 0);
    seed = (uint64_t)upcr_mythread() << 32;
    const uint64_t rounds = spmd_effort(8);
    for (uint64_t round = 0; round < rounds; ++round) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
            if (only != NULL && (size_t)atoi(only) != k) continue;
            if (getenv("SPMD_VERBOSE") != NULL) fprintf(stderr, "%u: kind %zu\n", upcr_mythread(), k);
            /* One thread of a process at a time: addresses that one has unmapped must not be mapped by another. */
            pthread_mutex_lock(&turn);
            kinds[k]();
            pthread_mutex_unlock(&turn);
        }
        if (only == NULL) on_the_stack(3);
        if (getenv("SPMD_VERBOSE") != NULL)
            fprintf(stderr, "%u: round %u is over\n", upcr_mythread(), (unsigned)round);
        mallopt(M_MMAP_THRESHOLD, round % 2 == 0 ? kBytes / 2 : 16 * kBytes);
    }
    spmd_barrier();
}

SPMD_MAIN(run)
