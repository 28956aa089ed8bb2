/* SPDX-License-Identifier: BSD-3-Clause */
/* A transposition of a matrix of structs, pointers to rows of a shared two-dimensional array. */
#include <upc_relaxed.h>
#include <stdio.h>
#define N 6
struct entry { short row, column; float value; };
shared [N] struct entry m[THREADS][N][N], t[THREADS][N][N];
int main(void) {
    int i, j, k;
    for (k = 0; k < THREADS; k++)
        upc_forall (i = 0; i < N; i++; &m[k][i][0])
            for (j = 0; j < N; j++) {
                struct entry e = {i, j, 0.5f * i * j + k};
                m[k][i][j] = e;
            }
    upc_barrier;
    for (k = 0; k < THREADS; k++)
        upc_forall (i = 0; i < N; i++; &t[k][i][0]) {
            shared [N] struct entry (*rows)[N] = m[k];
            for (j = 0; j < N; j++) t[k][i][j] = rows[j][i];
        }
    upc_barrier;
    for (k = 0; k < THREADS; k++)
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++)
                if (t[k][i][j].row != j || t[k][i][j].column != i || t[k][i][j].value != 0.5f * i * j + k) return 1;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
