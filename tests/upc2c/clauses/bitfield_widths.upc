/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit-fields of all widths and types in shared structures. */
#include "check.h"
struct b {
    unsigned a : 1;
    signed b : 7;
    unsigned long long c : 33;
    _Bool d : 1;
    int : 0;
    short e : 4;
    char f;
    unsigned g : 31;
    unsigned : 1;
    enum { P, Q, R } h : 2;
};
shared [3] struct b bs[3 * THREADS];
shared struct {
    struct b in[2];
    shared int *p;
    unsigned z : 12;
} sb;
shared int n[THREADS];
int main(void)
{
    int i;
    shared [3] struct b *p = &bs[3 * MYTHREAD + 1];
    struct b l;
    p->a = 3;
    p->b = -64;
    p->c = 0x1ffffffffULL;
    p->d = 2;
    p->e = 7;
    p->f = 'f';
    p->g = ~0u;
    p->h = R;
    CHECK(p->a == 1 && p->b == -64 && p->c == 0x1ffffffffULL && p->d == 1 && p->e == 7 && p->f == 'f' &&
          p->g == 0x7fffffff && p->h == R);
    CHECK(p->b-- == -64 && p->b == 63 && ++p->e == -8 && p->c++ && p->c == 0 && (p->a ^= 1) == 0 &&
          (p->b = 200) == (signed char)(200 << 1) / 2);
    p[0].g >>= 30;
    CHECK(p->g == 1);
    p->c |= 1ULL << 32;
    CHECK(p->c >> 32 == 1 && p->f == 'f' && p->h == R);
    l = *p;
    CHECK(l.c == 1ULL << 32 && l.h == R);
    l.e = -3;
    *p = l;
    CHECK(p->e == -3);
    CHECK((p->g = -1) == 0x7fffffff);
    CHECK((p->a = 2) == 0);
    CHECK((p->d = 4) == 1);
    (*p).a = p->b & 1;
    bs[3 * MYTHREAD].a = bs[3 * MYTHREAD + 1].a = 1;
    CHECK(bs[3 * MYTHREAD].a && !bs[3 * MYTHREAD].b && !bs[3 * MYTHREAD].c);
    upc_barrier;
    for (i = 0; i < 3 * THREADS; i++) CHECK(bs[i].a == (i % 3 != 2));
    if (MYTHREAD == THREADS - 1) {
        sb.in[1].c = 77;
        sb.p = n + MYTHREAD;
        sb.z = 0xabc;
        sb.in[0].h = Q;
        *sb.p = sb.z + sb.in[1].c;
    }
    upc_barrier;
    CHECK(sb.in[1].c == 77 && n[THREADS - 1] == 0xabc + 77 && sb.in[0].h == Q && sb.z == 0xabc &&
          sb.p == &n[THREADS - 1]);
    return finish();
}
