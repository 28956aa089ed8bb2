/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/observing.md: traffic that can be counted by reading, and thread 1 that computes for 50 ms. */
#include <unistd.h>
#include <upc_relaxed.h>

shared int words[THREADS];
upc_lock_t *lock;

int main(void) {
    const int there = (MYTHREAD + 1) % THREADS;
    int sum = 0;
    lock = upc_all_lock_alloc();
    upc_barrier;
    for (int i = 0; i < 100; ++i) words[there] = i;
    upc_barrier;
    for (int i = 0; i < 50; ++i) sum += words[there];

    /* One after the other. */
    upc_lock(lock);
    usleep(1000);
    upc_unlock(lock);
    if (MYTHREAD == 1) usleep(50000);
    upc_barrier;
    return sum < 0;
}
