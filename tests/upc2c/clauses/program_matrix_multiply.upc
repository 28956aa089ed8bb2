/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix multiplication, rows of A and C distributed, B by columns; the textbook's program. In the static environment
 * the number of elements need not be a multiple of THREADS. */
#include <upc_relaxed.h>
#include <stdio.h>
#define P 12
#define M 16
#ifdef __UPC_STATIC_THREADS__
#define N 8
#define COLUMNS M
shared [N * P / 4] int a[N][P];
shared [N * M / 4] int c[N][M];
shared [M / 4] int b[P][M];
#else
#define N (8 * THREADS)
#define COLUMNS (M * THREADS)
shared [2 * P] int a[8 * THREADS][P];
shared [2 * M] int c[8 * THREADS][M];
shared [M / 4] int b[P][M * THREADS];
#endif

int main(void) {
    int i, j, l, errors = 0;
    upc_forall (i = 0; i < N; i++; &a[i][0])
        for (j = 0; j < P; j++) a[i][j] = i * P + j + 1;
    upc_forall (i = 0; i < P; i++; continue)
        upc_forall (j = 0; j < COLUMNS; j++; &b[i][j]) b[i][j] = j % 4 - i;
    upc_barrier;
    upc_forall (i = 0; i < N; i++; &c[i][0]) {
        for (j = 0; j < M; j++) {
            c[i][j] = 0;
            for (l = 0; l < P; l++) c[i][j] += a[i][l] * b[l][j];
        }
    }
    upc_barrier;
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            int sum = 0;
            for (l = 0; l < P; l++) sum += (i * P + l + 1) * (j % 4 - l);
            if (c[i][j] != sum) errors++;
        }
    if (errors) printf("thread %d: %d errors\n", MYTHREAD, errors);
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return errors != 0;
}
