/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 5.3 of the design, cell by cell (table_probe.h), as the ordering engine keeps it (upcr/gupc.h).
 *
 * Then the test is tested: with one cell of the runtime's table wrong at a time, exactly the probe of that cell
 * must see it; with all cells X (a runtime that is always synchronous) those of all blanks fail, with all
 * cells blank (one that never waits) those of all X.
 *
 * Two processes; debug library, UPCR_PSHM=no, UPCR_FAULT=amonly.
 */
#include <unistd.h>

#include "tests/gupc/memory/table_probe.h"
#include "tests/spmd/spmd.h"

enum { kObject = 8, kOther = 64 };
static upcr_shared_ptr_t area;
static uint64_t value, got, scratch; /* what puts write, what gets read */

static upcr_gmem_addr_t at(size_t byte) { return upcr_sptr_to_gmem_addr(spmd_part(area, 1, byte)); }

/* ---- The operations ---- */

static void start_column(enum column c) {
    switch (c) {
    case kRW:
    case kSW:
        ++value;
        upcri_gupc_put(at(0), &value, kObject, c == kSW);
        break;
    case kRR:
    case kSR: upcri_gupc_start_get(&got, at(0), kObject, c == kSR); break;
    default: break;
    }
}

/* Blocks overlap with the object in a part of it. */
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
    case kMemget: upcri_gupc_get(block, at(byte), 5, 0); break;
    case kMemput: upcri_gupc_put(at(byte), &value, kObject, 0); break;
    case kMemcpy: upcri_gupc_copy(at(byte), at(kOther), 5, 0); break;
    case kMemset: upcri_gupc_set(at(byte + 7), 0, 1, 0); break;
    default: break;
    }
}

/* ---- The test of the test ---- */

/* One wrong entry: the probe of this row, column and address must detect it. */
static void flip_each_cell(void) {
    FOR_EACH_CELL(r, c, same) {
        if (r >= kMemget) continue; /* their cells are those of the relaxed accesses */
        struct upcri_gupc_checks *const row = &upcri_gupc_table[r], right = *row;
        const unsigned char bit = (unsigned char)(1u << c);
        row->same_place ^= bit; /* a row without addresses uses `anywhere` */
        if (!same || (row->anywhere & bit) != 0) row->anywhere ^= bit;
        const int noticed = wrong_cell((enum row)r, (enum column)c, same, 0);
        *row = right;
        if (!noticed)
            SPMD_FAIL("row %s, column %s, %s place: a runtime that has this cell wrong is not noticed",
                      row_names[r], column_names[c], same ? "same" : "another");
    }
}

static int cells(char which) {
    int n = 0;
    FOR_EACH_CELL(r, c, same) n += table[r][same][c] == which;
    return n;
}
static int wrong_cells(int report) {
    int n = 0;
    FOR_EACH_CELL(r, c, same) n += wrong_cell((enum row)r, (enum column)c, same, report);
    return n;
}

static void with_whole_table(unsigned char bits, int expected) {
    struct upcri_gupc_checks right[UPCRI_GUPC_ROWS];
    memcpy(right, upcri_gupc_table, sizeof right);
    for (int i = 0; i < UPCRI_GUPC_ROWS; ++i)
        upcri_gupc_table[i].anywhere = upcri_gupc_table[i].same_place = bits;
    /* The runtime may use the fence row to return to a state without pending accesses. */
    upcri_gupc_table[kFence] = right[kFence];
    const int wrong = wrong_cells(0);
    memcpy(upcri_gupc_table, right, sizeof right);
    SPMD_EQ(wrong, expected);
}

/* ---- The end of the program waits too ---- */

static void check_end(void) {
    if (atomic_load(&waited)) return;
    fprintf(stderr, "the program is over, and a put that it made has not left\n");
    _exit(1);
}

/* The last that the program does. */
static void put_and_end(void) {
    PROBE_CHECK(atexit(check_end) == 0);
    begin_probe(kRW, kPolls);
}

static void test(void) {
    if (wrong_cells(1) != 0) SPMD_FAIL("accesses are not ordered as table 5.3 says");
    flip_each_cell();
    with_whole_table(UPCRI_GUPC_RW | UPCRI_GUPC_RR | UPCRI_GUPC_SW | UPCRI_GUPC_SR, cells('.'));
    with_whole_table(0, cells('X') - 4 /* of the fence */);
}

static int run(int argc, char **argv) {
    (void)argc, (void)argv;
    area = spmd_alloc(4096);
    if (upcr_mythread() == 0) {
        start_observer();
        test();
    }
    spmd_barrier();
    if (upcr_mythread() == 0) put_and_end();
    return 0;
}

int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, &run);
    return 99; /* not reached */
}
