/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.5.1 and ISO C 6.7.8: initial values of shared objects that are no arrays: of every type, converted as by
 * assignment; structures and unions with designators; addresses. Read by every thread before any barrier of main. */
#include "check.h"
#include <complex.h>
#undef I

enum color { RED, GREEN, BLUE = -3 };
struct pair {
    int a;
    double b;
};
struct nested {
    char name[8];
    struct pair pairs[3];
    union {
        int i;
        float f;
    } u;
    unsigned low : 3, : 2, high : 4;
    struct {
        short left, right;
    };
};

shared char c = 'x';
shared signed char sc = -5;
shared unsigned char uc = 300 - 45;
shared short s = -30000;
shared unsigned short us = 65535;
shared int i = 1 << 30, j = -2147483647 - 1, k = 3.75;
shared unsigned u = -1;
shared long l = -9223372036854775807L - 1;
shared unsigned long ul = 18446744073709551615UL;
shared long long ll = 1LL << 40;
shared _Bool yes = 5, no = 0;
shared float f = 1.1;
shared double d = -2.5e-3, from_int = 7;
shared long double ld = 1.25L;
shared double _Complex z = 3.0;
shared __int128 wide = (__int128)1 << 100;
shared enum color color = BLUE;
shared int negated_zero = 0;
shared double minus_zero = -0.0;
shared int in_braces = {17};
shared int zero = 0, zero_too = {0}, after = 4;
static shared int hidden = 42;
strict shared int strict_one = 1;
const shared int constant = 11;
volatile shared int moving = 12;
shared [5] int with_block = 13;
shared [] int with_indefinite = 14;
extern shared int declared_before;
extern shared int declared_before;
shared int declared_before = 15;
shared int tentative;
shared int tentative = 16;
shared int tentative;
shared size_t size = sizeof(struct nested), elem = upc_elemsizeof(shared struct pair);

shared struct pair pair = {1, 2.5};
shared struct pair designated = {.b = 9.5, .a = 8};
shared struct pair partial = {.a = 3};
shared struct pair old_style = {b: 1.5};
shared struct nested nested = {"name", {{1, 2}, 3, 4, [2].b = 5.5}, {.f = 0.5f}, 5, 9, {.right = 7}};
shared struct nested elided = {"abcdefg", 1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4};
shared union {
    int i;
    double d;
} first_member = {3}, second_member = {.d = 0.25};
shared union {
    int i;
    double d;
} *no_union = 0;

int mine = 5;
static int function(int n) { return n + 1; }
/* Private addresses in shared objects have a meaning on one thread only. */
shared struct {
    const char *text;
    int (*call)(int);
} addresses = {"text", function};

/* Extensions: what is known at start-up only. */
shared int threads = THREADS, sum = 2 * THREADS + 1;
shared double half = THREADS / 2.0;
shared struct pair computed = {THREADS, .b = THREADS * 1.5};

int main(void)
{
    struct nested n;
    CHECK(c == 'x' && sc == -5 && uc == 255 && s == -30000 && us == 65535);
    CHECK(i == 1 << 30 && j == -2147483647 - 1 && k == 3 && u == 4294967295u);
    CHECK(l == -9223372036854775807L - 1 && ul == 18446744073709551615UL && ll == 1099511627776LL);
    CHECK(yes == 1 && no == 0 && f == 1.1f && d == -2.5e-3 && from_int == 7.0 && ld == 1.25L);
    CHECK(creal(z) == 3.0 && cimag(z) == 0.0 && wide >> 100 == 1 && color == BLUE && negated_zero == 0);
    CHECK(minus_zero == 0 && 1 / minus_zero < 0);
    CHECK(in_braces == 17 && zero == 0 && zero_too == 0 && after == 4 && hidden == 42 && strict_one == 1);
    CHECK(constant == 11 && moving == 12 && with_block == 13 && with_indefinite == 14);
    CHECK(declared_before == 15 && tentative == 16 && size == sizeof(struct nested) && elem == sizeof(struct pair));
    CHECK(pair.a == 1 && pair.b == 2.5 && designated.a == 8 && designated.b == 9.5);
    CHECK(partial.a == 3 && partial.b == 0 && old_style.a == 0 && old_style.b == 1.5);
    n = nested;
    CHECK(n.name[0] == 'n' && n.name[3] == 'e' && n.name[4] == 0 && n.pairs[0].a == 1 && n.pairs[0].b == 2);
    CHECK(n.pairs[1].a == 3 && n.pairs[1].b == 4 && n.pairs[2].a == 0 && n.pairs[2].b == 5.5);
    CHECK(n.u.f == 0.5f && n.low == 5 && n.high == 9 && n.left == 0 && n.right == 7);
    n = elided;
    CHECK(n.name[6] == 'g' && n.pairs[2].b == 6 && n.u.i == 7 && n.low == 1 && n.high == 2 && n.left == 3 && n.right == 4);
    CHECK(first_member.i == 3 && second_member.d == 0.25 && no_union == NULL);
    if (MYTHREAD == 0) CHECK(addresses.text[3] == 't' && addresses.call(2) == 3 && mine == 5);
    CHECK(threads == THREADS && sum == 2 * THREADS + 1 && half == THREADS / 2.0);
    CHECK(computed.a == THREADS && computed.b == THREADS * 1.5);
    return finish();
}
