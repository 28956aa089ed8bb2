/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Library calls that reach shared memory by other ways than accesses, and what they wait for: with an access of
 * their own thread outstanding, its request kept back (table_probe.h). A relaxed atomic operation is a relaxed
 * access that reads and writes. The others wait for everything, wherever it goes.
 *
 * Two processes, debug library. Thread 0 checks; thread 1 takes part in collectives.
 */
#include "tests/gupc/memory/table_probe.h"
#include "tests/gupc/names/names.h"

/* Release programs are linked too, and never run. */
#pragma weak upcri_fault_keep_next
#pragma weak upcri_fault_release
#pragma weak upcri_fault_kept
#pragma weak upcri_fault_sent
#pragma weak upcri_fault_polls

P upc_alloc(size_t);
P upc_all_alloc(size_t, size_t);
void upc_free(P);
void upc_all_free(P);

EMIT_PROGRAM_INFO;
SHARED(long, object, 16);

enum call {
    kRelaxedSet,
    kRelaxedGet,
    kStrictSet,
    kStrictGet,
    kGetNb,
    kPutNb,
    kCopyNb,
    kSetNb,
    kFree,
    kCollectives,
    kBroadcast = kCollectives,
    kPermute,
    kReduce,
    kSort,
    kAllFree,
    kCalls
};
static const struct {
    const char *name, *other_address, *same_address; /* X: waits for RW, RR, SW, SR. Null: has no address */
} calls[kCalls] = {
    {"upc_atomic_relaxed SET", "..XX", "XXXX"},
    {"upc_atomic_relaxed GET", "..XX", "XXXX"},
    {"upc_atomic_strict SET", "XXXX", "XXXX"},
    {"upc_atomic_strict GET", "XXXX", "XXXX"},
    {"upc_memget_nb", "XXXX", "XXXX"},
    {"upc_memput_nb", "XXXX", "XXXX"},
    {"upc_memcpy_nb", "XXXX", "XXXX"},
    {"upc_memset_nb", "XXXX", "XXXX"},
    {"upc_free", "XXXX", NULL},
    {"upc_all_broadcast", "XXXX", NULL},
    {"upc_all_permute", "XXXX", NULL},
    {"upc_all_reduceL", "XXXX", NULL},
    {"upc_all_sort", "XXXX", NULL},
    {"upc_all_free", "XXXX", NULL},
};

static P domain, garbage; /* what is freed next */
static long got;

static P at(size_t byte) { return emit_add_bytes(emit_at(object, 1), byte); }
static upcr_gmem_addr_t remote_address(void) {
    upcr_gmem_addr_t a = {1, upcri_gupc_statics + gupc_offset(at(0))};
    return a;
}

static void start_column(enum column c) {
    switch (c) {
    case kRW: __putdi2(at(0), 1); break;
    case kRR: upcri_gupc_start_get(&got, remote_address(), sizeof got, 0); break;
    case kSW: __putsdi2(at(0), 2); break;
    case kSR: upcri_gupc_start_get(&got, remote_address(), sizeof got, 1); break;
    default: break;
    }
}

static int by_value(P a, P b) { return (int)((long)__getdi2(a) - (long)__getdi2(b)); }

static void perform_row(enum row r, int same) {
    const int flags = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    const P to = at(same ? 0 : 8), other = at(64), mine = emit_at(&object[4], 0);
    const long value = 3;
    long old;
    switch ((enum call)r) {
    case kRelaxedSet: upc_atomic_relaxed(domain, NULL, ATOMIC_SET, to, &value, NULL); break;
    case kRelaxedGet: upc_atomic_relaxed(domain, &old, ATOMIC_GET, to, NULL, NULL); break;
    case kStrictSet: upc_atomic_strict(domain, NULL, ATOMIC_SET, to, &value, NULL); break;
    case kStrictGet: upc_atomic_strict(domain, &old, ATOMIC_GET, to, NULL, NULL); break;
    case kGetNb: upc_sync(upc_memget_nb(&old, to, sizeof old)); break;
    case kPutNb: upc_sync(upc_memput_nb(to, &value, sizeof value)); break;
    case kCopyNb: upc_sync(upc_memcpy_nb(to, other, sizeof value)); break;
    case kSetNb: upc_sync(upc_memset_nb(to, 0, sizeof value)); break;
    case kFree: upc_free(garbage); break;
    case kBroadcast: upc_all_broadcast(emit_at(&object[8], 0), mine, 8, flags); break;
    case kPermute:
        upc_all_permute(emit_at(&object[8], 0), emit_at(&object[4], 0), emit_at(&object[12], 0), 8, flags);
        break;
    case kReduce: upc_all_reduceL(emit_at(&object[8], 0), mine, UPC_ADD, 2, 1, NULL, flags); break;
    case kSort: upc_all_sort(emit_at(&object[4], 0), sizeof(long), 2, 1, by_value, flags); break;
    case kAllFree: upc_all_free(garbage); break;
    default: break;
    }
}

/* The state that the call needs. */
static void before(enum call r) {
    if (r == kFree) garbage = upc_alloc(8); /* of one's own heap: no message */
    if (r == kAllFree) garbage = upc_all_alloc((size_t)THREADS, 8);
}

static int wrong_row(enum call r, int same, const char *expected) {
    int wrong = 0;
    for (int c = 0; c < kColumns; ++c) {
        before(r);
        const char seen = probe((enum row)r, (enum column)c, same, expected[c]);
        if (seen == expected[c]) continue;
        fprintf(stderr, "%s at %s address, with %s outstanding: %s\n", calls[r].name,
                same ? "the same" : "another", column_names[c], seen == 'X' ? "waits for it" : "goes on");
        ++wrong;
    }
    return wrong;
}

static void check_table(void) {
    int wrong = 0;
    start_observer();
    for (int r = 0; r < kCalls; ++r) {
        wrong += wrong_row((enum call)r, 0, calls[r].other_address);
        if (calls[r].same_address != NULL) wrong += wrong_row((enum call)r, 1, calls[r].same_address);
    }
    end_observer();
    CHECK(wrong == 0);
}

static void run_collectives(void) {
    for (int r = kCollectives; r < kCalls; ++r)
        for (int c = 0; c < kColumns; ++c) before((enum call)r), perform_row((enum row)r, 0);
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    domain = upc_all_atomicdomain_alloc(UPC_LONG, ATOMIC_SET | ATOMIC_GET, 0);
    __putdi2(emit_at(&object[12], MYTHREAD), (emit_di)MYTHREAD); /* for permute */
    barrier_all();
    if (MYTHREAD == 0) check_table();
    if (MYTHREAD == 1) run_collectives();
    barrier_all();
    upc_all_atomicdomain_free(domain);
    return emit_failures;
}
