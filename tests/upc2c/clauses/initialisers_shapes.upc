/* SPDX-License-Identifier: BSD-3-Clause */
/* Initialisers of shared objects and of pointers-to-shared in all shapes. */
#include "check.h"
shared int i1 = 5, i2 = {6}, i3 = 'a' + 1, i4 = sizeof(shared [3] int);
shared double d1 = 1.5, d2 = 1, d3 = -.5e-3;
shared [] int f1[5] = {1, 2, [4] = 9};
shared [] int f2[] = {3, 4, 5, 6};
shared [] char s1[] = "abc", s2[8] = {'x', 'y'}, s3[4] = {"wxyz"};
shared struct {
    int a;
    struct {
        char b[3];
        double c;
    } in;
    union {
        int u;
        float v;
    } w;
} r1 = {1, {"q", 2.5}, {.v = 3.f}}, r2 = {.in.c = 4, .a = 2, .in = {.c = 8}};
shared [2] int c1[2 * THREADS] = {7, 8};
shared int m1[2][THREADS] = {{1}, {2}};
shared int *p1 = &i1, *p2 = &i1 + 0, *shared p3 = &i2;
shared [] int *p4 = f1 + 2, *p5 = &f1[3], *tab[3] = {f1, 0, f2 + 1};
struct holder {
    shared int *a;
    shared [] int *b[2];
    int c;
} h = {&i1, {f1, &f2[3]}, 4};
static shared [] int *const cp = &f2[2];
shared const float pi = 3.14f;
shared long long big = 0x123456789abcdefLL;
shared unsigned char uc = 300 - 1;
shared enum { RED = 2, GREEN } col = GREEN;
shared _Bool bo = 5;
shared long double ld = 1.25L;
int (*fp)(const char *, ...) = printf;
int main(void)
{
    static shared int st = 12;
    static shared [] short sh[3] = {1, [1] = 2};
    static shared int *sp = &st;
    shared int *lp = &i2, *la[2] = {&i1, &i2};
    struct holder lh = {.b = {f2}, .a = lp}, *ph = &(struct holder){lp, {f1, f2}, 1};
    CHECK(i1 == 5 && i2 == 6 && i3 == 'b' && i4 == sizeof(int));
    CHECK(d1 == 1.5 && d2 == 1 && d3 == -.5e-3);
    CHECK(f1[0] == 1 && f1[1] == 2 && f1[2] == 0 && f1[3] == 0 && f1[4] == 9);
    CHECK(f2[3] == 6 && sizeof f2 == 4 * sizeof(int));
    CHECK(s1[3] == 0 && s1[2] == 'c' && sizeof s1 == 4 && s2[1] == 'y' && s2[2] == 0 && s3[3] == 'z');
    CHECK(r1.a == 1 && r1.in.b[0] == 'q' && r1.in.b[1] == 0 && r1.in.c == 2.5 && r1.w.v == 3);
    CHECK(r2.a == 2 && r2.in.c == 8);
    CHECK(c1[0] == 7 && c1[1] == 8);
    if (THREADS > 1) CHECK(c1[2] == 0);
    CHECK(m1[0][0] == 1 && m1[1][0] == 2);
    CHECK(*p1 == 5 && *p2 == 5 && *p3 == 6 && *p4 == 0 && p5[1] == 9 && tab[0] == f1 && !tab[1] && *tab[2] == 4);
    CHECK(h.a == &i1 && h.b[1] == f2 + 3 && h.c == 4 && *cp == 5);
    CHECK(pi == 3.14f && big == 0x123456789abcdefLL && uc == 43 && col == GREEN && bo == 1 && ld == 1.25L);
    CHECK(st == 12 && sh[1] == 2 && *sp == 12 && *la[1] == 6 && lh.b[0][1] == 4 && lh.b[1] == 0 && ph->b[1] == f2);
    fp("%s", "");
    return finish();
}
