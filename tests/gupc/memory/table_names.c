/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 5.3 of the design, cell by cell (table_probe.h), as compiled code sees it: the functions that compilers
 * call and those of the UPC library wait on entry or exit, as the table's column says. Outstanding reads are
 * prefetches of the runtime's own: compiled code's are always complete on return.
 *
 * Two processes, debug library.
 */
#include "../emit.h"
#include "tests/gupc/memory/table_probe.h"

/* Release programs are linked too, and never run. */
#pragma weak upcri_fault_keep_next
#pragma weak upcri_fault_release
#pragma weak upcri_fault_kept
#pragma weak upcri_fault_sent
#pragma weak upcri_fault_polls

upc_shared_ptr_t upc_global_lock_alloc(void);
void upc_lock(upc_shared_ptr_t);
int upc_lock_attempt(upc_shared_ptr_t);
void upc_unlock(upc_shared_ptr_t);
void upc_memget(void *, upc_shared_ptr_t, size_t);
void upc_memput(upc_shared_ptr_t, const void *, size_t);
void upc_memcpy(upc_shared_ptr_t, upc_shared_ptr_t, size_t);
void upc_memset(upc_shared_ptr_t, int, size_t);

EMIT_PROGRAM_INFO;
SHARED(long, object, 16);
SHARED(long, own, 2);
SHARED(upc_shared_ptr_t, held_lock, 1); /* on thread 0: a lock that thread 1 has */
SHARED(long, arrived, 1);               /* on thread 0: notifies of thread 1 */

enum {
    kBarriers = 2 * kColumns,
    kFailedAttempt = kRows,
    kOwnRead,
    kOwnWrite,
    kOwnMemput,
    kOwnMemget,
    kOwnStrictRead,
    kOwnStrictWrite
};
static upc_shared_ptr_t lock, lock_of_other; /* in thread 0's memory: no message is needed to read them */
static long got, notified;

static upc_shared_ptr_t at(size_t byte) { return emit_add_bytes(emit_at(object, 1), byte); }
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

static void perform_row(enum row r, int same) {
    const size_t byte = same ? 0 : 8;
    char block[8] = {0};
    switch ((int)r) {
    case kRowRW: __putdi2(at(byte), 3); break;
    case kRowRR: (void)__getdi2(at(byte)); break;
    case kRowSW: __putsdi2(at(byte), 4); break;
    case kRowSR: (void)__getsdi2(at(byte)); break;
    case kFence: __upc_fence(); break;
    case kNotify: __upc_notify(EMIT_ANONYMOUS); break;
    case kWait: __upc_wait(EMIT_ANONYMOUS); break;
    case kLock: upc_lock(lock); break;
    case kAttempt: CHECK(upc_lock_attempt(lock)); break;
    case kUnlock: upc_unlock(lock); break;
    case kMemget: upc_memget(block, at(byte), 5); break;
    case kMemput: upc_memput(at(byte), block, 8); break;
    case kMemcpy: upc_memcpy(at(byte), at(64), 5); break;
    case kMemset: upc_memset(at(byte + 7), 0, 1); break;
    case kOwnRead: CHECK(__getdi2(emit_at(own, 0)) == 9); break;
    case kOwnWrite: __putdi2(emit_at(own, 0), 9); break;
    case kOwnMemput: upc_memput(emit_at(&own[1], 0), block, 8); break;
    case kOwnMemget: upc_memget(block, emit_at(&own[1], 0), 8); break;
    case kOwnStrictRead: CHECK(__getsdi2(emit_at(own, 0)) == 9); break;
    case kOwnStrictWrite: __putsdi2(emit_at(own, 0), 9); break;
    case kFailedAttempt: CHECK(!upc_lock_attempt(lock_of_other)); break; /* waits for nothing */
    default: break;
    }
}

/* The state that the operation needs; undone after it. */
static void before(enum row r) {
    if (r == kUnlock) upc_lock(lock);
    if (r != kWait) return;
    __upc_notify(EMIT_ANONYMOUS);
    ++notified;
    /* Until the other thread has notified too (and the next barrier, perhaps): only what is outstanding is left to
     * wait for. */
    while ((long)__getsdi2(emit_at(arrived, 0)) < notified) sched_yield();
}
static void after(enum row r) {
    if (r == kLock || r == kAttempt) upc_unlock(lock);
    if (r != kNotify) return;
    __upc_wait(EMIT_ANONYMOUS);
    ++notified;
}

/* The thread's own memory is another place than that of an outstanding access. An operation that does not
 * wait does not poll the network either, except now and then. */
static void test_own_memory(void) {
    for (int r = kOwnRead; r <= kOwnStrictWrite; ++r)
        for (int c = 0; c < kColumns; ++c) {
            const char expected = r >= kOwnStrictRead || c == kSW || c == kSR ? 'X' : '.';
            CHECK(probe((enum row)r, (enum column)c, 0, expected) == expected);
        }
    begin_probe(kRW, kTooManyPolls);
    for (int i = 0; i < 1000; ++i) perform_row((enum row)kOwnWrite, 0);
    CHECK(upcri_fault_polls() == polls_before);
    for (int i = 0; i < 1000; ++i) perform_row((enum row)kOwnRead, 0);
    CHECK(upcri_fault_polls() - polls_before < 100);
    atomic_store(&over, 1);
    while (atomic_load(&seen_by) != atomic_load(&probes)) sched_yield();
    upcri_gupc_sync(UPCRI_GUPC_FENCE);
}

static void test(void) {
    __putdi2(emit_at(own, 0), 9);
    int wrong = 0;
    start_observer();
    FOR_EACH_CELL(r, c, same) {
        before((enum row)r);
        wrong += wrong_cell((enum row)r, (enum column)c, same, 1);
        after((enum row)r);
    }
    CHECK(wrong == 0);
    for (int c = 0; c < kColumns; ++c) CHECK(probe((enum row)kFailedAttempt, (enum column)c, 0, '.') == '.');
    test_own_memory();
    end_observer();
}

/* Thread 0 has two locks; thread 1 acquires one. */
static void share_locks(void) {
    if (MYTHREAD == 0) {
        lock = upc_global_lock_alloc();
        lock_of_other = upc_global_lock_alloc();
        __putblk3(emit_at(held_lock, 0), &lock_of_other, sizeof lock_of_other);
    }
    __upc_barrier(EMIT_ANONYMOUS);
    __getblk3(&lock_of_other, emit_at(held_lock, 0), sizeof lock_of_other);
    if (MYTHREAD == 1) upc_lock(lock_of_other);
    __upc_barrier(EMIT_ANONYMOUS);
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    share_locks();
    if (MYTHREAD == 0) test();
    for (long i = 1; MYTHREAD == 1 && i <= kBarriers; ++i) {
        __upc_notify(EMIT_ANONYMOUS);
        __putsdi2(emit_at(arrived, 0), (emit_di)i);
        __upc_wait(EMIT_ANONYMOUS);
    }
    __upc_barrier(EMIT_ANONYMOUS);
    if (MYTHREAD == 1) upc_unlock(lock_of_other);
    return emit_failures;
}
