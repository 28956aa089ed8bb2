/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of packed structures at odd offsets, also where the structure itself is aligned. */
#include "check.h"

struct __attribute__((packed)) tight {
    char c;
    int i;
    double d;
    shared int *p;
    struct {
        short s;
    } in;
};
struct __attribute__((packed, aligned(8))) wide {
    char c;
    long l;
    int v[3];
    shared [2] int *p;
    union {
        float f;
        char b[4];
    };
};
shared struct tight tights[2 * THREADS];
shared struct wide wides[2 * THREADS];
shared int n[THREADS];
shared [2] int m[2 * THREADS];

int main(void)
{
    int i;
    shared struct tight *t = &tights[MYTHREAD];
    shared struct wide *w = &wides[MYTHREAD];
    t->i = 5;
    t->i++;
    t->d = 2.5;
    t->p = &n[MYTHREAD];
    t->in.s = 3;
    w->l = -1;
    w->l <<= 33;
    for (i = 0; i < 3; i++) w->v[i] = i;
    w->v[1] += 8;
    w->p = &m[2 * MYTHREAD];
    w->p++;
    w->f = 1.5;
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        CHECK(tights[i].i == 6 && tights[i].d == 2.5 && tights[i].p == &n[i] && tights[i].in.s == 3);
        CHECK(wides[i].l == -1L << 33 && wides[i].v[1] == 9 && wides[i].v[2] == 2 && wides[i].f == 1.5);
        CHECK(wides[i].p == &m[2 * i + 1] && wides[i].c == 0);
    }
    return finish();
}
