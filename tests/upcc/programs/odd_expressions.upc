/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators on shared objects of all types in unusual combinations. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <complex.h>
#include <stdint.h>
shared [4] int arr[4 * THREADS][4];
shared [4] int (*pick_row(int i))[4] { return &arr[i]; }
shared int *(*pfs[2])(shared int *, ...);
static shared int *vf(shared int *p, ...) { return p + 1; }
typedef enum { RED, GREEN = 5, BLUE } color;
shared color cols[THREADS];
shared unsigned char uc[THREADS];
shared signed char sc[THREADS];
shared double complex dc[THREADS];
shared long double ld[THREADS];
shared _Bool flags[THREADS];
shared short sh[THREADS];
shared uint64_t u64[THREADS];
struct bf {
    unsigned a : 3, : 2, b : 11;
    int c : 20;
    uint64_t d : 45;
};
shared struct bf bfs[THREADS];
int *shared privs[THREADS];
static int target;
struct box {
    shared [4] int *p;
    int arr[3];
    struct {
        shared int *q[2];
    } in;
};
shared struct box boxes[THREADS];
static struct box make_box(shared [4] int *p, int k) {
    struct box b = {p, {k, k + 1, k + 2}, {{0, 0}}};
    return b;
}
static struct box *bp(struct box *b) { return b; }
static int sum3(const int *a) { return a[0] + a[1] + a[2]; }
static int take(struct box b, int i) { return b.arr[i] + (b.p ? *b.p : 0); }
shared [] char text[3][8] = {"one", "two", {'t', 'h', 'r', 'e', 'e'}};
shared int grid[THREADS][2][3];
union pun {
    float f;
    uint32_t u;
    unsigned char c[4];
};
shared union pun puns[THREADS];
shared struct {
    struct {
        int x, y;
    } pt[2];
} nest[THREADS];
#define ME MYTHREAD
/* Of internal linkage by the first declaration. */
static inline int defined_later(void);
inline int defined_later(void) { return 3; }
__extension__ _Static_assert(sizeof(char) == 1, "at file scope");
struct asserting {
    int i;
    __extension__ _Static_assert(sizeof(int) >= 2, "in a structure");
};
int main() {
    __extension__ _Static_assert(sizeof(struct asserting) == sizeof(int), "in a block");
    int i, bad = 0;
    shared int *g;
#define T(c)                                               \
    do {                                                   \
        if (!(c)) {                                        \
            bad++;                                         \
            printf("%d: line %d: %s\n", ME, __LINE__, #c); \
        }                                                  \
    } while (0)
    T(defined_later() == 3);
    upc_forall (i = 0; i < 4 * THREADS; i++; pick_row(i))
        for (shared [4] int *p = arr[i], *e = p + 4; p < e; p++) *p = i * 10 + (p - &arr[i][0]);
    privs[ME] = &target;
    *privs[ME] = 3;
    cols[ME] = RED;
    cols[ME]++;
    cols[ME] |= GREEN;
    uc[ME] = 250;
    uc[ME] += 10;
    sc[ME] = 127;
    ++sc[ME];
    dc[ME] = 1 + 2 * I;
    dc[ME] *= I;
    dc[ME] += 1;
    ld[ME] = 0.1L;
    ld[ME] -= 0.05L;
    flags[ME] = 0;
    flags[ME] ^= 1;
    flags[ME] |= 8;
    sh[ME] = 1;
    sh[ME] <<= 15;
    u64[ME] = ~0ull;
    u64[ME] >>= 60;
    u64[ME] %= 7;
    bfs[ME].a = 9;
    bfs[ME].b = -1;
    bfs[ME].c = -5;
    bfs[ME].d = 1ull << 44;
    bfs[ME].a ^= 2;
    bfs[ME].b--;
    bfs[ME].c *= 3;
    bfs[ME].d++;
    i = bfs[ME].c++ + --bfs[ME].c;
    boxes[ME] = make_box(arr[ME], ME);
    boxes[ME].in.q[1] = (shared int *)&cols[ME];
    puns[ME].f = 1.0f;
    nest[ME].pt[1].y = 7;
    nest[ME].pt[0] = nest[ME].pt[1];
    for (i = 0; i < 6; i++) grid[ME][i / 3][i % 3] = i;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        T((*pick_row(t))[2] == t * 10 + 2);
        T(pick_row(t)[0][3] == t * 10 + 3);
        T(cols[t] == GREEN || cols[t] == 5);
        T(uc[t] == 4 && sc[t] == -128 && dc[t] == -1 + I && ld[t] == 0.1L - 0.05L && flags[t] == 1 && sh[t] == -32768 &&
          u64[t] == 1);
        T(bfs[t].a == 3 && bfs[t].b == 2046 && bfs[t].c == -15 && bfs[t].d == (1ull << 44) + 1);
        T(boxes[t].arr[2] == t + 2 && *(boxes[t].arr + 1) == t + 1 && *boxes[t].p == t * 10 &&
          boxes[t].p[1] == t * 10 + 1 && *boxes[t].in.q[1] == 5);
        T(take(boxes[t], 1) == t + 1 + t * 10);
        struct box c = boxes[t], *d = &c;
        T(bp(d)->p[2] == t * 10 + 2 && sum3(d->arr) == 3 * t + 3 && make_box(d->p, 4).p[0] == t * 10);
        T((t ? boxes[t] : c).arr[0] == t);
        T(puns[t].u == 0x3f800000 && puns[t].c[3] == 0x3f);
        T(nest[t].pt[0].y == 7 && sizeof nest[t].pt == 16);
        T(grid[t][1][2] == 5 && *(*(*(grid + t) + 1) + 1) == 4);
    }
    T(*privs[ME] == 3 && privs[ME][0]++ == 3 && target == 4);
    T(text[2][4] == 'e' && text[1][3] == 0 && sizeof text == 24 && !text[2][7]);
    char b[8];
    upc_memget(b, text[0], 8);
    T(!strcmp(b, "one"));
    pfs[0] = vf;
    pfs[1] = &vf;
    g = (shared int *)&grid[0][0][0];
    T((*pfs[0])(g, 1, 2.0) == pfs[1](g) && pfs[ME & 1](g) == g + 1);
    int c0 = THREADS > 100;
    shared int *n = c0 ? g : NULL, *n2 = c0 ? 0 : g, *n3 = !c0 ? g : (shared void *)0;
    T(!n && n2 == g && n3 && n == 0 && 0 == n && NULL != n2 && n != n2 && !(n == n3) && (void *)0 == n &&
      (shared void *)g == n3);
    shared [4] int *vla[THREADS + 1];
    for (i = 0; i <= THREADS; i++) vla[i] = i < THREADS ? arr[i] : 0;
    T(vla[THREADS] == NULL && **vla == 0 && *vla[THREADS - 1] == (THREADS - 1) * 10);
    shared [4] int **w = vla;
    w++;
    T(THREADS == 1 || **w == 10);
    T(({
          shared [4] int *q = vla[0];
          *q++, *++q;
      }) == 2);
    upc_barrier;
    if (!ME) {
        shared [4] int *q = arr[0];
        *q++ += 5;
        (*q)++;
        q[1]--;
        *(q + 2) -= *q, q[2] *= 2;
        i = 0;
        q[i++]++;
        T(i == 1 && arr[0][0] == 5 && arr[0][1] == 3 && arr[0][2] == 1 && arr[0][3] == 2);
        T((q += 2, q -= 1, *q) == 1 && *--q == 3 && *q-- == 3 && *q == 5);
    }
    upc_barrier;
    long long aff = 0;
    int cnt = 0;
    upc_forall (unsigned char k = 0; k < 10; k++; (unsigned char)(k + 3)) cnt++, aff += k;
    upc_forall (long k = 9; k >= 0; k -= 3; g + k) cnt += 0 * k;
    upc_forall (i = 0; i < 4; i += 2, cnt += 0; &boxes[i % THREADS].arr[1]) {
        if (i == 99) continue;
        switch (i) {
            case 0:
                cnt += 0;
            case 2:
                break;
        }
    }
    T(cnt >= 10 / THREADS);
    T(upc_threadof(g + THREADS + 1) == 1 % THREADS && upc_phaseof(&arr[0][3]) == 3 &&
      (shared [] char *)&boxes[0].arr[1] - (shared [] char *)&boxes[0] == (char *)&((struct box *)0)->arr[1] - (char *)0);
    T(sizeof(shared [3] int *) == sizeof g && sizeof *g == 4 && sizeof(shared int[THREADS]) == 4 * THREADS &&
      upc_elemsizeof(shared [2] double[4]) == 8 && upc_blocksizeof(shared [2] double) == 2);
    if (bad) printf("%d: %d\n", ME, bad);
    upc_barrier;
    if (!ME && !bad) puts("done");
    return bad;
}
