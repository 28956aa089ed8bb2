/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 5.3 of "UPC Runtime Design Utilizing Portals-4", and a probe of one entry of it: which operation
 * waits for which. An access of the column is made outstanding, its request kept back by the conduit
 * (conduits/net/fault/hold.h), and then the operation of the row is performed. Where the table has an X, a second
 * thread, which is no UPC thread, sees that the operation polls without having sent anything itself, and only
 * then releases the request; the operation must not be over before that. Where it has a blank, the operation must
 * be over while the request is still kept.
 *
 * No clock decides. An operation that ought to be over but waits is detected by its polls, of which it makes many
 * without sending anything; one that ought to wait, by what it has sent or done before the release.
 *
 * The includer has start_column(column) and perform_row(row, same), on places of another process. Debug library,
 * UPCR_PSHM=no, UPCR_FAULT=amonly.
 */
#pragma once
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upcr/gmem.h>
#include <upcr/gupc.h>

#include "conduits/net/fault/hold.h"

enum column { kRW, kRR, kSW, kSR, kColumns };
enum row {
    kRowRW,
    kRowRR,
    kRowSW,
    kRowSR,
    kFence,
    kNotify,
    kWait,
    kLock,
    kAttempt,
    kUnlock,
    kMemget,
    kMemput,
    kMemcpy,
    kMemset,
    kRows
};
static const char *const column_names[] = {"RW", "RR", "SW", "SR"};
static const char *const row_names[] = {"RW",         "RR",         "SW",
                                        "SR",         "upc_fence",  "upc_notify",
                                        "upc_wait",   "upc_lock",   "upc_lock_attempt",
                                        "upc_unlock", "upc_memget", "upc_memput",
                                        "upc_memcpy", "upc_memset"};

/* The table as in the document: other bytes, the same bytes. Rows without addresses have one line. A call
 * of the library has no address of its own: its accesses are relaxed ones, under the first two rows. */
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

enum { kPolls = 8, kTooManyPolls = 40, kDeadline = 120 /* seconds */ };

/* On the 8 bytes of the column, or on others right behind them. */
static void start_column(enum column c);
static void perform_row(enum row r, int same);

#define PROBE_CHECK(cond)                                                              \
    do                                                                                 \
        if (!(cond)) {                                                                 \
            fprintf(stderr, "%s:%d: '%s' does not hold\n", __FILE__, __LINE__, #cond); \
            abort();                                                                   \
        }                                                                              \
    while (0)

static atomic_int probes;  /* how many have begun; -1: no more */
static atomic_int seen_by; /* the last one that the observer is done with */
static atomic_int over;    /* the row's operation is */
static atomic_int waited;  /* the observer has seen it wait, and released what it waits for */
static unsigned long polls_before, sent_before, poll_limit; /* of the probe that has begun */

/* Until the operation is over, or has polled so often without sending anything that it waits. */
static void observe(void) {
    const time_t end = time(NULL) + kDeadline;
    while (!atomic_load(&over)) {
        if (upcri_fault_sent() == sent_before && upcri_fault_polls() - polls_before >= poll_limit) {
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

/* Makes the access outstanding, and makes the observer count polls. Returns the probe's number. */
static int begin_probe(enum column c, unsigned long polls) {
    atomic_store(&over, 0);
    atomic_store(&waited, 0);
    upcri_fault_keep_next(1);
    start_column(c);
    PROBE_CHECK(upcri_fault_kept() == 1);
    PROBE_CHECK(upcri_gupc_pending != 0);
    PROBE_CHECK(upcr_pending_strict_put == (c == kSW));
    poll_limit = polls;
    sent_before = upcri_fault_sent();
    polls_before = upcri_fault_polls();
    return atomic_fetch_add(&probes, 1) + 1;
}

/* 'X' when the operation waited for the access of the column, '.' when it was over before. */
static char probe(enum row r, enum column c, int same, char expected) {
    upcri_gupc_sync(UPCRI_GUPC_FENCE);
    PROBE_CHECK(upcri_fault_kept() == 0);
    const int number = begin_probe(c, expected == 'X' ? kPolls : kTooManyPolls);
    perform_row(r, same);
    const int had_waited = atomic_load(&waited);
    if (!had_waited) PROBE_CHECK(upcri_fault_kept() == 1);
    atomic_store(&over, 1);
    while (atomic_load(&seen_by) != number) sched_yield();
    upcri_gupc_sync(UPCRI_GUPC_FENCE);
    return had_waited ? 'X' : '.';
}

/* 1 when the runtime differs from the table; printed if `report`. */
static __attribute__((unused)) int wrong_cell(enum row r, enum column c, int same, int report) {
    const char expected = table[r][same][c], seen = probe(r, c, same, expected);
    if (report && seen != expected)
        fprintf(stderr, "%s at %s place, with %s outstanding: %s, but the table says '%s'\n", row_names[r],
                same ? "the same" : "another", column_names[c], seen == 'X' ? "waits for it" : "goes on",
                expected == 'X' ? "X" : "");
    return seen != expected;
}

#define FOR_EACH_CELL(r, c, same)                                      \
    for (int r = 0; r < kRows; ++r)                                    \
        for (int same = 0; same < 2 && table[r][same] != NULL; ++same) \
            for (int c = 0; c < kColumns; ++c)

static pthread_t observer_thread;
static void start_observer(void) { PROBE_CHECK(pthread_create(&observer_thread, NULL, observer, NULL) == 0); }
static __attribute__((unused)) void end_observer(void) {
    atomic_store(&probes, -1);
    pthread_join(observer_thread, NULL);
}
