/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers-to-shared that walk through arrays, and variables beside the one of the loop: what is read and written, and
 * what they are behind the loop, in arrays of several layouts, up and down. Each loop is beside one that indexes. */
#include "../../clauses/check.h"

#define N 300
#define B 20
shared [] int row[N];
shared [B] int blocks[4 * B * THREADS], others[4 * B * THREADS];
shared int cyclic[N * THREADS];
shared [B] struct { char tag; double d[3]; } items[2 * B * THREADS];
shared [B] int pairs[B * THREADS][2];
static const int size = 4 * B;

static void fill(void) {
    int i;
    upc_barrier;
    if (MYTHREAD == 0)
        for (i = 0; i < N; i++) row[i] = 3 * i + 1;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) cyclic[i] = i;
    upc_forall (i = 0; i < size * THREADS; i++; &blocks[i]) {
        blocks[i] = 7 * i + 2;
        others[i] = 0;
    }
    upc_barrier;
}

/* The pointer is the variable of the loop, or beside it in the head or in the body. */
static void read_along(void) {
    const int total = size * THREADS;
    shared [] int *p;
    shared [B] int *q;
    long sum = 0, expected = 0;
    int i, n;
    for (i = 0; i < N; i++) expected += 3 * i + 1;
    for (p = row; p < row + N; p++) sum += *p;
    CHECK(sum == expected && p == row + N);
    for (p = &row[N - 1], sum = 0; p >= row; p--) sum += *p;
    CHECK(sum == expected && p == row - 1);
    for (p = row, sum = 0; row + N != p; ++p) sum += p[0];
    CHECK(sum == expected && p == row + N);
    for (i = 0, p = row, sum = 0; i < N; i++) sum += *p++;
    CHECK(sum == expected && p == row + N);
    for (i = 0, p = row + N, sum = 0; i < N; i++) sum += *--p;
    CHECK(sum == expected && p == row);
    for (i = 0, p = row, sum = 0; i < N; i++, p++) sum += *p;
    CHECK(sum == expected && p == row + N);
    for (i = 0, p = row + N, sum = 0; i < N; i += 3) {
        sum += *--p;
        p -= 2;
        sum += p[1] + *p;
    }
    CHECK(sum == expected && p == row);
    for (i = 0, expected = 0; i < total; i++) expected += 7 * i + 2;
    for (q = blocks, sum = 0; q < blocks + total; q++) sum += *q;
    CHECK(sum == expected && q == blocks + total);
    for (q = blocks + total - 1, sum = 0, n = total; n > 0; n--) sum += *q--;
    CHECK(sum == expected && q == blocks - 1);
    for (i = 0, expected = 0; i < total; i += 3) expected += 7 * i + 2;
    for (q = blocks, sum = 0; q < &blocks[total]; q += 3) sum += *q;
    CHECK(sum == expected && q - blocks == (total + 2) / 3 * 3);
    for (q = blocks + 5, sum = 0; q < blocks + 5; q++) sum += *q;
    CHECK(sum == 0 && q == blocks + 5);
    upc_barrier;
}

/* Every thread its own part, or thread 0 all. */
static void write_along(void) {
    const int total = size * THREADS;
    shared [B] int *to = &others[total], *from = blocks;
    shared int *c;
    int i, j, left;
    if (MYTHREAD == 0) {
        for (i = 0; i < total; i++) *--to = *from++;
        CHECK(to == others && from == blocks + total);
    }
    upc_barrier;
    for (i = 0; i < total; i++) CHECK(others[i] == 7 * (total - 1 - i) + 2);
    upc_barrier;
    for (c = &cyclic[MYTHREAD]; c < cyclic + N * THREADS; c += THREADS) *c = 2 * MYTHREAD;
    CHECK(c == &cyclic[MYTHREAD + N * THREADS]);
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) CHECK(cyclic[i] == 2 * (i % THREADS));
    upc_barrier;
    upc_forall (c = cyclic; c < cyclic + N * THREADS; c++; c) *c += 5;
    CHECK(c == cyclic + N * THREADS);
    upc_forall (to = others + 3; to <= others + total - 2; to += 2; to) *to = 9;
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) CHECK(cyclic[i] == 2 * (i % THREADS) + 5);
    for (i = 0; i < total; i++) CHECK(others[i] == (i >= 3 && i % 2 && i < total - 1 ? 9 : 7 * (total - 1 - i) + 2));
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        for (i = 0, j = total - 1; i < total; i++, j--) others[i] = blocks[j];
        CHECK(j == -1);
    }
    upc_barrier;
    for (i = 0; i < total; i++) CHECK(others[i] == 7 * (total - 1 - i) + 2);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        for (i = 0, j = 0, left = total; i < total / 2; i++, left -= 2) {
            others[j] = left;
            j++;
            others[j] = blocks[j] + i;
            j++;
        }
        CHECK(j == total && left == 0);
        for (i = 0, j = 0; i < total; i += 2) blocks[j++] = i;
        CHECK(j == total / 2);
    }
    upc_barrier;
    for (i = 0; i < total; i += 2) CHECK(others[i] == total - i && others[i + 1] == 7 * (i + 1) + 2 + i / 2);
    for (i = 0; i < total; i++) CHECK(blocks[i] == (i < total / 2 ? 2 * i : 7 * i + 2));
    upc_barrier;
}

