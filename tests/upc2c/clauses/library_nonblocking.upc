/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.8: non-blocking transfers with explicit and implicit handles. */
#include <upc.h>
#include <upc_nb.h>
#include <stdio.h>
#define N 32
shared [N] int a[N * THREADS], b[N * THREADS];

int main(void) {
    int out[N], in[N], i, next = (MYTHREAD + 1) % THREADS;
    upc_handle_t handle;
    for (i = 0; i < N; i++) out[i] = MYTHREAD * N + i;
    handle = upc_memput_nb(&a[N * next], out, sizeof out);
    while (!upc_sync_attempt(handle))
        ;
    upc_barrier;
    upc_memcpy_nbi(&b[N * MYTHREAD], &a[N * next], N * sizeof(int));
    upc_synci();
    upc_barrier;
    handle = upc_memget_nb(in, &b[N * MYTHREAD], sizeof in);
    upc_sync(handle);
    for (i = 0; i < N; i++)
        if (in[i] != MYTHREAD * N + i) return 1;
    if (UPC_COMPLETE_HANDLE != UPC_COMPLETE_HANDLE) return 2;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
