/* SPDX-License-Identifier: BSD-3-Clause */
/* Braces around the initial value of one pointer-to-shared (C99, 6.7.8.11), below those of arrays and structures. */
#include "check.h"
shared int g[4 * THREADS];
shared [4] int h[4 * THREADS];
shared int *a[2] = {{&g[0]}, {&g[1]}};
struct pair {
    shared int *p[2];
    int n;
};
struct pair one = {{{&g[0]}, {&g[1]}}, 3};
struct pair two[2] = {{{&g[0], &g[1]}, {3}}, {{{&g[2]}, &g[3]}, 4}};
shared [4] int *m[2][2] = {{{&h[0]}, &h[1]}, {{&h[2]}, {&h[3]}}};
struct outer {
    struct pair s[2];
    shared int *q;
} deep = {{{{{&g[0]}}}}, {&g[2]}};
static shared int *z[3] = {[1] = {&g[1]}, [2] = {0}};
shared int *shared in_shared[2 * THREADS] = {{&g[1]}, {NULL}};
shared struct pair shared_pair = {{{&g[3]}, {0}}, {5}};

static int same(struct pair x, shared int *p, shared int *q, int n) { return x.p[0] == p && x.p[1] == q && x.n == n; }

int main(void) {
    shared int *l[2] = {{&g[0]}, {&g[1]}}, *alone = {&g[2]};
    struct pair local = {
        {
            {&g[0]},
            {&g[1]},
        },
        {3},
    };
    static struct pair kept = {{{&g[0]}, {&g[1]}}, {3}};
    struct pair *literal = &(struct pair){{{&g[1]}, {l[0]}}, {4}};
    shared int *(*array)[2] = &(shared int *[2]){{&g[1]}, {NULL}};
    CHECK(a[0] == &g[0] && a[1] == &g[1] && l[0] == a[0] && l[1] == a[1] && alone == &g[2]);
    CHECK(same(one, a[0], a[1], 3) && same(two[0], a[0], a[1], 3) && same(two[1], &g[2], &g[3], 4));
    CHECK(m[0][0] == h && m[0][1] == &h[1] && m[1][0] == &h[2] && m[1][1] == &h[3]);
    CHECK(same(deep.s[0], g, 0, 0) && same(deep.s[1], 0, 0, 0) && deep.q == &g[2]);
    CHECK(z[0] == 0 && z[1] == &g[1] && z[2] == 0 && in_shared[0] == &g[1] && in_shared[1] == 0);
    CHECK(same(shared_pair, &g[3], 0, 5) && same(local, a[0], a[1], 3) && same(kept, a[0], a[1], 3));
    CHECK(same(*literal, &g[1], g, 4) && (*array)[0] == &g[1] && (*array)[1] == 0);
    return finish();
}
