/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over elements of the next thread, which are copied where they are not mapped: what is read, written and
 * changed, in any step and direction, also much more than is copied at once; and that what is written is read later
 * in the loop, that runs may overlap, that nothing is read outside of an object, and nothing written that the program
 * does not write. */
#include "../../clauses/check.h"

#define N 9000 /* more than a copy of 64 KiB */
#define B 40
struct item {
    char tag;
    double value;
    short small;
    char rest[45];
};
shared [N] double numbers[N * THREADS];
shared [N] long words[N * THREADS];
shared [N] char bytes[N * THREADS];
shared [N] struct item items[N * THREADS];
shared [B] int blocks[50 * B * THREADS];
shared int cyclic[N * THREADS];

static int next(void) { return (MYTHREAD + 1) % THREADS; }
static long value(int thread, int i) { return 100000L * thread + i; }

/* Every thread writes the next one's elements, and reads those that another has written. */
static void whole_arrays(void) {
    shared [] double *to = (shared [] double *)&numbers[next() * N];
    const int there = next(), writer = MYTHREAD == 0 ? THREADS - 1 : MYTHREAD - 1;
    const double *mine = (double *)&numbers[MYTHREAD * N];
    double sum = 0, expected = 0;
    int i;
    for (i = 0; i < N; i++) to[i] = value(MYTHREAD, i);
    upc_barrier;
    for (i = 0; i < N; i++) CHECK(mine[i] == value(writer, i));
    for (i = 0; i < N; i++) sum += to[i];
    for (i = 0; i < N; i++) expected += value(MYTHREAD, i);
    CHECK(sum == expected);
    upc_barrier;
    for (i = N; i > 0; i--) to[i - 1] = to[i - 1] * 2 + words[there * N + i - 1];
    upc_barrier;
    for (i = 0; i < N; i++) CHECK(mine[i] == 2 * value(writer, i) + words[MYTHREAD * N + i]);
    upc_barrier;
    for (i = 0; i < N; i += 3) to[i] += 1;
    upc_barrier;
    for (i = 0; i < N; i++)
        CHECK(mine[i] == 2 * value(writer, i) + words[MYTHREAD * N + i] + (i % 3 == 0));
    upc_barrier;
}

/* Members, one by one and several of one structure. */
static void members(void) {
    shared [] struct item *to = (shared [] struct item *)&items[next() * N];
    const struct item *mine = (struct item *)&items[MYTHREAD * N];
    int i;
    for (i = 0; i < N; i++) {
        to[i].tag = (char)i;
        to[i].small = i % 1000;
    }
    for (i = 0; i < N; i++) to[i].value = to[i].small + to[i].tag;
    upc_barrier;
    for (i = 0; i < N; i++) CHECK(mine[i].tag == (char)i && mine[i].small == i % 1000);
    for (i = 0; i < N; i++) CHECK(mine[i].value == (char)i + i % 1000);
    upc_barrier;
}

/* Blocks of the array in turn, up and down; elements of one thread in a cyclic array. */
static void in_blocks(void) {
    const int total = 50 * B * THREADS, there = next();
    int i;
    long sum = 0, expected = 0;
    if (MYTHREAD == 0)
        for (i = 0; i < total; i++) blocks[i] = i;
    upc_barrier;
    for (i = total - 1; i >= 0; i -= 2) sum += blocks[i];
    for (i = total - 1; i >= 0; i -= 2) expected += i;
    CHECK(sum == expected);
    for (i = there; i < N * THREADS; i += THREADS) cyclic[i] = i;
    upc_barrier;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) CHECK(cyclic[i] == i);
    sum = expected = 0;
    for (i = there; i < N * THREADS; i += THREADS) sum += cyclic[i];
    for (i = there; i < N * THREADS; i += THREADS) expected += i;
    CHECK(sum == expected);
    upc_barrier;
}

/* An iteration reads what an earlier one has written. */
static void recurrences(void) {
    shared [] long *to = (shared [] long *)&words[next() * N], *also = to, *shifted = to + 5;
    long sum = 0;
    int i;
    to[0] = 1;
    for (i = 1; i < N; i++) to[i] = to[i - 1] + 1;
    CHECK(to[N - 1] == N && to[N / 2] == N / 2 + 1);
    for (i = 0; i < N - 5; i++) {
        to[i] = 3;
        sum += also[i];
        shifted[i] = 4; /* changed to 3 five iterations later */
    }
    CHECK(sum == 3L * (N - 5) && to[N - 6] == 3 && to[N - 5] == 4);
    for (i = 0; i < N / 2; i++) to[2 * i + 1] = 2 * i + to[2 * i];
    for (i = 0; i < N / 2; i++) sum += to[2 * i + 1] - to[2 * i];
    CHECK(sum == 3L * (N - 5) + (long)(N / 2) * (N / 2 - 1));
    for (i = 0; i < N; i++) {
        to[i] = i;
        to[i] = to[i] * 2;
        sum = to[i];
    }
    CHECK(sum == 2L * (N - 1));
    upc_barrier;
}

