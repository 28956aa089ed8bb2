/* SPDX-License-Identifier: BSD-3-Clause */
/* The sieve of Eratosthenes over a cyclic array of char. */
#include <upc_relaxed.h>
#include <stdio.h>
#define LIMIT 1000
shared char composite[LIMIT * THREADS];
shared int counts[THREADS];
int main() {
    long n = LIMIT * (long)THREADS, i, j;
    int count = 0, total = 0;
    for (i = 2; i * i < n; i++) {
        if (composite[i] == 0) {
            upc_forall (j = i * i; j < n; j += i; &composite[j]) composite[j] = 1;
        }
        upc_barrier;
    }
    upc_forall (i = 2; i < 1000; i++; i) count += !composite[i];
    counts[MYTHREAD] = count;
    upc_barrier;
    for (i = 0; i < THREADS; i++) total += counts[i];
    if (total != 168) {
        printf("%d primes\n", total);
        return 1;
    }
    upc_barrier;
    if (!MYTHREAD) puts("done");
    return 0;
}
