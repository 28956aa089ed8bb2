/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over shared arrays give what C gives for private ones, whatever their bodies do: accesses that depend on
 * each other, variables that change on the way, jumps, effects in the head, members, guarded accesses. */
#include <setjmp.h>
#include <string.h>
#include "../../clauses/check.h"

#define N 96
shared [] int flat[N + 8];
shared [16] int blocks[N * THREADS];
shared int cyclic[N * THREADS];
shared [] struct item { char c; short s[3]; unsigned bits : 5; double d; struct { long x; } in; } items[N];
volatile shared [] int seen[N];
static int model[N + 8];

static int same(int n) {
    int i, differences = 0;
    for (i = 0; i < n; i++) differences += flat[i] != model[i];
    return differences == 0;
}

static void clear(void) {
    int i;
    for (i = 0; i < N + 8; i++) flat[i] = model[i] = i % 7;
}

/* An element is written in one iteration and read in a later one, in the same order as in C. */
static void dependences(void) {
    int i;
    shared [] int *p = &flat[2], *q = &flat[0];
    clear();
    for (i = 1; i < N; i++) flat[i] = flat[i - 1] + 1;
    for (i = 1; i < N; i++) model[i] = model[i - 1] + 1;
    CHECK(same(N));
    for (i = 0; i < N - 2; i++) p[i] = q[i] + q[i + 1];
    for (i = 0; i < N - 2; i++) model[i + 2] = model[i] + model[i + 1];
    CHECK(same(N));
    for (i = N - 3; i >= 0; i--) p[i] += q[i];
    for (i = N - 3; i >= 0; i--) model[i + 2] += model[i];
    CHECK(same(N));
    for (i = 0; i < N; i++) flat[i]++, flat[N - 1 - i] -= 2 * flat[i];
    for (i = 0; i < N; i++) model[i]++, model[N - 1 - i] -= 2 * model[i];
    CHECK(same(N));
    for (i = 0; i < N; i++) flat[i] = flat[N / 2];
    for (i = 0; i < N; i++) model[i] = model[N / 2];
    CHECK(same(N));
}

static int bound_calls, global_bound;
static int bound(int n) { bound_calls++; return n; }
static void lower_bound(void) { global_bound--; }

static void heads_with_effects(void) {
    int i, k, n = 10, *address;
    clear();
    for (i = 0; i < bound(10); i++) flat[i] = 100;
    CHECK(bound_calls == 11);
    for (i = 0, k = 0; i < 10; i++, k += 2) flat[i] += k;
    CHECK(flat[9] == 118);
    for (i = 0; i < n; i++) { flat[i] = 5; if (i == 3) n = 6; }
    CHECK(i == 6 && flat[5] == 5 && flat[6] != 5);
    address = &n;
    for (i = 0; i < n; i++) { flat[i] = 6; if (i == 2) *address = 4; }
    CHECK(i == 4 && flat[4] == 5);
    global_bound = 20;
    for (i = 0; i < global_bound; i++) { flat[i] = 7; lower_bound(); }
    CHECK(i == 10 && global_bound == 10);
    cyclic[MYTHREAD] = 8; /* a shared bound */
    for (i = 0; i < cyclic[MYTHREAD]; i++) { flat[i] = 8; if (i == 1) cyclic[MYTHREAD] = 3; }
    CHECK(i == 3 && flat[3] == 7);
    k = 0;
    upc_forall (i = 0; i < 3 * THREADS; i++; (k++, i)) flat[i % 3] = i;
    CHECK(k == 3 * THREADS);
}

static void changed_variables(void) {
    int i, j, *address;
    shared [] int *p = &flat[0];
    clear();
    for (i = 0; i < 20; i++) { flat[i] = 50; if (i % 4 == 0) i++; }
    CHECK(flat[0] == 50 && flat[1] == 1 && flat[2] == 50);
    address = &j;
    for (j = 0; j < 20; j++) { flat[j] = 51; ++*address; }
    CHECK(flat[2] == 51 && flat[3] == 50 && j == 20);
    for (i = 0; i < 10; i++) { p[i] = 60 + i; p++; }
    CHECK(flat[0] == 60 && flat[2] == 61 && flat[18] == 69);
    {
        volatile int v;
        for (v = 0; v < 5; v++) flat[v] = v;
        CHECK(v == 5 && flat[4] == 4);
    }
    upc_forall (i = 0; i < 8; i++; 0) {
        flat[i] = 70;
        i++;
    }
    CHECK(i == 8);
}

