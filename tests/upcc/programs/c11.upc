/* SPDX-License-Identifier: BSD-3-Clause */
/* _Generic over pointers-to-shared, anonymous members, compound literals as arguments, atomics of C11. */
#include <upc.h>
#include <stdatomic.h>
#include <stdnoreturn.h>
#include <threads.h>
#include <tgmath.h>
#include <uchar.h>
#include "../../upc2c/clauses/check.h"
#define KIND(x)                                                                                            \
    _Generic((x), shared int * : 1, shared [2] int * : 2, shared [] int * : 3, int * : 4, shared void * : 5, \
             const shared int * : 6, default : 0)
struct s {
    _Static_assert(sizeof(int) == 4, "x");
    union {
        int i;
        float f;
    };
    struct {
        short a, b;
    };
};
shared struct s ss[THREADS];
shared int a[THREADS];
shared [2] int b[2 * THREADS];
shared [] int c[3];
int d[2];
atomic_int at;
_Atomic(long) al;
static noreturn void die(int c) {
    upc_global_exit(c);
    for (;;)
        ;
}
static int total(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
struct pt {
    shared int *p;
    int k;
};
static int use(struct pt p) { return p.p[0] + p.k; }
static int usep(const struct pt *p) { return *p->p + p->k; }
int main(void) {
    CHECK(KIND(a) == 1 && KIND(&b[1]) == 2 && KIND(c) == 3 && KIND(d) == 4 && KIND((shared void *)a) == 5 &&
          KIND((const shared int *)a) == 6 && KIND(1.0) == 0);
    ss[MYTHREAD].f = 1.0f;
    ss[MYTHREAD].b = 3;
    CHECK(ss[MYTHREAD].i == 0x3f800000 && ss[MYTHREAD].b == 3);
    at++;
    atomic_fetch_add(&at, 2);
    CHECK(at == 3);
    al = 4;
    CHECK(atomic_load(&al) == 4);
    a[MYTHREAD] = 5;
    CHECK(total((int[]){a[MYTHREAD], 1, 2}, 3) == 8);
    CHECK(use((struct pt){&a[MYTHREAD], 2}) == 7 && usep(&(struct pt){.p = a + MYTHREAD, .k = 1}) == 6);
    CHECK(sqrt(4.0f) == 2 && fabs(-a[MYTHREAD] * 1.0) == 5);
    char16_t *u = u"x";
    CHECK(u[0] == 'x' && U"y"[0] == 'y' && u8"z"[0] == 'z');
    if (a[MYTHREAD] != 5) die(3);
    CHECK(_Generic(a[MYTHREAD], int : 1, default : 0));
    CHECK(_Generic(b[0] + 0L, long : 1, default : 0));
    CHECK(_Alignof(struct s) == 4);
    return finish();
}
