/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of several dimensions whose blocks end inside rows. */
#include "check.h"
#define R 6
#define C 5
shared [7] int a[R][C * THREADS];
shared [3] short b[THREADS][2][2][3];
shared [4] double c[3][THREADS * 2][3];
shared [2] struct {
    char x[3];
} d[THREADS][5];
int main(void)
{
    int i, j, k, l, t, n = 0;
    for (i = 0; i < R; i++)
        for (j = 0; j < C * THREADS; j++, n++) {
            CHECK(upc_threadof(&a[i][j]) == n / 7 % THREADS && upc_phaseof(&a[i][j]) == n % 7);
            if (upc_threadof(&a[i][j]) == MYTHREAD) a[i][j] = n;
        }
    n = 0;
    for (i = 0; i < THREADS; i++)
        for (j = 0; j < 2; j++)
            for (k = 0; k < 2; k++)
                upc_forall(l = 0; l < 3; l++; &b[i][j][k][l]) b[i][j][k][l] = 1000 * i + 100 * j + 10 * k + l;
    for (i = 0; i < 3; i++)
        for (j = 0; j < THREADS * 2; j++)
            for (k = 0; k < 3; k++, n++) {
                CHECK(upc_threadof(&c[i][j][k]) == n / 4 % THREADS);
                if (MYTHREAD == THREADS - 1) c[i][j][k] = n;
            }
    if (!MYTHREAD)
        for (i = 0; i < THREADS; i++)
            for (j = 0; j < 5; j++)
                for (k = 0; k < 3; k++) d[i][j].x[k] = i + j + k;
    upc_barrier;
    n = 0;
    for (i = 0; i < R; i++)
        for (j = 0; j < C * THREADS; j++, n++) {
            CHECK(a[i][j] == n);
            CHECK(*(a[i] + j) == n);
            CHECK(*(*(a + i) + j) == n);
            CHECK((*(a + i))[j] == n);
            CHECK(j[i[a]] == n);
            CHECK((&a[0][0])[n] == n);
        }
    CHECK(&a[R] - &a[0] == R && a[R - 1] == *(a + R - 1) && (shared [7] int *)(a + 1) - &a[0][0] == C * THREADS);
    for (i = 0; i < THREADS; i++)
        for (j = 0; j < 2; j++)
            for (k = 0; k < 2; k++) {
                shared [3] short *row = b[i][j][k];
                shared [3] short(*pl)[2][3] = b[i];
                CHECK(upc_threadof(row) == (i * 4 + j * 2 + k) % THREADS);
                for (l = 0; l < 3; l++) {
                    CHECK(row[l] == 1000 * i + 100 * j + 10 * k + l);
                    CHECK(pl[j][k][l] == row[l]);
                }
            }
    n = 0;
    for (i = 0; i < 3; i++)
        for (j = 0; j < THREADS * 2; j++)
            for (k = 0; k < 3; k++, n++) CHECK(c[i][j][k] == n);
    for (i = 0; i < THREADS; i++)
        for (j = 0; j < 5; j++)
            for (k = 0; k < 3; k++) CHECK(d[i][j].x[k] == i + j + k);
    for (t = 0; t < THREADS; t++)
        CHECK(sizeof d == 15 * THREADS && sizeof a[0] == C * THREADS * sizeof(int) &&
              sizeof b[0] == 12 * sizeof(short));
    return finish();
}
