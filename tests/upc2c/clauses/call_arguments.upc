/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers-to-shared and shared values as arguments and results: prototypes, K&R definitions, pointers to
 * functions, variable arguments; THREADS and MYTHREAD; initialisers of local variables; statement expressions
 * and compound literals. */
#include <stdarg.h>
#include "check.h"

shared [3] int threes[6 * THREADS];
shared int ones[6 * THREADS];
shared double real;
struct pair { shared [3] int *p; shared void *g; int n; };

static shared int *plain(shared int *p, int n) { return p + n; }
static shared void *generic(shared void *p) { return p; }
static shared [] int *indefinite(shared [3] int a[], const shared int *b, int n) { return n ? (shared [] int *)a : (shared [] int *)b; }
static double half(double d) { return d / 2; }
static int old(p, n, b)
    shared [3] int *p;
    char b;
{
    return p[n] + b;
}
static int sum(int n, ...)
{
    va_list list;
    int total = 0;
    va_start(list, n);
    while (n-- > 0) {
        shared [3] int *p = va_arg(list, shared [3] int *);
        total += p ? *p : 1000;
        total += va_arg(list, int);
    }
    va_end(list);
    return total;
}
/* the last parameter before the variable ones is a pointer-to-shared */
static int behind(int n, shared [3] int *first, ...)
{
    va_list list;
    int total = *first;
    va_start(list, first);
    while (n-- > 0) total += *va_arg(list, shared int *);
    va_end(list);
    return total;
}
static struct pair make(shared [3] int *p) { struct pair made = { p, p + 1, threes[1] }; return made; }
static int deref(shared int **p) { return **p; }
static int apply(shared [] int *(*f)(shared [3] int *, const shared int *, int), int n) { return *f(threes, ones, n); }
static shared int *find(int i) { if (i < 0) return 0; return i < 3 ? &ones[i] : NULL; }
static _Bool truth(shared int *p) { return p; }
static long converted(void) { return threes[2]; }
static float narrowed(void) { return real; }

int main(int argc, char **argv)
{
    shared int *p = ones, *list[] = { ones + 1, 0, [3] = &ones[2] }, *q = plain(ones, 2) + 1;
    shared int *(*fp)(shared int *, int) = plain, *(*table[2])(shared int *, int) = { plain, &plain };
    shared [3] int *three = threes + 2;
    struct pair made, *mp = &made;
    int i, n = threes[0], copies[3] = { ones[0], threes[0] + 1 };
    double d = ones[0] + 0.5;
    CHECK(argc > 0 && argv[0] != 0 && n == 0 && copies[1] == 1 && copies[2] == 0 && d == 0.5);
    CHECK(list[0] == &ones[1] && !list[1] && !list[2] && list[3] == &ones[2] && q == &ones[3]);
    upc_barrier;
    if (MYTHREAD == 0) for (i = 0; i < 6 * THREADS; i++) { threes[i] = i + 1; ones[i] = 100 * i; }
    if (MYTHREAD == 0) real = 1.5;
    upc_barrier;
    CHECK(fp(p, 3) == &ones[3] && (*fp)(p, 1) == &ones[1] && table[1](p, 2) == &ones[2] &&
          (*table[0])(ones, 4) - p == 4);
    CHECK(generic(three) == three && upc_phaseof(generic(three)) == 2 && generic(0) == 0);
    CHECK(*indefinite(three, p, 1) == 3 && *indefinite(threes, &ones[2], 0) == 200 &&
          apply(indefinite, 1) == 1 && apply(&indefinite, 0) == 0);
    CHECK(half(threes[3]) == 2.0 && half(real) == 0.75 && old(threes, 4, 'a') == 5 + 'a' && converted() == 3 &&
          narrowed() == 1.5f);
    CHECK(sum(2, three, threes[0], (shared [3] int *)0, 20) == 3 + 1 + 1000 + 20);
    CHECK(behind(0, three) == 3 && behind(2, three, &ones[1], &ones[2]) == 3 + 100 + 200);
    made = make(threes + 4);
    CHECK(mp->p[-1] == 4 && *made.p == 5 && (shared [3] int *)mp->g == threes + 5 && made.n == 2 &&
          make(threes).p == threes && make(threes).p[1] == 2);
    made = (struct pair){ .g = ones, .n = ones[3] };
    CHECK(!made.p && made.g == ones && made.n == 300 && (&(struct pair){ threes, 0, 1 })->p == threes &&
          ((shared int *[]){ ones, 0 })[0] == p);
    CHECK(deref(&p) == 0 && deref(&list[3]) == 200 && deref((shared int *[1]){ &ones[5] }) == 500);
    CHECK(find(-1) == NULL && find(2) == &ones[2] && !find(7) && truth(ones) && !truth(find(3)));
    n = ({ shared int *r = find(1); r ? *r : -1; });
    CHECK(n == 100 && ({ ones[2]; }) == 200 && ({ int k = 3; &ones[k]; }) - 3 == ones);
    CHECK(THREADS >= 1 && MYTHREAD < THREADS && -MYTHREAD <= 0 && (MYTHREAD + 1) % THREADS < THREADS &&
          sizeof(THREADS) == sizeof(int));
    n = MYTHREAD == THREADS - 1 ? THREADS : MYTHREAD - THREADS;
    CHECK(n == THREADS || n < 0);
    n = threes[0] ?: 5;
    CHECK(n == 1 && (threes[0] - 1 ?: 6) == 6 && (n = threes[1], threes[n]) == 3 &&
          (threes[0], ones[1]) == 100);
    for (n = 0, i = threes[1]; i < threes[5]; i += threes[0]) n += threes[i] > 3 ? threes[i] : 0;
    CHECK(n == 4 + 5 + 6);
    while (n > ones[1] - 90) n--;
    do n++; while (n < threes[4] * 3);
    if (threes[0] == 1 && !ones[0] || ones[1]) n += 2; else n = -1;
    switch (threes[n - n]) { case 1: n = n * threes[2]; break; default: n = 0; }
    CHECK(n == 17 * 3);
    __asm__ volatile ("" : "+r" (n) : "r" (i) : "memory");
    CHECK((n = -threes[0]) == -1 && ~threes[0] == -2 && !threes[0] == 0 && +threes[0] == 1 && &*p == p &&
          &p[2] == &ones[2] && *&ones[1] == 100);
    upc_barrier;
    return finish();
}