/* One element in every iteration, also where a run goes over it; of the own and of the next thread. */
static void one_element(void) {
    static shared long sums[THREADS];
    static shared long steps;
    shared [] long *to = (shared [] long *)&words[next() * N];
    const int there = next();
    long expected = 0;
    int i;
    for (i = 0; i < N; i++) to[i] = i;
    for (i = 0; i < N; i++) sums[there] += to[i];
    for (i = 0; i < N; i++) expected += i;
    CHECK(sums[there] == expected);
    for (i = 0; i < N / THREADS; i++) to[10] += to[i]; /* what it adds changes at 10 */
    expected = 10;
    for (i = 0; i < N / THREADS; i++) expected += i == 10 ? expected : i;
    CHECK(to[10] == expected);
    upc_barrier;
    for (i = 0; i < N; i++) sums[MYTHREAD]++;
    CHECK(sums[MYTHREAD] == (long)N * (N - 1) / 2 + N);
    if (MYTHREAD == THREADS - 1)
        for (i = 1; i <= N; i++) {
            steps = i;
            if (i % 2) steps += 3;
        }
    upc_barrier;
    CHECK(steps == (N % 2 ? N + 3 : N));
    upc_barrier;
}

/* The object ends before the loop does, and begins after it. */
static void ends(void) {
    shared [] long *end = upc_alloc(100 * sizeof(long));
    static shared [] long *shared all[THREADS];
    shared [] long *there;
    long sum = 0;
    int i;
    for (i = 0; i < 100; i++) end[i] = i;
    all[MYTHREAD] = end;
    upc_barrier;
    there = all[next()];
    for (i = -500000; i < 500000; i++)
        if (i >= 0 && i < 100) sum += there[i];
    for (i = -500000; i < 500000; i++) sum += i < 0 || i > 99 ? 0 : there[i];
    for (i = -500000; i < 500000; i++) {
        if (i < 0 || i > 99) continue;
        there[i] += 5;
    }
    CHECK(sum == 2 * 4950);
    upc_barrier;
    for (i = 0; i < 100; i++) CHECK(end[i] == i + 5);
    upc_barrier;
    upc_free(end);
}

/* Twenty runs in one loop: all are read, three of them written. */
enum { M = N / 20 };
static void many_runs(void) {
    shared [] double *r0 = (shared [] double *)&numbers[next() * N];
    shared [] double *r1 = r0 + 1 * M, *r2 = r0 + 2 * M, *r3 = r0 + 3 * M, *r4 = r0 + 4 * M, *r5 = r0 + 5 * M;
    shared [] double *r6 = r0 + 6 * M, *r7 = r0 + 7 * M, *r8 = r0 + 8 * M, *r9 = r0 + 9 * M, *r10 = r0 + 10 * M;
    shared [] double *r11 = r0 + 11 * M, *r12 = r0 + 12 * M, *r13 = r0 + 13 * M, *r14 = r0 + 14 * M, *r15 = r0 + 15 * M;
    shared [] double *r16 = r0 + 16 * M, *r17 = r0 + 17 * M, *r18 = r0 + 18 * M, *r19 = r0 + 19 * M;
    int i;
    for (i = 0; i < 20 * M; i++) r0[i] = i;
    for (i = 0; i < M; i++) {
        r19[i] += r0[i] + r1[i] + r2[i] + r3[i] + r4[i] + r5[i] + r6[i] + r7[i] + r8[i];
        r18[i] += r9[i] + r10[i] + r11[i] + r12[i] + r13[i] + r14[i] + r15[i] + r16[i];
        r17[i] *= 2;
    }
    for (i = 0; i < M; i++)
        CHECK(r19[i] == 55 * M + 10 * i && r18[i] == 118 * M + 9 * i && r17[i] == 2 * (17 * M + i));
    upc_barrier;
}

/* All threads write different elements of one thread's array at once, in turns and by conditions. */
static void no_other_writes(void) {
    int i, round;
    shared [] char *to = (shared [] char *)bytes;
    shared [] long *sums = (shared [] long *)words;
    if (MYTHREAD == 0)
        for (i = 0; i < N; i++) sums[i] = to[i] = 0;
    upc_barrier;
    for (round = 0; round < 20; round++) {
        for (i = MYTHREAD; i < N; i += THREADS) to[i]++;
        for (i = 0; i < 300; i++)
            if (i % THREADS == MYTHREAD) sums[i] += round;
        if (MYTHREAD == 1)
            for (i = 0; i < N; i++) items[i].small = round;
        else if (MYTHREAD == 2)
            for (i = 0; i < N; i++) items[i].tag = round;
    }
    upc_barrier;
    for (i = MYTHREAD; i < N; i += THREADS) CHECK(to[i] == 20 && sums[i] == (i < 300 ? 190 : 0));
    for (i = 0; i < N; i++) {
        CHECK(THREADS < 2 || items[i].small == 19);
        CHECK(THREADS < 3 || items[i].tag == 19);
    }
    upc_barrier;
}

int main(void) {
    whole_arrays();
    members();
    in_blocks();
    recurrences();
    one_element();
    ends();
    many_runs();
    no_other_writes();
    return finish();
}