/* The condition counts down: what the counter is in the body and behind the loop. */
static void count_down(void) {
    const int total = size * THREADS;
    shared [B] int *to = others, *from = blocks;
    shared [] int *p = row;
    int n = total, i, bad = 0;
    unsigned u = N;
    long sum = 0, left = 5;
    upc_barrier;
    if (MYTHREAD == 0) {
        while (n--) *to++ = *from++ + n;
        CHECK(n == -1 && to == others + total && from == blocks + total);
    }
    upc_barrier;
    for (i = 0; i < total; i++) bad += others[i] != blocks[i] + total - 1 - i;
    CHECK(bad == 0);
    while (u--) sum += *p++ - row[N - 1 - (int)u];
    CHECK(sum == 0 && u == -1u && p == row + N);
    u = 9;
    while (u-- > 4) sum += row[u];
    CHECK(u == 3 && sum == 3 * (4 + 5 + 6 + 7 + 8) + 5);
    sum = 0;
    while (left-- >= 5) sum += *--p;
    CHECK(left == 3 && p == row + N - 1 && sum == row[N - 1]);
    while (left-- > 3) sum += *p;
    CHECK(left == 2 && sum == row[N - 1]);
    while (left-- != 0)
        if (row[left] == 4) break;
    CHECK(left == 1);
    upc_barrier;
}

/* The pointer is needed for more, or the loop is left. */
static void leave(void) {
    shared [] int *p, *found = NULL;
    shared [B] int *q = blocks;
    int i, k, count = 0;
    for (p = row; p < row + N; p++)
        if (*p == 3 * 44 + 1) break;
    CHECK(p == row + 44);
    for (p = row, i = 0; i < N; i++, p++)
        if (*p == 3 * 45 + 1) break;
    CHECK(p == row + 45 && i == 45);
    for (p = row; p < row + N; p++)
        if (*p % 2) found = p;
    CHECK(found == row + N - 2);
    for (i = 0; i < size * THREADS; i++, q++)
        if (upc_threadof(q) == MYTHREAD) count += *q != 0;
    CHECK(count == size - (MYTHREAD == 0) && q == blocks + size * THREADS);
    for (p = row, i = 0, k = 0; i < N; i++) {
        if (i == 7) continue;
        k += *p++;
    }
    CHECK(p == row + N - 1);
    for (p = row, i = 0; i < 20; i++)
        if (i != 7) (void)*p++;
    CHECK(p == row + 19);
    upc_barrier;
}

/* Pointers to members, and to rows. */
static void parts(void) {
    const int total = 2 * B * THREADS;
    int i;
    __typeof__(&items[0]) p = items;
    shared [B] int(*pair)[2];
    if (MYTHREAD == 0) {
        for (i = 0; i < total; i++, p++) {
            p->tag = (char)i;
            p->d[1] = i;
        }
        CHECK(p == items + total);
        for (pair = pairs, i = 0; pair < pairs + B * THREADS; pair++, i++) {
            (*pair)[1] = 2 * i;
            pair[0][0] = i;
        }
        CHECK(i == B * THREADS && pair == pairs + B * THREADS);
    }
    upc_barrier;
    for (i = 0; i < total; i++) CHECK(items[i].tag == (char)i && items[i].d[1] == i);
    for (i = 0; i < B * THREADS; i++) CHECK(pairs[i][1] == 2 * i && pairs[i][0] == i);
}

int main(void) {
    fill();
    read_along();
    write_along();
    count_down();
    leave();
    parts();
    return finish();
}
