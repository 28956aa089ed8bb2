/* SPDX-License-Identifier: BSD-3-Clause */
/* Compound assignments, ++ and -- of shared objects: results, values of the expressions, and operands that
 * are evaluated once, in C's order. */
#include "check.h"

shared int a[4 * THREADS];
shared [4] unsigned char bytes[4 * THREADS];
shared [2] double reals[2 * THREADS];
strict shared long counter;
shared short narrow;
shared _Bool truth;
shared float single;
shared long double extended;
shared __int128 huge;
shared int *shared pointers[THREADS];
shared [4] unsigned char *shared [2] blocked[2 * THREADS];
int *shared [] private_pointer;
shared struct { int n; struct { float x[3]; } in[2]; } nested[THREADS];
static int calls, order;
static int list[4] = { 10, 20, 30, 40 };

static int count(int n) { calls++; return n; }
static int changes_a0(void) { a[0] = 100; return 1; }
static shared int *element(int n) { calls++; return &a[n]; }
static int first(void) { order = order * 10 + 1; return 1; }
static int second(void) { order = order * 10 + 2; return 2; }

static void test_integers(void)
{
    int x, i = 0;
    a[0] = 5;
    a[0] += 3; CHECK(a[0] == 8);
    a[0] -= 1; a[0] *= 6; a[0] /= 4; CHECK(a[0] == 10);
    a[0] %= 7; a[0] <<= 4; a[0] >>= 1; CHECK(a[0] == 24);
    a[0] |= 3; a[0] &= ~1; a[0] ^= 0xff; CHECK(a[0] == (26 ^ 0xff));
    a[0] = 1;
    x = a[0]++; CHECK(x == 1 && a[0] == 2);
    x = ++a[0]; CHECK(x == 3 && a[0] == 3);
    x = a[0]--; CHECK(x == 3 && a[0] == 2);
    x = --a[0]; CHECK(x == 1 && a[0] == 1);
    x = (a[0] += 2.75); CHECK(x == 3 && a[0] == 3);
    x = (a[0] *= 1.5) + (a[1] = 2); CHECK(x == 6 && a[0] == 4);
    a[i++] += count(2); CHECK(i == 1 && calls == 1 && a[0] == 6);
    a[i++] = i; CHECK(i == 2);
    ++a[i++]; CHECK(i == 3);
    *element(3) += count(4); CHECK(calls == 3 && a[3] == 4);
    x = (*element(3))++; CHECK(calls == 4 && x == 4 && a[3] == 5);
    x = -(*element(3) -= count(10)); CHECK(calls == 6 && x == 5 && a[3] == -5);
    a[0] = 1;
    a[0] += changes_a0();  /* the call is before or after, not between reading and writing */
    CHECK(a[0] == 101 || a[0] == 100);
    a[1] = first() + 10 * (a[2] = second(), first());
    CHECK(a[1] == 11 && a[2] == 2 && order % 10 == 1 && calls == 6);
    a[0] = a[1] = a[2] = 7;
    CHECK(a[0] == 7 && a[1] == 7 && (a[2] == 7 ? a[1]++ : a[0]++) == 7 && a[1] == 8 && a[0] == 7);
    x = 0;
    (void)(x && a[0]++), (void)(!x || a[0]++);
    CHECK(a[0] == 7);
    for (a[2] = 0; a[2] < 5; a[2]++) x += a[2];
    CHECK(x == 10 && a[2] == 5);
    x = list[a[2] -= 3]++;
    CHECK(x == 30 && list[2] == 31 && a[2] == 2);
    list[a[2]] += a[0];
    CHECK(list[2] == 38);
}

static void test_narrow(void)
{
    int x;
    bytes[1] = 250;
    x = (bytes[1] += 10); CHECK(x == 4 && bytes[1] == 4 && bytes[0] == 0 && bytes[2] == 0);
    x = bytes[1]-- - 5; CHECK(x == -1);
    bytes[1] = 0;
    x = --bytes[1]; CHECK(x == 255 && bytes[1]++ == 255 && bytes[1] == 0);
    bytes[1] = 0x81; bytes[1] <<= 1; CHECK(bytes[1] == 2);
    bytes[1] = 200; bytes[1] = -bytes[1]; CHECK(bytes[1] == 56);
    narrow = 32767; x = ++narrow; CHECK(x == -32768 && narrow == x);
    narrow = -9; narrow >>= 1; CHECK(narrow == -5); narrow /= 2; CHECK(narrow == -2);
    truth = 0; truth += 2; CHECK(truth == 1); truth--; CHECK(truth == 0); --truth; CHECK(truth == 1);
    truth++; CHECK(truth == 1); truth ^= 1; CHECK(!truth); truth |= 4; CHECK(truth == 1);
    counter = 0; counter--; counter *= 1l << 40; x = counter == -(1l << 40);
    CHECK(x && (counter += 1) == 1 - (1l << 40));
    huge = 1; huge <<= 100; huge++; CHECK(huge-- - 1 == (__int128)1 << 100 && huge >> 100 == 1);
}

static void test_floating(void)
{
    double x;
    reals[1] = 1;
    reals[1] += 0.5; reals[1] *= 3; x = reals[1]++; CHECK(x == 4.5 && reals[1] == 5.5);
    x = --reals[1]; CHECK(x == 4.5); reals[1] /= a[0] = 2; CHECK(reals[1] == 2.25 && a[0] == 2);
    single = 0.1f; x = (single *= 3); CHECK(x == (float)(0.1f * 3) && single == (float)x);
    single = 16777216; x = single++; CHECK(x == 16777216 && single == 16777216);
    extended = 1; extended /= 3; x = extended-- > 0.333; CHECK(x == 1 && extended < 0);
}

static void test_pointers(void)
{
    shared int *p;
    int *q;
    pointers[0] = a;
    p = pointers[0]++; CHECK(p == a && pointers[0] == &a[1]);
    p = ++pointers[0]; CHECK(p == &a[2]); pointers[0] -= 2; p = (pointers[0] += 3) - 1;
    CHECK(p == &a[2] && pointers[0] == &a[3]);
    *pointers[0] = 9; *--pointers[0] += 1; CHECK(a[3] == 9 && pointers[0] == &a[2]); (*pointers[0]++)++;
    CHECK(pointers[0] == &a[3] && pointers[0][0] == 9 && *pointers[0]-- == 9);
    blocked[1] = &bytes[3]; blocked[1]++;
    CHECK(blocked[1] == &bytes[4] && upc_phaseof(blocked[1]) == 0 && blocked[1]-- - 1 == &bytes[3]);
    CHECK(blocked[1] == &bytes[3] && upc_phaseof(blocked[1]) == 3);
    private_pointer = list; q = private_pointer++; CHECK(q == list && *private_pointer == 20);
    private_pointer[1]++;
    *private_pointer++ += 5;
    CHECK(list[1] == 25 && private_pointer - list == 2 && (private_pointer -= 2) == list &&
          private_pointer[0] == 10);
    nested[0].n = 1; nested[0].in[1].x[2] = 1.5f; nested[nested[0].n - 1].in[nested[0].n].x[2]++;
    nested[0].n <<= 3;
    CHECK(nested[0].n == 8 && nested->in[1].x[2] == 2.5f && nested[0].in[1].x[1] == 0);
}

int main(void)
{
    if (MYTHREAD == 0) {
        test_integers();
        test_narrow();
        test_floating();
        test_pointers();
    }
    return finish();
}
