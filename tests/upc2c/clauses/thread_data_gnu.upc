/* SPDX-License-Identifier: BSD-3-Clause */
/* Unshared static data in the GNU C that programs have: labels as values, nested functions, asm, statement expressions. */
#include "check.h"
#include <stdarg.h>
static int n = 3, calls;
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
static int big[4] = {[0 ... 2] = 5, 6};
_Alignas(16) static float vector_data[4];
static char text[] = "abc" "def";
typedef int v4 __attribute__((vector_size(16)));
static v4 lanes = {1, 2, 3, 4};
static _Complex double z = 1.0;
static long double wide = 1.5L;
static union { struct { int a, b; }; long both; } anonymous = {.a = 1, .b = 2};
static struct { unsigned low : 3, high : 5; } bits = {5, 17};
static int (*table[])(int, ...);

static int jump(int to)
{
    static const void *const labels[] = {&&zero, &&one, &&two};
    static int visits;
    visits++;
    goto *labels[to];
zero:
    return visits;
one:
    return 10 + visits;
two:
    return 20 + visits;
}
#ifdef __clang__ /* has no nested functions */
static int nested(void)
{
    static int result = 15;
    return result += 400; /* 415, 815 */
}
#else
static int nested(void)
{
    static int count = 1;
    int local = 2;
    int add(int x) { static int inner = 100; return count += x + local + inner++; }
    local = add(1);
    return local + add(local - 102);
}
#endif
static int sum(int first, ...)
{
    va_list list;
    int total = n * 0;
    va_start(list, first);
    for (; first > 0; first--) total += va_arg(list, int);
    va_end(list);
    calls++;
    return total;
}
static int (*table[])(int, ...) = {sum, 0};
static int by_size(int k)
{
    switch (k) {
    case 1 ... 3: return 1;
    case sizeof big: return 2;
    default: return 3;
    }
}
int main(void)
{
    int i, vla[n + MYTHREAD], copy[sizeof big / sizeof *big];
    __typeof__(big) same;
    __typeof__(&n) pointer = &n;
    __auto_type kept = n;
    n += MYTHREAD;
    for (i = 0; i < 4; i++) same[i] = copy[i] = big[i], big[i] += MYTHREAD, vector_data[i] = MYTHREAD;
    lanes[2] += MYTHREAD;
    lanes += lanes;
    __real__ z += MYTHREAD;
    __imag__ z = -MYTHREAD;
    wide *= MYTHREAD;
    anonymous.b += MYTHREAD;
    bits.high = (bits.high + MYTHREAD) & 31;
    text[4] = '0' + MYTHREAD;
#if defined(__x86_64__)
    __asm__ volatile("addl $1, %0" : "+m"(n) : "r"(calls));
#else
    n++;
#endif
    upc_barrier;
    CHECK(sizeof vla == (3 + MYTHREAD) * sizeof(int) && same[3] == 6 && copy[2] == 5 && kept == 3);
    CHECK(n == 4 + MYTHREAD && pointer == &n && *pointer == n && MAX(n, 2) == 4 + MYTHREAD && MAX(1, n++) == 4 + MYTHREAD);
    CHECK(n == 5 + MYTHREAD && big[0] == 5 + MYTHREAD && big[3] == 6 + MYTHREAD && vector_data[3] == MYTHREAD);
    CHECK(lanes[2] == 2 * (3 + MYTHREAD) && lanes[3] == 8 && __real__ z == 1 + MYTHREAD && __imag__ z == -MYTHREAD);
    CHECK(wide == 1.5L * MYTHREAD && anonymous.b == 2 + MYTHREAD && (int)anonymous.both == 1);
    CHECK(bits.low == 5 && bits.high == ((17 + MYTHREAD) & 31) && text[4] == '0' + MYTHREAD && sizeof text == 7);
    CHECK(jump(0) == 1 && jump(1) == 12 && jump(2) == 23);
    CHECK(nested() == 415 && nested() > 800);
    CHECK(sum(2, 3, 4) == 7 && table[0](1, 9) == 9 && calls == 2 && table[1] == 0);
    CHECK(by_size(2) == 1 && by_size(sizeof big) == 2 && by_size(99) == 3);
    CHECK(({ static int inside = 7; inside += MYTHREAD; }) == 7 + MYTHREAD);
    CHECK(calls == 2 && __builtin_types_compatible_p(__typeof__(big), int[4]));
    return finish();
}
