/* SPDX-License-Identifier: BSD-3-Clause */
/* Private C in UPC files: what GNU C has. */
#include <upc.h>
#include <stdio.h>
#include <stdarg.h>
#include <stddef.h>
typedef float vec4 __attribute__((vector_size(16)));
shared int results[THREADS];

static int variadic(int n, ...) {
    va_list list;
    int sum = 0;
    va_start(list, n);
    while (n-- > 0) sum += va_arg(list, int);
    va_end(list);
    return sum;
}

static int computed(int k) {
    static const void *const labels[] = {&&zero, &&one, &&two};
    goto *labels[k];
zero:
    return 10;
one:
    return 20;
two:
    return 30;
}

static int nested(int n) {
    int total = n;
#ifdef __clang__ /* has no nested functions */
    total += 3 + 2 * MYTHREAD;
#else
    void add(int k) { total += k + MYTHREAD; }
    add(1);
    add(2);
#endif
    return total - 2 * MYTHREAD;
}

static __attribute__((noinline, unused)) int attributed(int x) __attribute__((pure));
static int attributed(int x) { return x + 1; }

int main(void) {
    vec4 v = {1, 2, 3, 4}, w = v + v;
    struct { int a, b[3]; } s = {.b = {[1] = 5}, .a = 1};
    int range = ({ int t = 3; t * t; });
    __typeof__(range) same = range ?: 4;
    __auto_type also = same;
    switch (also) {
    case 1 ... 8: return 1;
    case 9: break;
    default: return 2;
    }
    if (w[2] != 6 || s.b[1] != 5 || variadic(3, 1, 2, 3) != 6 || computed(1) != 20 || nested(4) != 7 || attributed(1) != 2) return 3;
    if (_Generic(also, int: 1, default: 0) != 1 || offsetof(__typeof__(s), b) != 4) return 4;
    results[MYTHREAD] = ({ int k; for (k = 0; k < MYTHREAD; k++); k; });
    upc_barrier;
    if (results[THREADS - 1] != THREADS - 1) return 5;
    {
        int n = THREADS + 2, vla[n];
        vla[n - 1] = n;
        if (sizeof vla != n * sizeof(int) || vla[THREADS + 1] != THREADS + 2) return 6;
    }
    __asm__ volatile("" : "+r"(range) : : "memory");
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
