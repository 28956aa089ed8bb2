/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements at constant distances, as those of a stencil: p[i - 1] and p[i + 1]. Loops over shared arrays give what C
 * gives for private ones, in either direction, where elements are also written, and where only some iterations access
 * them; and nothing but the elements that the loop names is written. */
#include "../../clauses/check.h"

#define N 40
shared [] double *from, *to; /* of another thread, if there is one */
shared [] long *longs;
static double from_model[3 * N], to_model[3 * N];
static long longs_model[3 * N];

static void clear(void) {
    int i;
    for (i = 0; i < 3 * N; i++) {
        from[i] = from_model[i] = 1 + i * i % 17;
        to[i] = to_model[i] = -i;
        longs[i] = longs_model[i] = 100 * i;
    }
}

static int same(void) {
    int i, differences = 0;
    for (i = 0; i < 3 * N; i++)
        differences += from[i] != from_model[i] || to[i] != to_model[i] || longs[i] != longs_model[i];
    return differences == 0;
}

/* The same statement for shared and for private arrays. */
#define BOTH(head, ...)                                                              \
    do {                                                                             \
        clear();                                                                     \
        {                                                                            \
            shared [] double *a = from + N, *b = to + N;                             \
            shared [] long *c = longs + N;                                           \
            (void)a, (void)b, (void)c;                                               \
            for (head) __VA_ARGS__                                                   \
        }                                                                            \
        {                                                                            \
            double *a = from_model + N, *b = to_model + N;                           \
            long *c = longs_model + N;                                               \
            (void)a, (void)b, (void)c;                                               \
            for (head) __VA_ARGS__                                                   \
        }                                                                            \
        CHECK(same());                                                               \
    } while (0)

static void stencils(int n) {
    int i, k = 3;
    long l;
    unsigned u;
    unsigned long z;
    BOTH(i = 1; i < n - 1; i++, { b[i] = 0.25 * (a[i - 1] + a[i + 1]); });
    BOTH(i = n - 2; i > 0; i--, { b[i] = a[i + 1] - 2 * a[i] + a[i - 1]; });
    BOTH(i = 1; i < n / 3; i++, { b[i] = a[3 * i - 1] + a[3 * i + 1] * a[3 * i]; });
    BOTH(i = n; i > 0; i -= 2, { b[i] = a[4 - i + 1] + a[4 - i - 3]; });
    BOTH(l = 1; l < n; l++, { b[l] = *(a + (l - k) + 2) + *(a + l - k - 2) + *(a - k + l); });
    BOTH(i = 1; i < n; i++, { b[i] = a[i + k] + a[k + i + 1] + a[i + 2 * k]; });
    BOTH(z = 3; z < (unsigned long)n; z++, { b[z] = a[z - 3] - a[z + 3]; });
    BOTH(u = 3; u < (unsigned)n; u++, { b[u] = a[u - 3] - a[u + 3]; });
    BOTH(i = 0; i < n; i++, { b[i] = a[i - 40] + a[i + 40] + a[i - 17] + a[i + 15]; });
    BOTH(i = 0; i < 1; i++, { b[i] = a[i - 2] + a[i + 2]; });
    BOTH(i = 0; i < n; i += 9, { b[i] = a[i - 2] + a[i + 2]; });
}

static void updates(int n) {
    int i;
    BOTH(i = 1; i < n - 1; i++, { a[i] = 0.25 * (a[i - 1] + a[i + 1]); });
    BOTH(i = n - 2; i > 0; i--, { a[i] = 0.25 * (a[i - 1] + a[i + 1]); });
    BOTH(i = 4; i < n; i++, { c[i] += c[i - 4] + c[i + 2]; c[i - 1]++; });
    BOTH(i = 0; i < n / 4; i++, { c[4 * i + 2] = c[4 * i] + c[4 * i + 3]; });
    BOTH(i = 0; i < 3; i++, { c[i] = c[i - 9] + c[i + 9]; });
    BOTH(i = 0; i < n; i++, { c[i] = c[i - 15]; b[i] = a[i] - a[i - 1]; });
    BOTH(i = 0; i < n; i++, { double x = a[i - 1], y = a[i + 1]; b[i + 1] = x; b[i - 1] = y; });
    BOTH(i = 0; i < n - 1; i++, { long x = c[i + 1]; c[i + 1] = c[i]; c[i] = x; });
}

/* Elements that not every iteration has must not be accessed: they may lie outside of the object. */
static void guarded(int n) {
    int i;
    BOTH(i = 0; i < n; i++, { b[i] = (i > 0 ? a[i - 1] : 0) + (i + 1 < n ? a[i + 1] : 0) + a[i]; });
    BOTH(i = 0; i < n; i++, { if (i % 3 == 1) b[i] = a[i - 1] + a[i + 1]; });
    BOTH(i = 0; i < n; i++, { if (a[i] > 5) a[i + 1] = a[i - 1]; });
}

/* Two pointers into one array: nobody knows before run time. */
static void overlaps(int n) {
    int i, distance;
    for (distance = -20; distance <= 20; distance++) {
        shared [] double *p = from + N, *q = from + N + distance;
        clear();
        for (i = 1; i < n; i++) p[i] = q[i - 1] + q[i + 1];
        for (i = 1; i < n; i++)
            (from_model + N)[i] = (from_model + N + distance)[i - 1] + (from_model + N + distance)[i + 1];
        CHECK(same());
    }
}

int main(void) {
    shared [] double *shared *pointers = upc_all_alloc(2 * THREADS, sizeof(shared [] double *));
    int t, other = (MYTHREAD + 1) % THREADS;
    for (t = 0; t < 2; t++)
        pointers[t * THREADS + MYTHREAD] = (shared [] double *)upc_alloc(3 * N * sizeof(double));
    longs = (shared [] long *)upc_alloc(3 * N * sizeof(long));
    upc_barrier;
    from = pointers[other];
    to = pointers[THREADS + other];
    stencils(N);
    updates(N);
    guarded(N);
    overlaps(N);
    upc_barrier;
    return finish();
}
