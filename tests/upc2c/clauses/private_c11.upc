/* SPDX-License-Identifier: BSD-3-Clause */
/* C11 next to shared data: _Generic, _Static_assert, anonymous members, atomics, VLAs. */
#include "check.h"
#include <stdint.h>
#include <stddef.h>
#include <stdatomic.h>
_Static_assert(sizeof(shared int) == sizeof(int), "x");
_Static_assert(upc_blocksizeof(shared [5] int) == 5, "block");
struct anon {
    int k;
    union {
        int a;
        float b;
    };
    struct {
        short p, q;
    };
};
shared struct anon sa[THREADS];
_Alignas(32) static char aligned[64];
shared struct {
    _Alignas(16) char c;
    double d;
} al[THREADS];
static _Atomic int at;
_Thread_local int tl = 3;
#define kind(x) _Generic((x), int : 1, double : 2, shared int * : 3, shared [4] int * : 4, default : 5)
shared int g;
shared [4] int g4[4 * THREADS];
static _Noreturn void die(void) { upc_global_exit(3); }
static inline int sq(int x) { return x * x; }
__attribute__((noinline, unused)) static int nested(int x)
{
    __label__ out;
    int y = ({
        int t = x;
        t *= 2;
        t;
    });
    if (y > 100) goto out;
    y = y ?: 7;
    switch (y) {
    case 1 ... 5:
        y = 50;
        break;
    default:
        y += 1;
    }
out:
    return y;
}
int main(void)
{
    sa[MYTHREAD].a = MYTHREAD;
    sa[MYTHREAD].p = 4;
    sa[MYTHREAD].q = sa[MYTHREAD].p + 1;
    upc_barrier;
    CHECK(sa[THREADS - 1].a == THREADS - 1 && sa[0].q == 5);
    CHECK(offsetof(struct anon, q) == 10);
    CHECK(kind(1) == 1 && kind(&g) == 3 && kind(g4) == 4 && kind(&g4[1]) == 4 && kind(g) == 1 && kind("") == 5 &&
          kind(g + 1.) == 2);
    CHECK((uintptr_t)aligned % 32 == 0);
    atomic_fetch_add(&at, 2);
    CHECK(at == 2 && tl == 3);
    CHECK(nested(0) == 8 && nested(1) == 50 && nested(60) == 120 && sq(3) == 9);
    {
        typeof(g) *p = &g;
        __typeof__(g4[0]) *q = g4;
        __auto_type v = g;
        typeof(int) w = 2;
        v = w;
        CHECK(p == &g && q == g4 && v == 2);
    }
    {
        int n = 3 + MYTHREAD, vla[n][n];
        vla[n - 1][n - 1] = 5;
        CHECK(sizeof vla == n * n * sizeof(int) && vla[n - 1][n - 1] == 5);
    }
    {
        void *lab[] = {&&a, &&b};
        goto *lab[1];
    a:
        CHECK(0);
    b:;
    }
    {
        struct {
            int n;
            int f[];
        } *fl = __builtin_alloca(sizeof *fl + 8);
        fl->f[1] = 2;
        CHECK(fl->f[1] == 2);
    }
    {
        int x = 1;
        x <<= 2, x |= 1;
        CHECK(__builtin_expect(x == 5, 1));
        asm volatile("" : "+r"(x));
        CHECK(x == 5);
    }
    if (THREADS > 1000) die();
    return finish();
}
