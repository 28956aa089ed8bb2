/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of several arrays that are read together give what was written last, by whatever name; what is read behind a
 * store, a strict access, a barrier or a call is not fetched before it. */
#include "../../clauses/check.h"

#define N 40
shared int a[N * THREADS], b[N * THREADS], total;
shared [3] double blocked[N * THREADS];
shared [] short *flat;
shared int *shared top;
shared struct { int x, y; } points[N * THREADS];
strict shared int flag, answer;

static int last(void) { return THREADS - 1; }
__attribute__((noinline)) static void store(shared int *p, int value) { *p = value; }

static void values(void) {
    int i, j, sum;
    for (i = 0; i < N * THREADS; i++) {
        const int k = a[i] + b[N * THREADS - 1 - i];
        const double d = blocked[i] * 2;
        CHECK(k == N * THREADS - 1 && d == i);
        CHECK(flat[i % N] + points[i].x * points[i].y == i % N + i * (i + 1));
        j = (i * 7) % (N * THREADS);
        sum = a[j] + a[i];
        CHECK(sum == i + j && b[i] + b[j] + total == sum + 9);
        shared int *p = &a[j], *q = top;
        CHECK(*p + *q + q[1] == j + 5 + 6);
    }
    upc_barrier;
}

/* What the program guards stays guarded. */
__attribute__((noinline)) static int guarded(shared int *p, shared int *q) { return p && q ? *p + *q : -1; }
__attribute__((noinline)) static int guarded_too(shared int *p, shared int *q) { return p && *p == 5 && q && *q == 5; }
static void guards(void) {
    CHECK(guarded(NULL, top) == -1 && guarded(top, NULL) == -1 && guarded(top, top) == 10);
    CHECK(!guarded_too(NULL, top) && !guarded_too(top, NULL) && guarded_too(top, top));
    upc_barrier;
}

/* Each thread has its own elements, under several names. */
static void stores(void) {
    int i, k;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) {
        shared int *p = &a[i], *q = &a[i];
        int *l = (int *)p;
        k = a[i] + b[i];
        *p = 3;
        k += a[i] + b[i];
        CHECK(k == 3 * i + 3);
        k = *q + b[i];
        *l = 4;
        k += *q + b[i];
        CHECK(k == 3 + 4 + 2 * i);
        k = *q * 10 + b[i];
        store(p, 5);
        CHECK(k == 40 + i && *q + b[i] == 5 + i);
        k = *q + b[i], b[i] = 7, k += *q + b[i];
        CHECK(k == 5 + i + 5 + 7);
        k = (*p = 9, a[i] + b[i]);
        CHECK(k == 16);
        p = &b[i];
        k = *p + *q;
        p = q;
        k += *p + b[i];
        CHECK(k == 16 + 16);
    }
    upc_barrier;
}

/* Thread 0 reads what the last thread writes between the reads. */
static void order(void) {
    int i, first, second;
    if (THREADS == 1) return;
    if (MYTHREAD == 0)
        for (i = 1; i <= 200; i++) {
            first = a[1] + total * 0;
            flag = i;
            while (answer != i) ;
            second = a[1] + b[1];
            CHECK(first == i - 1 && second == 3 * i);
        }
    if (MYTHREAD == last())
        for (i = 1; i <= 200; i++) {
            if (i == 1) b[1] = 0;
            while (flag != i) ;
            a[1] = i, b[1] = 2 * i;
            answer = i;
        }
    upc_barrier;
    for (i = 0; i < 20; i++) {
        first = a[2];
        upc_barrier;
        if (MYTHREAD == last()) b[2] = i, a[2] = i + 1;
        upc_barrier;
        second = b[2];
        CHECK(second == i && a[2] + b[2] == 2 * i + 1 && (i == 0 || first == i));
        upc_barrier;
    }
}

int main(void) {
    int i;
    flat = upc_all_alloc(1, N * sizeof(short));
    if (MYTHREAD == 0) {
        for (i = 0; i < N * THREADS; i++) {
            a[i] = b[i] = i, blocked[i] = i / 2.0;
            points[i].x = i, points[i].y = i + 1;
        }
        for (i = 0; i < N; i++) flat[i] = (short)i;
        total = 9;
        top = &a[5];
    }
    upc_barrier;
    values();
    guards();
    stores();
    if (MYTHREAD == 0) a[1] = 0;
    upc_barrier;
    order();
    return finish();
}
