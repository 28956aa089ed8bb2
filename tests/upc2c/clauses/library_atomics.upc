/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.7 of UPC 1.3's optional part: atomic domains. */
#include <upc.h>
#include <upc_atomic.h>
#include <stdio.h>
#include <stdint.h>
shared int64_t counter;
shared int32_t flags[THREADS];

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_GET | UPC_CSWAP | UPC_INC, 0);
    int64_t one = 1, seen = 0, want = 0, old;
    int i;
    upc_barrier;
    for (i = 0; i < 100; i++) upc_atomic_relaxed(domain, NULL, UPC_ADD, &counter, &one, NULL);
    upc_barrier;
    upc_atomic_strict(domain, &seen, UPC_GET, &counter, NULL, NULL);
    if (seen != 100L * THREADS) return 1;
    upc_barrier;
    if (MYTHREAD == 0) {
        want = seen;
        one = -5;
        upc_atomic_relaxed(domain, &old, UPC_CSWAP, &counter, &want, &one);
        if (old != seen || counter != -5) return 2;
    }
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    if (MYTHREAD == 0) puts("done");
    return 0;
}