/* Unsigned numbers wrap around, bytes are cut off. */
static void wrapped_indices(void) {
    unsigned u, start = 0;
    unsigned long z;
    int i;
    shared [] int *middle = &flat[8];
    clear();
    for (u = 0; u < 4; u++) CHECK(flat[(u - 1) % 8] == model[(u - 1) % 8]);
    for (u = start - 2; u != 3; u++) flat[u + 2] = 80; /* from 2^32 - 2 on */
    CHECK(flat[0] == 80 && flat[4] == 80 && flat[5] == 5);
    for (z = 0; z < 4; z++) middle[z - 3] = 90 + (int)z;
    CHECK(flat[5] == 90 && flat[8] == 93);
    for (i = 250; i < 260; i++) flat[(unsigned char)i % 16] = i;
    CHECK(flat[0] == 256 && flat[3] == 259 && flat[15] == 255);
    for (i = -2; i < sizeof(int); i++) flat[i + 2] = 1000; /* compared as unsigned: no iteration */
    CHECK(flat[0] == 256 && i == -2);
    i = -4294967295; /* 1 as int: below 2^32 - 1 as unsigned */
    for (u = 4294967290u; u < i - 2; u++) flat[u % 8] = 1001;
    CHECK(u == 4294967295u && flat[2] == 1001 && flat[7] != 1001);
}

static int search(int value) {
    int i;
    for (i = 0; i < N; i++)
        if (flat[i] == value) return i;
    return -1;
}

static void jumps(void) {
    int i, sum = 0;
    jmp_buf back;
    clear();
    for (i = 0; i < N; i++) {
        if (flat[i] == 5) break;
        flat[i] = 40;
    }
    CHECK(i == 5 && flat[4] == 40 && search(6) == 6 && search(99) == -1);
    for (i = N - 1; i >= 0; i--) {
        switch (flat[i]) {
        case 40: break;
        default: continue;
        }
        if (i % 2 == 1) {
            for (sum = 0; sum < 9; sum++)
                if (flat[sum] == 40) break;
            CHECK(sum == 0);
            break;
        }
        flat[i] = 39;
    }
    CHECK(i == 3 && flat[4] == 39);
    sum = 0;
    for (i = 0; i < 20; i++) {
        if (i % 3) continue;
        flat[i] = 41;
    }
    CHECK(flat[18] == 41 && flat[19] != 41 && i == 20);
    for (i = 0; i < 20; i++) {
        switch (flat[i]) {
        case 41: continue;
        case 40: flat[i] = 42; break;
        default: sum++;
        }
        flat[i] += 100;
    }
    CHECK(flat[0] == 41 && flat[1] == 142 && i == 20);
    for (i = 0; i < 20; i++) {
        flat[i] = 43;
        if (i == 7) goto out;
    }
out:
    CHECK(i == 7 && flat[8] != 43);
    i = 10;
    goto in;
    for (i = 0; i < 12; i++) {
    in:
        flat[i] = 44;
    }
    CHECK(flat[10] == 44 && flat[11] == 44 && flat[9] != 44);
    switch (sum = 3) {
        for (i = 0; i < 5; i++) {
        case 3:
            flat[20] = 45;
            if (sum == 3) { sum = 0; i = 1; }
            flat[i] = 46;
        }
    }
    CHECK(flat[0] == 43 && flat[1] == 46 && flat[4] == 46);
    (void)back;
}

static void long_jumps(void) {
    jmp_buf back;
    volatile int turns = 0;
    int i;
    if (setjmp(back) == 0) turns = 0;
    for (i = 0; i < 10; i++) {
        flat[i] = 47;
        if (i == 4 && turns++ < 2) longjmp(back, 1);
    }
    CHECK(turns == 3 && i == 10 && flat[9] == 47);
}

static void members(void) {
    int i;
    for (i = 0; i < N; i++) {
        items[i].c = (char)i;
        items[i].s[1] = (short)(i * 3);
        items[i].bits = i;
        items[i].d = i / 2.0;
        items[i].in.x = -i;
    }
    for (i = 0; i < N; i++)
        CHECK(items[i].c == (char)i && items[i].s[1] == i * 3 && items[i].bits == i % 32 && items[i].d == i / 2.0 &&
              items[i].in.x == -i);
    for (i = 0; i < N; i++) items[i].s[1] += 70000; /* cut off as by an assignment */
    for (i = 0; i < N; i++) CHECK(items[i].s[1] == (short)(i * 3 + 70000));
    for (i = 0; i < N; i++) seen[i] = i;
    for (i = 0; i < N; i++) CHECK(seen[i] == i);
}

