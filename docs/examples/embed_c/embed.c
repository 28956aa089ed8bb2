/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC shared memory in a C program with a main() of its own: bupc_init() joins the job, bupc_exit() leaves
 * it, in between every process is a UPC thread. No translator is involved.
 *
 *     upcc --extern-main embed.c -o embed && upcrun -n 4 ./embed
 */
#include <stdio.h>
#include <upcr.h>

enum { CELLS = 1000 }; /* numbers in each thread's block */

/* The sum of this thread's block, read as plain memory. */
static long sum_of_mine(upcr_shared_ptr_t numbers) {
    const long *mine =
        upcr_shared_to_local(upcr_add_shared(numbers, sizeof(long), CELLS * upcr_mythread(), CELLS));
    long sum = 0;
    int i;
    for (i = 0; i < CELLS; i++) sum += mine[i];
    return sum;
}

int main(int argc, char **argv) {
    upcr_shared_ptr_t numbers, total, lock;
    long threads, i, sum, expected;

    bupc_init(&argc, &argv);
    threads = upcr_threads();

    /* One block of CELLS numbers on each thread; each thread fills its right neighbour's. */
    numbers = upcr_all_alloc(threads, CELLS * sizeof(long));
    total = upcr_all_alloc(1, sizeof(long));
    lock = upcr_all_lock_alloc();
    for (i = 0; i < CELLS; i++) {
        long index = CELLS * ((upcr_mythread() + 1) % threads) + i;
        upcr_put_shared_val(upcr_add_shared(numbers, sizeof(long), index, CELLS), 0, index, sizeof(long));
    }
    if (upcr_mythread() == 0) upcr_memset(total, 0, sizeof(long));
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);

    sum = sum_of_mine(numbers);
    upcr_lock(lock);
    sum += (long)upcr_get_shared_val(total, 0, sizeof(long));
    upcr_put_shared_val(total, 0, sum, sizeof(long));
    upcr_unlock(lock);
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);

    sum = (long)upcr_get_shared_val(total, 0, sizeof(long));
    expected = threads * CELLS * (threads * CELLS - 1) / 2;
    if (upcr_mythread() == 0) {
        if (sum == expected)
            printf("done: a C program and %d numbers a thread\n", CELLS);
        else
            printf("FAILED: sum %ld instead of %ld\n", sum, expected);
    }
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    upcr_all_lock_free(lock);
    upcr_all_free(total);
    upcr_all_free(numbers);
    bupc_exit(sum != expected);
}
