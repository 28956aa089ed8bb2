/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.2.5: upc_memcpy, upc_memget, upc_memput, upc_memset, from and to objects of any layout. */
#include <upc.h>
#include <stdio.h>
#include <string.h>
#define N 24
shared [N] int a[N * THREADS], b[N * THREADS];
shared [] char text[64];

int main(void) {
    int buffer[N], i, next = (MYTHREAD + 1) % THREADS;
    for (i = 0; i < N; i++) buffer[i] = 1000 * MYTHREAD + i;
    upc_memput(&a[N * next], buffer, sizeof buffer);
    upc_barrier;
    upc_memcpy(&b[N * MYTHREAD], &a[N * next], N * sizeof(int));
    upc_barrier;
    upc_memget(buffer, &b[N * MYTHREAD + 4], (N - 4) * sizeof(int));
    for (i = 4; i < N; i++)
        if (buffer[i - 4] != 1000 * MYTHREAD + i) return 1;
    upc_memset(&a[N * MYTHREAD], -1, N / 2 * sizeof a[0]);
    if (a[N * MYTHREAD] != -1 || a[N * MYTHREAD + N / 2 - 1] != -1 || a[N * MYTHREAD + N / 2] < 0) return 2;
    if (MYTHREAD == THREADS - 1) upc_memput(text, "shared text", 12);
    upc_barrier;
    {
        char copy[12];
        upc_memget(copy, text, sizeof copy);
        if (strcmp(copy, "shared text") || text[7] != 't') return 3;
    }
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