/* What is beside the array is not accessed. */
static void guards(void) {
    int i, sum = 0, expected = 0;
    shared [] int *nothing = NULL;
    for (i = 0; i < N * THREADS; i++)
        if (MYTHREAD == 0) blocks[i] = i;
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) {
        if (i > 0) sum += blocks[i - 1];
        if (i < N * THREADS - 1) sum += 2 * blocks[i + 1];
        if (i >= N * THREADS) sum += nothing[i];
        if (i > 0) expected += i - 1;
        if (i < N * THREADS - 1) expected += 2 * (i + 1);
    }
    CHECK(sum == expected);
    upc_barrier;
}

/* The private pointer that an element is cast to is one more way to it. */
static void casts(void) {
    int i, *own = (int *)&cyclic[MYTHREAD];
    upc_barrier;
    upc_forall (i = 0; i < N * THREADS; i++; i) {
        cyclic[i] = 1;
        own[i / THREADS] += 5;
        cyclic[i] *= 2;
    }
    upc_forall (i = 0; i < N * THREADS; i++; &cyclic[i]) CHECK(cyclic[i] == 12);
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) cyclic[i] = i;
    for (i = 0; i < N; i++) CHECK(own[i] == i * THREADS + MYTHREAD && cyclic[i * THREADS + MYTHREAD] == own[i]);
    upc_barrier;
}

/* The same column of every row: it is one thread's where a row has each thread's block once or several times. */
#define ROWS 6
shared [4] int rows[ROWS][8 * THREADS];
shared [2] int wide[ROWS][6 * THREADS];
static void columns(void) {
    int i, j, k;
    long sum, expected;
    upc_barrier;
    upc_forall (i = 0; i < ROWS; i++; i)
        for (j = 0; j < 8 * THREADS; j++) rows[i][j] = 100 * i + j;
    upc_forall (i = 0; i < ROWS; i++; i) wide[i][3] = 0;
    upc_barrier;
    for (j = 0; j < 8 * THREADS; j++) {
        for (sum = expected = i = 0; i < ROWS; i++) sum += rows[i][j];
        for (i = 0; i < ROWS; i++) expected += 100 * i + j;
        CHECK(sum == expected);
        for (i = ROWS - 1; i >= 0; i -= 2) sum = rows[i][j] - 1;
        CHECK(sum == 100 + j - 1);
    }
    upc_barrier;
    upc_forall (j = 0; j < 8 * THREADS; j++; &rows[0][j])
        for (i = 0; i < ROWS; i++) rows[i][j] *= 2;
    upc_forall (i = 0; i < ROWS; i++; i) wide[i][3] = i + 1;
    upc_barrier;
    for (i = 0; i < ROWS; i++)
        for (k = 0; k < 8 * THREADS; k += 5) CHECK(rows[i][k] == 2 * (100 * i + k));
    for (i = 0; i < ROWS; i++) CHECK(wide[i][3] == i + 1);
    upc_barrier;
}

/* A loop's variable that the whole program sees. */
int counter;
static void count_up(void) { counter++; }
static void global_variables(void) {
    static long steps;
    int *address = &counter;
    clear();
    for (counter = 3; counter < 20; counter++) flat[counter] = counter;
    CHECK(counter == 20 && flat[3] == 3 && flat[19] == 19 && flat[20] == 20 % 7);
    for (counter = 0; counter < 20; counter++) {
        flat[counter] = 50;
        count_up();
    }
    CHECK(counter == 20 && flat[18] == 50 && flat[19] == 19);
    for (counter = 0; counter < 20; counter++) {
        flat[counter] = 51;
        *address += 2;
    }
    CHECK(counter == 21 && flat[18] == 51 && flat[17] == 17);
    for (steps = 9; steps > 0; steps -= 3) flat[steps] = flat[steps - 1] + 1;
    CHECK(steps == 0 && flat[9] == 51 && flat[6] == 6);
    for (counter = 0; counter < N; counter++)
        if (flat[counter] == 19) break;
    CHECK(counter == 19);
}

int main(void) {
    if (MYTHREAD == 0) {
        dependences();
        changed_variables();
        wrapped_indices();
        jumps();
        long_jumps();
        members();
        global_variables();
    }
    upc_barrier;
    if (THREADS == 1) heads_with_effects();
    guards();
    casts();
    columns();
    return finish();
}
