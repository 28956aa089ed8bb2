/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.6.2: of loops in the dynamic extent of each other only the outermost with affinity distributes;
 * bodies and clauses of every form. */
#include "check.h"

enum { N = 12 };
shared int a[N * THREADS], b[N][THREADS];
static int ran;

static void expect(int n)
{
    static shared int count[THREADS];
    int i, total = 0;
    count[MYTHREAD] = ran;
    upc_barrier;
    for (i = 0; i < THREADS; i++) total += count[i];
    CHECK(total == n);
    upc_barrier;
    ran = 0;
}

static void distributed(int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; i) ran++;
}
static void deeper(int n) { distributed(n); }
static void (*pointer)(int) = deeper;
static void leaves(int how)
{
    int i;
    upc_forall (i = 0; i < N; i++; MYTHREAD) {
        ran++;
        deeper(0);
        if (how == 0) return;
        if (how == 1) goto out;
        if (how == 2) break;
    }
out:
    ran++;
}
static int recursive(int depth)
{
    int i, n = 0;
    upc_forall (i = 0; i < 2 * THREADS; i++; i) n += depth == 0 ? 1 : recursive(depth - 1);
    return n;
}

static void test_nested(void)
{
    int i, j;
    upc_forall (i = 0; i < N; i++; i) upc_forall (j = 0; j < N; j++; j) { CHECK(i % THREADS == MYTHREAD); ran++; }
    expect(N * N);
    upc_forall (i = 0; i < N; i++; continue) upc_forall (j = 0; j < N; j++; j) { CHECK(j % THREADS == MYTHREAD); ran++; }
    expect(N * N);
    upc_forall (i = 0; i < N; i++; i) upc_forall (j = 0; j < N; j++; ) upc_forall (int k = 0; k < N; k++; &a[k]) ran++;
    expect(N * N * N);
    for (i = 0; i < N; i++) upc_forall (j = 0; j < N; j++; &a[j]) { CHECK(upc_threadof(&a[j]) == MYTHREAD); ran++; }
    expect(N * N);
}

static void test_calls(void)
{
    int i;
    distributed(N);
    expect(N);
    upc_forall (i = 0; i < N; i++; i) distributed(N);
    expect(N * N);
    upc_forall (i = 0; i < N; i++; i) pointer(N);
    expect(N * N);
    upc_forall (i = 0; i < N; i++; continue) deeper(N);
    expect(N * N);
    upc_forall (i = 0; i < N; i++; i) { distributed(2); distributed(3); }
    distributed(1);
    expect(N * 5 + 1);
    ran = recursive(2);
    expect(2 * THREADS * 2 * THREADS * 2 * THREADS);
    for (i = 0; i < 3; i++) {
        leaves(i);
        ran = 0;
        distributed(N);  /* is distributed again after a loop was left */
        expect(N);
    }
}

static void test_forms(void)
{
    int i, j, total = 0;
    shared int *p;
    upc_forall (i = 0, j = 10; i < N; i++, j--; i + j) { ran++; CHECK(10 % THREADS == MYTHREAD && i + j == 10); }
    expect(N);
    CHECK(i == N && j == 10 - N);
    upc_forall (int k = 0, m = N; k < m; k++; k) if (k % 2) continue; else ran++;
    expect(N / 2);
    upc_forall (i = 0; i < N; i++; i) {
        int k;
        for (k = 0; k < 5; k++) { if (k == 3) break; if (k == 1) continue; ran++; }
        switch (i) { case 2: ran += 100; break; default: continue; }
        ran += 1000;
    }
    expect(2 * N + 1100);
    if (total) upc_forall (i = 0; i < N; i++; i) ran++;
    else upc_forall (i = 0; i < N; i++; &b[i][0]) { ran++; CHECK(MYTHREAD == 0); }
    expect(N);
    upc_forall (shared int *q = a; q < a + N; q++; q) { *q = 5; ran++; }
    expect(N);
    upc_forall (p = a; p; p = 0; p) { if (*p == 5) ran++; else ran--; }
    expect(1);
    do upc_forall (i = 0; i < N; i++; i) ran++; while (0);
    expect(N);
    i = ({ int n = 0; upc_forall (int k = 0; k < N; k++; k) n += a[k] == 5; n; });
    ran = i;
    expect(N);
    upc_forall (i = 0; i < N; i++; i) ;
    upc_forall (i = 0; i < a[0]; i += a[1] - 4; a[i % N] + i) ran++;
    expect(5);
    upc_forall (i = N; i-- > 0; ; i) { ran++; CHECK(i % THREADS == MYTHREAD); }
    expect(N);
}

int main(void)
{
    test_nested();
    test_calls();
    test_forms();
    return finish();
}
