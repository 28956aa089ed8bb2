/* SPDX-License-Identifier: BSD-3-Clause */
/* Affinities of upc_forall of every form: calls, casts, members, conditionals, pointers from shared tables. */
#include <upc.h>
#include "../../upc2c/clauses/check.h"
struct cell {
    int v;
    shared [2] struct cell *nb;
    int arr[3];
};
shared [2] struct cell cells[2 * 4 * THREADS];
shared int *shared dir[THREADS];
shared int store[6 * THREADS];
shared [6] int rows[THREADS][6];
static shared [2] struct cell *at(int i) { return &cells[i]; }
static int n_calls;
static int bound(void) {
    n_calls++;
    return 8 * THREADS;
}
int main(void) {
    int i, j, c, M = 8 * THREADS;
    c = 0;
    upc_forall (i = 0; i < M; i++; at(i)) {
        CHECK(upc_threadof(&cells[i]) == MYTHREAD);
        cells[i].v = i;
        c++;
    }
    CHECK(c == 8);
    c = 0;
    upc_forall (i = 0; i < bound(); i++; &cells[i].arr[1]) c++;
    CHECK(c == 8 && n_calls == M + 1);
    c = 0;
    upc_forall (i = 0; i < M; i++; (j = i, i)) c += j == i;
    CHECK(c == 8);
    c = 0;
    upc_forall (i = 0; i < M; i++; i % 2 ? i : i + 1) c++;
    (void)c;
    c = 0;
    upc_forall (i = 0; i < M; i++; (int)(i * 1.0)) c++;
    CHECK(c == 8);
    c = 0;
    upc_forall (i = 0; i < M; i++; (unsigned char)i) c++;
    c = 0;
    upc_forall (i = 0; i < M; i++; (shared void *)at(i)) c++;
    CHECK(c == 8);
    c = ({
        int k = 0;
        upc_forall (int q = 0; q < 2 * THREADS; q++; q) k++;
        k;
    });
    CHECK(c == 2);
    upc_barrier;
    upc_forall (i = 0; i < M; i++; &cells[i]) cells[i].nb = &cells[(i + 1) % M];
    upc_barrier;
    c = 0;
    {
        shared [2] struct cell *p = cells;
        int k;
        for (k = 0; k < M; k++) {
            c += p->v;
            p = p->nb;
        }
        CHECK(p == cells && c == M * (M - 1) / 2);
    }
    upc_barrier;
    upc_forall (i = 0; i < M; i++; cells[i].nb) {
        CHECK(upc_threadof(cells[i].nb) == MYTHREAD);
        cells[i].nb->arr[2] = i;
    }
    upc_barrier;
    for (i = 0; i < M; i++) CHECK(cells[(i + 1) % M].arr[2] == i);
    dir[MYTHREAD] = &store[MYTHREAD];
    upc_barrier;
    upc_forall (i = 0; i < THREADS; i++; dir[i]) {
        CHECK(i == MYTHREAD);
        dir[i][0] = i;
    }
    upc_barrier;
    upc_forall (i = 0; i < THREADS; i++; &rows[i][0])
        upc_forall (j = 0; j < 6; j++; &rows[i][j]) rows[i][j] = i * 6 + j;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        for (j = 0; j < 6; j++) CHECK(rows[i][j] == i * 6 + j);
    upc_barrier;
    upc_forall (i = 0; i < THREADS; i++; rows[i]) {
        CHECK(i == MYTHREAD);
    }
    upc_forall (i = 0; i < THREADS; i++; *rows)
        ;
    upc_forall (i = M - 1; i > 0; i -= 3; &cells[i])
        ;
    upc_forall (i = 1; i < M; i *= 2; i)
        ;
    upc_forall (i = 0, j = 0; i < M && j < 1000; i++, j += 2; &store[j % (6 * THREADS)])
        store[j % (6 * THREADS)] += 0;
    {
        int total = 0;
        upc_forall (i = 0; i < M; i++; i) {
            if (i % 3 == 0) continue;
            int t = i;
            {
                int i = 5;
                t += i - 5;
            }
            total += t;
            if (t < 0) goto out;
        }
    out:
        CHECK(total >= 0);
    }
    {
        int w = 0;
        upc_forall (i = 0; i < M; i++; &cells[i])
            if (i & 1)
                w++;
            else
                w += 2;
        CHECK(w == 12);
    }
    {
        int k = 0;
        while (k < 2) {
            upc_forall (i = 0; i < THREADS; i++; i) k++;
        }
        CHECK(k == 2);
    }
    {
        int k = 0;
        switch (1) {
        case 1:
            upc_forall (i = 0; i < 3 * THREADS; i++; i) {
                switch (i / THREADS) {
                case 0: k += 1; break;
                case 1: k += 10; break;
                default: k += 100;
                }
            }
        }
        CHECK(k == 111);
    }
    {
        volatile int vi;
        int cc = 0;
        upc_forall (vi = 0; vi < 2 * THREADS; vi++; vi) cc++;
        CHECK(cc == 2);
    }
    {
        static int si;
        int cc = 0;
        upc_forall (si = 0; si < 2 * THREADS; si++; si) cc++;
        CHECK(cc == 2 && si == 2 * THREADS);
    }
    {
        shared int *p;
        int cc = 0;
        upc_forall (p = store; p != store + 6 * THREADS; p++; p) cc++;
        CHECK(cc == 6);
    }
    {
        int cc = 0;
        upc_forall (char ch = 0; ch < 3; ch++; continue) cc++;
        CHECK(cc == 3);
    }
    {
        int cc = 0;
        upc_forall (size_t z = 2 * THREADS; z-- > 0;; z) cc++;
        CHECK(cc == 2);
    }
    {
        int cc = 0;
        upc_forall (long z = 0; z <= 2 * THREADS - 1; z += 1; z + 1) cc++;
        CHECK(cc == 2);
    }
    {
        int cc = 0;
        upc_forall (i = -2 * THREADS; i < 0; i++; i + 2 * THREADS) cc++;
        CHECK(cc == 2);
    }
    {
        unsigned k;
        int cc = 0;
        upc_forall (k = 0; k < 2u * THREADS; ++k; k) cc++;
        CHECK(cc == 2);
    }
    return finish();
}
