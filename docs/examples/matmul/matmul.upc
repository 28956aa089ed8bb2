/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared arrays with initialisers of every layout: c = a * b, rows weighted. a and c have four rows a
 * thread, dealt row by row; b is on thread 0 as a whole; weights are dealt one by one.
 */
#include <upc_relaxed.h>
#include <stdio.h>

#define N 4
#define ROWS (N * THREADS)

shared [N] double a[N * THREADS][N] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11}}; /* the rest is 0 */
shared [] double b[N][N] = {{1, 0, 0, 2}, {0, 1, 0, 2}, {0, 0, 1, 2}, {1, 1, 1}};
shared int weight[N * THREADS] = {1, 2, 3};
shared [N] double c[N * THREADS][N];
shared int mistakes = 0;

int main(void)
{
    static const double first[3][N] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 0}};
    static const double factor[N][N] = {{1, 0, 0, 2}, {0, 1, 0, 2}, {0, 0, 1, 2}, {1, 1, 1, 0}};
    double row[N], sum;
    int i, j, k, wrong = 0;
    upc_lock_t *lock = upc_all_lock_alloc();

    upc_forall (i = N; i < ROWS; i++; &a[i][0]) { /* rows that the initialiser left at 0 */
        for (j = 0; j < N; j++) a[i][j] += i + j;
        weight[i] += 1;
    }
    upc_barrier;
    upc_forall (i = 0; i < ROWS; i++; &c[i][0])
        for (j = 0; j < N; j++) {
            for (k = 0, sum = 0.0; k < N; k++) sum += a[i][k] * b[k][j];
            c[i][j] = weight[i] * sum;
        }
    upc_barrier;
    upc_forall (i = ROWS - 1; i >= 0; i--; i + 1) { /* by another thread than the one that computed it */
        upc_memget(row, &c[i], sizeof row);
        for (j = 0; j < N; j++) {
            for (k = 0, sum = 0.0; k < N; k++)
                sum += (i < 3 ? first[i][k] : i < N ? 0 : i + k) * factor[k][j];
            wrong += row[j] != sum * (i < 3 ? i + 1 : i < N ? 0 : 1);
        }
    }
    upc_lock(lock);
    mistakes += wrong;
    upc_unlock(lock);
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 0; i < N; i++) {
            for (j = 0; j < N; j++) printf("%6g", c[i][j]);
            printf("\n");
        }
        if (mistakes == 0) printf("done\n");
        else printf("FAILED: %d elements\n", mistakes);
    }
    return wrong;
}
