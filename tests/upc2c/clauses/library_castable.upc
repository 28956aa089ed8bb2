/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.6: castability; upc_cast gives a private pointer or null. */
#include <upc.h>
#include <upc_castable.h>
#include <stdio.h>
shared int a[THREADS];

int main(void) {
    int i, *p = upc_cast(&a[MYTHREAD]);
    upc_thread_info_t info = upc_thread_info(MYTHREAD);
    if (p == NULL || !info.guaranteedCastable) return 1;
    *p = 5 + MYTHREAD;
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        int *q = upc_cast(&a[i]);
        if (a[i] != 5 + i || (q != NULL && *q != 5 + i)) return 2;
    }
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
