/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 5.3 of "UPC Runtime Design Utilizing Portals-4", cell by cell: which operation waits for which. UPC
 * thread 0 makes an access outstanding, whose request the conduit keeps back (conduits/fault/hold.h), and then
 * performs the operation of the row. Where the table has an X, a second thread, which is no UPC thread, sees that
 * the operation polls without having sent anything itself, and only then releases the request; the operation
 * must not be over before that. Where it has a blank, the operation must be over while the request is still kept.
 *
 * No clock decides. An operation that ought to be over but waits is told by its polls, of which it makes
 * many without sending anything; one that ought to wait, by what it has sent or done before the release.
 *
 * Then the test is tested: with one cell of the runtime's table wrong at a time, exactly the probes of that
 * cell must fail; with all cells X (a runtime that is always synchronous) those of all blanks, with all cells
 * blank (one that never waits) those of all X.
 *
 * Debug library, two processes, UPCR_PSHM=no, UPCR_FAULT=amonly.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <upcr/gmem.h>
#include <upcr/gupc.h>

#include "conduits/fault/hold.h"
#include "tests/spmd/spmd.h"

enum column { kRW, kRR, kSW, kSR, kColumns };
enum row { kRowRW, kRowRR, kRowSW, kRowSR, kFence, kNotify, kWait, kLock, kAttempt, kUnlock, kMemget, kMemput,
           kMemcpy, kMemset, kRows };
static const char *const column_names[] = {"RW", "RR", "SW", "SR"};
static const char *const row_names[] = {"RW", "RR", "SW", "SR", "upc_fence", "upc_notify", "upc_wait", "upc_lock",
                                        "upc_lock_attempt", "upc_unlock", "upc_memget", "upc_memput", "upc_memcpy",
                                        "upc_memset"};

/* The table as the document prints it: another place, the same place. Rows without places have one line. A call
 * of the library has no place of its own: its accesses are relaxed ones, under the first two rows. */
static const char *const table[kRows][2] = {
    {"..XX", "XXXX"}, /* RW */
    {"..XX", "X.XX"}, /* RR */
    {"XXXX", "XXXX"}, /* SW */
    {"XXXX", "XXXX"}, /* SR */
    {"XXXX", NULL},   /* upc_fence */
    {"XXXX", NULL},   /* upc_notify */
    {"XXXX", NULL},   /* upc_wait */
    {"XXXX", NULL},   /* upc_lock */
    {"XXXX", NULL},   /* upc_lock_attempt */
    {"XXXX", NULL},   /* upc_unlock */
    {"..XX", "X.XX"}, /* upc_memget */
    {"..XX", "XXXX"}, /* upc_memput */
    {"..XX", "XXXX"}, /* upc_memcpy */
    {"..XX", "XXXX"}, /* upc_memset */
};

enum { kObject = 8, kOther = 64, kPolls = 8, kTooManyPolls = 40, kDeadline = 120 /* seconds */ };
static upcr_shared_ptr_t area;
static uint64_t value, got, scratch; /* what puts write, what gets read */

static upcr_gmem_addr_t at(size_t byte) { return upcr_sptr_to_gmem_addr(spmd_part(area, 1, byte)); }

/* ---- The operations ---- */

static void start_column(enum column c) {
    switch (c) {
    case kRW:
    case kSW: ++value; upcri_gupc_put(at(0), &value, kObject, c == kSW); break;
    case kRR:
    case kSR: upcri_gupc_start_get(&got, at(0), kObject, c == kSR); break;
    default: break;
    }
}

/* On the 8 bytes of the column, or (a block, so that an overlap is found) on some that begin before them, or on
 * others right behind. */
static void perform_row(enum row r, int same) {
    static char block[kObject];
    const size_t byte = same ? 0 : kObject;
    switch (r) {
    case kRowRW: upcri_gupc_put(at(byte), &value, kObject, 0); break;
    case kRowRR: upcri_gupc_get(&scratch, at(byte), kObject, 0); break;
    case kRowSW: upcri_gupc_put(at(byte), &value, kObject, 1); break;
    case kRowSR: upcri_gupc_get(&scratch, at(byte), kObject, 1); break;
    case kFence: upcri_gupc_sync(UPCRI_GUPC_FENCE); break;
    case kNotify: upcri_gupc_sync(UPCRI_GUPC_NOTIFY); break;
    case kWait: upcri_gupc_sync(UPCRI_GUPC_WAIT); break;
    case kLock: upcri_gupc_sync(UPCRI_GUPC_LOCK); break;
    case kAttempt: upcri_gupc_sync(UPCRI_GUPC_LOCK_ATTEMPT); break;
    case kUnlock: upcri_gupc_sync(UPCRI_GUPC_UNLOCK); break;
    case kMemget: upcri_gupc_sync(UPCRI_GUPC_MEMCPY); upcri_gupc_get(block, at(byte), 5, 0); break;
    case kMemput: upcri_gupc_sync(UPCRI_GUPC_MEMCPY); upcri_gupc_put(at(byte), &value, kObject, 0); break;
    case kMemcpy: upcri_gupc_sync(UPCRI_GUPC_MEMCPY); upcri_gupc_copy(at(byte), at(kOther), 5, 0); break;
    case kMemset: upcri_gupc_sync(UPCRI_GUPC_MEMCPY); upcri_gupc_set(at(byte + 7), 0, 1, 0); break;
    default: break;
    }
}

/* ---- A probe: one cell, seen from two threads ---- */

static atomic_int probes;  /* how many have begun; -1: no more */
static atomic_int seen_by; /* the last one that the observer is done with */
static atomic_int over;    /* the row's operation is */
static atomic_int waited;  /* the observer has seen it wait, and released what it waits for */
static unsigned long polls_before, sent_before, patience; /* of the probe that has begun */

