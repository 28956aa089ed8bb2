/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A loop of updates at random places maps the pages of its neighbours' elements at once, if it has many iterations for
 * them and their owners have used them. The kernel tells which pages are mapped here (pagemap), and which were ever
 * used (mincore).
 */
#define _GNU_SOURCE 1
#include "tests/spmd/spmd.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <upcr/upc2c_later.h>

enum { PAGES = 2048 };
/* Where the elements are, in the half that is used. Fewer pages than FEW in a row are left to faults. */
enum { BEGIN = 16, END = PAGES / 2 - 16, FEW = 16 };

static int is_written(unsigned page) { return page % 50 != 7; }
static unsigned pages_written(unsigned from, unsigned to) {
    unsigned count = 0, i;
    for (i = from; i < to; ++i) count += (unsigned)is_written(i);
    return count;
}

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static unsigned pages_mapped(const char *memory, unsigned from, unsigned to) {
    const int file = open("/proc/self/pagemap", O_RDONLY);
    unsigned count = 0, i;
    for (i = from; i < to; ++i) {
        uint64_t entry;
        const uintptr_t page = (uintptr_t)memory / page_bytes() + i;
        if (pread(file, &entry, sizeof entry, (off_t)(page * sizeof entry)) != sizeof entry)
            SPMD_FAIL("pagemap");
        count += entry >> 63 != 0;
    }
    close(file);
    return count;
}

static unsigned pages_used(char *memory, unsigned from, unsigned to) {
    unsigned char used[PAGES];
    unsigned count = 0, i;
    if (mincore(memory + from * page_bytes(), (to - from) * page_bytes(), used) != 0) SPMD_FAIL("mincore");
    for (i = 0; i < to - from; ++i) count += used[i] & 1;
    return count;
}

/* Elements in pages from..to-1, the first and the last page among them. */
static upc2c_places_t elements(const char *memory, unsigned from, unsigned to) {
    upc2c_places_t places;
    unsigned i;
    for (i = 0; i < UPC2C_LATER; ++i) {
        const unsigned page = from + (i * 7 % UPC2C_LATER) * (to - 1 - from) / (UPC2C_LATER - 1);
        places.at[i] = (uintptr_t)memory + page * page_bytes() + 8;
    }
    return places;
}

/* Far from other objects: the kernel maps pages beside the one that is accessed. */
static int all_agree(int yes) {
    const upcr_shared_ptr_t votes = upcr_all_alloc(upcr_threads(), 128 * page_bytes());
    int all = 1;
    upcr_thread_t t;
    upcr_put_shared_val(spmd_part(votes, upcr_mythread(), 64 * page_bytes()), 0, (upcr_register_value_t)yes,
                        1);
    spmd_barrier();
    for (t = 0; t < upcr_threads(); ++t)
        all &= upcr_get_shared_val(spmd_part(votes, t, 64 * page_bytes()), 0, 1) != 0;
    return all;
}

/* Does the kernel tell, and can it map pages without an access (Linux 5.14)? `mine`: where some pages are used. Not with
 * huge pages for shared memory, which are used as a whole. The same answer on all threads. */
static int can_tell(char *mine) {
    char *const probe = mmap(NULL, page_bytes(), PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int populates = madvise(probe, page_bytes(), 22 /* MADV_POPULATE_READ */) == 0;
    const int file = open("/proc/self/pagemap", O_RDONLY);
    munmap(probe, page_bytes());
    if (file >= 0) close(file);
    return all_agree(populates && file >= 0 && pages_used(mine, 0, PAGES) == pages_written(0, PAGES / 2));
}

static void run(void) {
    const upcr_thread_t me = upcr_mythread(), next = (me + 1) % upcr_threads();
    const upcr_shared_ptr_t all = upcr_all_alloc(upcr_threads(), (PAGES + 1) * page_bytes());
    const uintptr_t mask = page_bytes() - 1;
    char *const mine = (char *)(((uintptr_t)upcr_cast(spmd_part(all, me, 0)) + mask) & ~mask);
    char *const other = (char *)(((uintptr_t)upcr_cast(spmd_part(all, next, 0)) + mask) & ~mask);
    const uint64_t many = 64 * PAGES;
    unsigned i;

    /* Within a run of used pages some are not. */
    for (i = 0; i < PAGES / 2; ++i)
        if (is_written(i)) mine[i * page_bytes()] = (char)i;
    spmd_barrier();
    if (!can_tell(mine)) return;
    SPMD_EQ(pages_mapped(other, 0, PAGES), 0);
    errno = ERANGE;
    /* Few iterations. */
    SPMD_EQ(upcri_later_until(elements(other, BEGIN, END), 4096), UINT64_MAX);
    SPMD_EQ(pages_mapped(other, 0, PAGES), 0);
    /* Elements that nobody has used. */
    SPMD_EQ(upcri_later_until(elements(other, PAGES / 2 + 1, PAGES), many), UINT64_MAX);
    SPMD_EQ(pages_mapped(other, 0, PAGES), 0);
    /* Elements near each other: the loop does not go on so. */
    SPMD_EQ(upcri_later_until(elements(other, BEGIN, BEGIN + 2), many), 0);
    SPMD_EQ(pages_mapped(other, 0, PAGES), 0);
    SPMD_EQ(upcri_later_until(elements(other, BEGIN, END), many), UINT64_MAX);
    SPMD_CHECK(pages_mapped(other, BEGIN, END) >= pages_written(BEGIN, END) - 2 * FEW);
    SPMD_EQ(pages_mapped(other, PAGES / 2, PAGES),
            0); /* the kernel may map a few beside the others that were used */
    SPMD_EQ(errno, ERANGE);
    spmd_barrier();
    SPMD_EQ(pages_used(mine, 0, PAGES), pages_written(0, PAGES / 2)); /* nothing else has got memory */
    for (i = 0; i < PAGES / 2; ++i)
        if (is_written(i)) SPMD_EQ(other[i * page_bytes()], (char)i);
    spmd_barrier();
}

SPMD_MAIN(run)
