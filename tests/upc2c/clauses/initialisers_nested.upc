/* SPDX-License-Identifier: BSD-3-Clause */
/* Initialisers of shared arrays of structures, unions, rows and strings. */
#include "check.h"
shared [2] struct {
    int a;
    double d;
    char s[6];
    shared int *p;
} t[2 * THREADS] = {{1, 2., "one"}, {.s = "two", .a = 5}};
shared int m[3][THREADS][2] = {{{1, 2}}, [2] = {[0] = {7}}};
shared [] int f[2][3] = {{1}, {2, 3}}, f1[2][3] = {1, 2, 3, 4}, f3[][2] = {{1, 2}, {3}};
shared [] union {
    int i;
    float g;
} un[2] = {{4}, {.g = 2}};
shared [] struct {
    struct {
        int x[2];
    } in[2];
    int e;
} nest = {{{{1, 2}}, {{3}}}, 9}, nest2 = {1, 2, 3, 4, 5}, nest3 = {.in[1].x[1] = 8, 6};
shared [] char tt[2][4] = {"abc", {'d', 0}};
shared [] char *shared strs[1 * THREADS] = {tt[1]};
shared int neg = -1, expr = (3 + 4) * 2 << 1, chr = '\n', cond = 1 ? 2 : 3, sz = sizeof t[0].s, cmp = 3 < 4,
           comp = ~0;
shared double dd = 1 / 2, de = 1. / 4;
shared void *g0 = &t[1], *shared g1 = f;
shared unsigned long ul = ~0UL;
shared [4] char c4[4 * THREADS] = "hey";
const shared [] short cs[] = {[3] = 1, 2, [0] = 5};
shared struct {
    unsigned b : 3, : 2;
    signed c : 4;
} bf = {5, -3};
enum e { X, Y = 5 };
shared enum e en = Y;
struct pr {
    shared [] int *a, *b;
} prs[2] = {{f[0], f[1] + 2}, {.b = &f[1][1]}};
static shared struct pr sp = {&f[0][2], 0};
int (*shared fpt)(const char *) = puts;
int main(void)
{
    CHECK(t[0].a == 1 && t[0].d == 2 && t[0].s[2] == 'e' && t[1].a == 5 && t[1].s[0] == 't' && t[1].d == 0 &&
          t[0].p == 0);
    if (THREADS > 1) CHECK(t[2].a == 0 && t[2].s[0] == 0);
    CHECK(m[0][0][1] == 2 && m[2][0][0] == 7 && m[1][0][0] == 0 && m[2][THREADS - 1][1] == 0);
    CHECK(f[1][1] == 3 && f[0][1] == 0 && f1[1][0] == 4 && f3[1][0] == 3 && sizeof f3 == 16 && un[0].i == 4 &&
          un[1].g == 2);
    CHECK(nest.in[1].x[0] == 3 && nest.e == 9 && nest.in[1].x[1] == 0 && nest2.in[1].x[1] == 4 && nest2.e == 5 &&
          nest3.in[1].x[1] == 8 && nest3.e == 6);
    CHECK(tt[0][3] == 0 && tt[1][0] == 'd' && strs[0] == tt[1] && neg == -1 && expr == 28 && chr == 10 && cond == 2 &&
          sz == 6 && cmp && comp == -1 && dd == 0 && de == .25 && g0 == (shared void *)&t[1] &&
          g1 == (shared void *)f && ul + 1 == 0);
    CHECK(c4[2] == 'y' && c4[3] == 0 && cs[4] == 2 && cs[0] == 5 && cs[1] == 0 && sizeof cs == 10 && bf.b == 5 &&
          bf.c == -3 && en == Y && *prs[0].b == 0 && *prs[1].b == 3 && prs[1].a == 0 && sp.a == f[0] + 2);
    if (MYTHREAD == 0) CHECK(fpt == puts);
    return finish();
}
