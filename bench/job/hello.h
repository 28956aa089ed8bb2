/* SPDX-License-Identifier: BSD-3-Clause */
/* The work of the smallest UPC programs: greet, allocate, meet, add up under a lock. */
#ifndef BENCH_JOB_HELLO_H
#define BENCH_JOB_HELLO_H
#include <stdio.h>
#include <upcr.h>

/* Collective. 0, or 1 with a message when the sum is wrong. */
static int greet(void) {
    upcr_shared_ptr_t total = upcr_all_alloc(1, sizeof(long)), lock = upcr_all_lock_alloc();
    const long me = (long)upcr_mythread(), threads = (long)upcr_threads();
    long sum;

    printf("Hello from UPC thread %ld of %ld\n", me, threads);
    if (me == 0) upcr_put_shared_val(total, 0, 0, sizeof(long));
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    upcr_lock(lock);
    upcr_put_shared_val(total, 0, upcr_get_shared_val(total, 0, sizeof(long)) + (upcr_register_value_t)me,
                        sizeof(long));
    upcr_unlock(lock);
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    sum = (long)upcr_get_shared_val(total, 0, sizeof(long));
    if (sum == threads * (threads - 1) / 2) return 0;
    fprintf(stderr, "thread %ld: sum %ld\n", me, sum);
    return 1;
}

#endif