/* Until the operation is over, or has polled so often without sending anything that it waits. */
static void observe(void) {
    const time_t end = time(NULL) + kDeadline;
    while (!atomic_load(&over)) {
        if (upcri_fault_sent() == sent_before && upcri_fault_polls() - polls_before >= patience) {
            atomic_store(&waited, 1);
            return;
        }
        if (time(NULL) > end) {
            fprintf(stderr, "an operation is neither over nor waits for what is kept\n");
            abort();
        }
        sched_yield();
    }
}

static void *observer(void *unused) {
    (void)unused;
    for (int now; (now = atomic_load(&probes)) >= 0;) {
        if (now == atomic_load(&seen_by)) {
            sched_yield();
            continue;
        }
        observe();
        upcri_fault_release();
        atomic_store(&seen_by, now);
    }
    return NULL;
}

/* 'X' when the operation waited for the access of the column, '.' when it was over before. */
static char probe(enum row r, enum column c, int same, char wanted) {
    upcri_gupc_sync(UPCRI_GUPC_FENCE);
    SPMD_EQ(upcri_fault_kept(), 0);
    atomic_store(&over, 0);
    atomic_store(&waited, 0);
    patience = wanted == 'X' ? kPolls : kTooManyPolls;
    upcri_fault_keep_next(1);
    start_column(c);
    SPMD_EQ(upcri_fault_kept(), 1);
    SPMD_CHECK(upcri_gupc_pending != 0);
    SPMD_EQ(upcr_pending_strict_put, c == kSW);
    sent_before = upcri_fault_sent();
    polls_before = upcri_fault_polls();
    const int number = atomic_fetch_add(&probes, 1) + 1;
    perform_row(r, same);
    const int had_waited = atomic_load(&waited);
    if (!had_waited) SPMD_EQ(upcri_fault_kept(), 1);
    atomic_store(&over, 1);
    while (atomic_load(&seen_by) != number) sched_yield();
    upcri_gupc_sync(UPCRI_GUPC_FENCE);
    return had_waited ? 'X' : '.';
}

/* How many probes differ from the table; `report` each. */
static int differences(int report) {
    int n = 0;
    for (int r = 0; r < kRows; ++r)
        for (int same = 0; same < 2 && table[r][same] != NULL; ++same)
            for (int c = 0; c < kColumns; ++c) {
                const char wanted = table[r][same][c], seen = probe((enum row)r, (enum column)c, same, wanted);
                n += seen != wanted;
                if (report && seen != wanted)
                    fprintf(stderr, "%s at %s place, with %s outstanding: %s, but the table says '%s'\n", row_names[r],
                            same ? "the same" : "another", column_names[c],
                            seen == 'X' ? "waits for it" : "goes on", wanted == 'X' ? "X" : "");
            }
    return n;
}

/* ---- The test of the test ---- */

static int runtime_row(int r) { return r <= kUnlock ? r : UPCRI_GUPC_ROWS - 1; }

/* One wrong cell: the probe of this row, column and place must see it. */
static void flip_each_cell(void) {
    for (int r = 0; r < kMemget; ++r)
        for (int same = 0; same < 2 && table[r][same] != NULL; ++same)
            for (int c = 0; c < kColumns; ++c) {
                struct upcri_gupc_checks *const row = &upcri_gupc_table[runtime_row(r)], right = *row;
                const char wanted = table[r][same][c];
                const unsigned char bit = (unsigned char)(1u << c);
                row->same_place ^= bit; /* a row without places looks at `anywhere` */
                if (!same || (row->anywhere & bit) != 0) row->anywhere ^= bit;
                const char seen = probe((enum row)r, (enum column)c, same, wanted);
                *row = right;
                if (seen == wanted)
                    SPMD_FAIL("row %s, column %s, %s place: a runtime that has this cell wrong is not noticed",
                              row_names[r], column_names[c], same ? "same" : "another");
            }
}

static int cells(char which) {
    int n = 0;
    for (int r = 0; r < kRows; ++r)
        for (int same = 0; same < 2 && table[r][same] != NULL; ++same)
            for (int c = 0; c < kColumns; ++c) n += table[r][same][c] == which;
    return n;
}

static void with_whole_table(unsigned char bits, int wrong_cells) {
    struct upcri_gupc_checks right[UPCRI_GUPC_ROWS];
    memcpy(right, upcri_gupc_table, sizeof right);
    for (int i = 0; i < UPCRI_GUPC_ROWS; ++i)
        upcri_gupc_table[i].anywhere = upcri_gupc_table[i].same_place = bits;
    /* The runtime may use the fence row to get back to a state where nothing is under way. */
    upcri_gupc_table[kFence] = right[kFence];
    const int wrong = differences(0);
    memcpy(upcri_gupc_table, right, sizeof right);
    SPMD_EQ(wrong, wrong_cells);
}

static void test(void) {
    pthread_t thread;
    SPMD_EQ(pthread_create(&thread, NULL, observer, NULL), 0);
    if (differences(1) != 0) SPMD_FAIL("accesses are not ordered as table 5.3 says");
    flip_each_cell();
    with_whole_table(UPCRI_GUPC_RW | UPCRI_GUPC_RR | UPCRI_GUPC_SW | UPCRI_GUPC_SR, cells('.'));
    with_whole_table(0, cells('X') - 4 /* of the fence */);
    atomic_store(&probes, -1);
    pthread_join(thread, NULL);
}

static void run(void) {
    area = spmd_alloc(4096);
    if (upcr_mythread() == 0) test();
}

SPMD_MAIN(run)
