/* SPDX-License-Identifier: BSD-3-Clause */
/* GNU C around shared data: vectors, nested functions, packed structures, statement expressions. */
#define _GNU_SOURCE
#include <string.h>
#include <stdlib.h>
#include "check.h"
typedef int v4 __attribute__((vector_size(16)));
struct __attribute__((aligned(8))) pk {
    char c;
    int i;
    shared int *p;
} __attribute__((unused));
shared struct pk pks[THREADS];
shared v4 vec[THREADS];
shared __int128 wide[THREADS];
shared int n __attribute__((aligned(16))), arr[2 * THREADS] __attribute__((unused));
static int __attribute__((const)) sq(int x) { return x * x; }
extern int puts_alias(const char *) __asm__("puts");
__extension__ typedef long long ll;
shared ll lls[THREADS];
static void fin(int *p) { n += *p; }
int ranges[10] = {[2 ... 4] = 7};
static int old(struct pk p) { return p.c; }
typedef struct {
    int len;
    char data[0];
} flex;
shared [] struct {
    int z[0];
    int v;
} zz[2];
static __inline__ __attribute__((always_inline)) int deref(shared int *p) { return *p; }
enum __attribute__((packed)) small { SA, SB };
shared enum small sm[THREADS];
shared struct {
} empty;
__thread int tls = 4;
#ifdef __clang__
static int nest(shared int *base) { return 2 * (base[MYTHREAD] + 3); }
#else
static int nest(shared int *base)
{
    int k = 3;
    int inner(int i) { return base[i] + k; }
    auto int fwd(int);
    int fwd(int i) { return inner(i) * 2; }
    return fwd(MYTHREAD);
}
#endif
int main(void)
{
    const char *fn = __func__, *pf = __PRETTY_FUNCTION__;
    int i;
    struct pk t = {'q', 5, arr};
    arr[MYTHREAD] = MYTHREAD;
    pks[MYTHREAD] = t;
    pks[MYTHREAD].i++;
    CHECK(pks[MYTHREAD].i == 6 && *pks[MYTHREAD].p == *arr && old(pks[MYTHREAD]) == 'q' &&
          sizeof(struct pk) % 4 == 0);
    vec[MYTHREAD] = (v4){1, 2, 3, 4};
    {
        v4 v = vec[MYTHREAD];
        v += v;
        vec[MYTHREAD] = v;
        v = vec[MYTHREAD];
        CHECK(v[3] == 8);
    }
    wide[MYTHREAD] = (__int128)1 << 100;
    wide[MYTHREAD] >>= 98;
    CHECK((int)wide[MYTHREAD] == 4);
    CHECK(nest(arr) == 2 * (MYTHREAD + 3));
    upc_barrier;
    if (!MYTHREAD) {
        {
            int g __attribute__((cleanup(fin))) = 5;
            (void)g;
        }
        CHECK(n == 5);
        {
            int r, a = n;
            __asm__ __volatile__("leal 1(%1), %0" : "=r"(r) : "r"(a));
            n = r;
        }
        CHECK(n == 6);
    }
    lls[MYTHREAD] = -1LL;
    CHECK(lls[MYTHREAD] < 0 && ranges[3] == 7 && sq(n * 0 + 3) == 9 && deref(&arr[MYTHREAD]) == MYTHREAD);
    sm[MYTHREAD] = SB;
    CHECK(sm[MYTHREAD] == SB && sizeof(sm[0]) == 1 && sizeof(zz[0]) == 4 && tls == 4);
    (void)empty;
    CHECK(!strcmp(fn, "main") || !strcmp(fn, "user_main"));
    (void)pf;
    switch (arr[MYTHREAD]) {
    case 0 ... 9:
        i = 1;
        break;
    default:
        i = 0;
    }
    CHECK(i);
    CHECK(__builtin_types_compatible_p(__typeof__(arr[0]), shared int) && __builtin_choose_expr(1, arr, 0) == arr &&
          __builtin_constant_p(sizeof(shared int)) && __builtin_offsetof(struct pk, i) == 4);
    {
        flex *f = malloc(sizeof *f + 3);
        strcpy(f->data, "ab");
        CHECK(f->data[1] == 'b');
        free(f);
    }
    CHECK((({
               shared int *q = arr;
               q + 1;
           }) == &arr[1] &&
           (shared int *){arr} == arr && (shared int *[]){0, arr}[1] == arr && ((struct pk){.p = arr}).p == arr));
    {
        __label__ l;
        void *p = &&l;
        goto *p;
    l:;
    }
    if (0) __builtin_unreachable();
    puts_alias("");
    {
        typeof(shared int *) q = arr;
        typeof(&arr[0]) r = q;
        typeof(q) s[2] = {r};
        CHECK(s[0] == arr);
    }
    {
        double x = 0x1.8p1, y = 1e3f, z = .5L;
        CHECK(x == 3 && y == 1000 && z == .5 && 0b101 == 5);
    }
    return finish();
}
