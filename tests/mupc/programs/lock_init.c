/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_lock_init of one lock by several threads at once: one of them makes it, and all of them come back when it is
 * made. Without a communication thread and with shared memory off, thread 0, where the lock is, calls nothing of the
 * runtime until all others have read the lock's state: all find that the lock is new. Linked with
 * --wrap=upcr_global_lock_alloc, to count how many locks are made in the end.
 */
#include "tests/mupc/files.h"
#include "tests/mupc/programs/check.h"
#include <upcr/lock.h> /* without upcr.h, whose names for the same things differ */

enum { kLocks = 4, kMoment = 50000000 /* ns, for a request to arrive */ };
MUPC_SHARED(process, 1, sizeof(uint64_t));
MUPC_SHARED(counts, THREADS, sizeof(uint64_t));
static uint64_t made = 0;

upcr_shared_ptr_t __real_upcr_global_lock_alloc(void);
upcr_shared_ptr_t __wrap_upcr_global_lock_alloc(void);
upcr_shared_ptr_t __wrap_upcr_global_lock_alloc(void) {
    ++made;
    return __real_upcr_global_lock_alloc();
}

static const char *asks(int first, int lock, int thread) {
    return file_of(first, "asks", lock * THREADS + thread);
}

static void wait_for_the_others(int first, int lock) {
    const struct timespec moment = {0, kMoment};
    for (int t = 1; t < THREADS; ++t) wait_for_file(asks(first, lock, t));
    nanosleep(&moment, NULL);
}

int main(void) {
    if (MYTHREAD == 0) put64(process, (uint64_t)getpid());
    UPC_barrier(1);
    const int first = (int)get64(process);
    for (int i = 0; i < kLocks; ++i) {
        const mupc_shared_ptr_t lock = upc_all_lock_alloc();
        UPC_barrier(2);
        if (MYTHREAD == 0) {
            wait_for_the_others(first, i);
        } else {
            make_file(asks(first, i, MYTHREAD));
            upc_lock_init(lock);
            upc_lock(lock); /* an error when it is not ready */
            upc_unlock(lock);
        }
        UPC_barrier(3);
    }
    put64(part(counts, MYTHREAD, 0), made);
    UPC_barrier(4);
    uint64_t all = 0;
    for (int t = 0; t < THREADS; ++t) all += get64(part(counts, t, 0));
    CHECK(all == kLocks);
    return 0;
}
