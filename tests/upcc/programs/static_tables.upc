/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of pointers-to-shared, function types, attributes, arrays of pointers-to-shared of variable length. */
#include <upc.h>
#include <stddef.h>
#include <stdlib.h>
#include "../../upc2c/clauses/check.h"
shared int al[4 * THREADS] __attribute__((aligned(64)));
shared struct __attribute__((packed)) pk {
    char c;
    int i;
} pks[THREADS];
_Alignas(32) shared double ad[THREADS];
shared [] int ind[8] = {[0 ... 3] = 7, [5] = 9};
shared [4] int bl[4 * THREADS] = {[1] = 5};
static shared int *tab[] = {&al[0], &al[1], 0, al + 2};
static shared [] int *itab[2] = {[1] = &ind[3]};
shared [4] int *cst = (shared [4] int *)&al[0];
shared void *vtab[] = {al, ind, (shared void *)&bl[1]};
struct holder {
    shared int *p;
    shared [] int *q;
    struct {
        shared void *v;
        int n;
    } in[2];
} h = {&al[1], ind, {{al, 1}, {0, 2}}};
static const struct holder *hp = &h;
shared struct holder sh_h;
typedef int fn(shared int *, int);
fn fa, fb;
static fn *ftab[] = {fa, fb};
typedef shared int *pfn(void);
pfn getp;
shared int *m1(void), *m2(int), mvar[THREADS];
int fa(shared int *p, int i) { return p[i]; }
int fb(shared int *p, int i) { return -p[i]; }
shared int *getp(void) { return al; }
shared int *m1(void) { return al + 1; }
shared int *m2(int k) { return al + k; }
static struct holder mkh(shared int *p) { return (struct holder){.p = p, .in = {[1].n = 4}}; }
__attribute__((noinline, unused)) static int deepf(struct holder h) { return *h.p; }
static inline shared int *const *addr(void) {
    static shared int *st[2] = {al, &al[3]};
    return st;
}
volatile shared int *vp;
shared int *volatile pv;
shared int *restrict pr;
const shared int *const cpc = al;
int arr_n = sizeof tab / sizeof tab[0];
int main(void) {
    int i;
    for (i = 0; i < 4; i++) al[MYTHREAD + i * THREADS] = MYTHREAD + i * THREADS;
    upc_barrier;
    CHECK(*tab[1] == 1 && tab[3] == &al[2] && !tab[2] && arr_n == 4);
    CHECK(itab[1][0] == 7 && ind[5] == 9 && ind[7] == 0 && bl[1] == 5);
    CHECK(cst == (shared [4] int *)al && vtab[1] == (shared void *)ind && upc_phaseof(vtab[2]) == 1);
    CHECK(hp->p[1] == 2 && hp->q[5] == 9 && hp->in[1].n == 2 && hp->in[0].v == (shared void *)al);
    if (!MYTHREAD) sh_h = h;
    upc_barrier;
    CHECK(*sh_h.p == 1 && sh_h.q[0] == 7 && sh_h.in[0].n == 1);
    CHECK(ftab[1](al, 2) == -2 && fa(al, 3) == 3);
    CHECK(getp()[1] == 1 && *m1() == 1 && m2(2)[0] == 2);
    CHECK(mkh(al + 2).p[0] == 2 && mkh(al).in[1].n == 4 && deepf(mkh(&al[3])) == 3 &&
          deepf((struct holder){al + 1}) == 1);
    CHECK(addr()[1][0] == 3);
    vp = &al[1];
    CHECK(*vp == 1);
    pv = al;
    pv++;
    CHECK(*pv == 1);
    pr = al;
    CHECK(pr[2] == 2);
    CHECK(*cpc == 0 && cpc[1] == 1);
    pks[MYTHREAD].i = 6;
    CHECK(pks[MYTHREAD].i == 6 && sizeof(struct pk) == 5);
    CHECK(offsetof(struct holder, in[1].n) ==
          offsetof(struct holder, in) + sizeof h.in[0] + sizeof(shared void *));
    ad[MYTHREAD] = 1;
    int n = 3 + MYTHREAD;
    shared int *vla[n];
    for (i = 0; i < n; i++) vla[i] = &al[i % 4];
    CHECK(*vla[n - 1] == (n - 1) % 4);
    shared int *(*pvla)[n] = &vla;
    CHECK(*(*pvla)[1] == 1);
    CHECK(sizeof vla == n * sizeof(shared int *));
    shared int **alc = malloc(n * sizeof *alc);
    alc[0] = al;
    alc[1] = alc[0] + 1;
    CHECK(*alc[1] == 1);
    free(alc);
    int nested(shared int *p) { return *p + n; }
    CHECK(nested(&al[1]) == n + 1);
    {
        shared int *p = al;
        CHECK((p && 1) && !(p && 0) && (p || 0) && !!p);
        i = p ? 1 : 0;
        CHECK(i);
        CHECK((p ?: 0) == al);
        _Bool bb = p;
        CHECK(bb);
        bb = 0;
        bb = !p;
        CHECK(!bb);
        if (!(p = getp())) CHECK(0);
        while ((p = m2(3)) != al + 3)
            ;
        for (p = al; p - al < 3 && *p < 3; p++)
            ;
        CHECK(*p == 3);
        int q[9] = {0};
        q[p - al] = 5;
        CHECK(q[3] == 5);
        do p--;
        while (p != al);
    }
    CHECK(&*tab[1] == &al[1] && &hp->q[2] == &ind[2] && &(*hp).p[1] == &al[2] &&
          (&h)->in[0].v == (shared void *)al);
    CHECK((shared const void *)al == (shared void *)al && (volatile shared void *)al == al);
    return finish();
}
