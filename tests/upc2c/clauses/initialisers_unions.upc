/* SPDX-License-Identifier: BSD-3-Clause */
/* C99 6.7.8 for shared unions: a designator initialises any member, also of an anonymous union and of array elements. */
#include "check.h"

shared union { int i; float g; } second = { .g = 2 }, first = { 3 }, last_wins = { .g = 1, .i = 4 };
shared [] union { int i; float g; } elements[3] = { { 4 }, { .g = 2 }, [2].g = 5 };
shared union { int i; shared int *p; } null_pointer = { .p = 0 };
shared struct { int a; union { int b; double c; }; int d; } anonymous = { 1, .c = 2.5, 3 };
shared struct { union { int : 3; int i; float f; } u; int after; } unnamed = { { 5 }, 6 };
shared [] struct { union { int i[2]; float f; } u[2]; int e; } flat[1] = { 1, 2, 3, 4, 5 };
static shared struct { union { char c; short s[2]; } u; int e; } deep = { .u.s[1] = 7, 8 };

int main(void)
{
    CHECK(second.g == 2 && first.i == 3 && last_wins.i == 4);
    CHECK(elements[0].i == 4 && elements[1].g == 2 && elements[2].g == 5);
    CHECK(null_pointer.p == NULL);
    CHECK(anonymous.a == 1 && anonymous.c == 2.5 && anonymous.d == 3);
    CHECK(unnamed.u.i == 5 && unnamed.after == 6);
    CHECK(flat[0].u[0].i[1] == 2 && flat[0].u[1].i[0] == 3 && flat[0].u[1].i[1] == 4 && flat[0].e == 5);
    CHECK(deep.u.s[1] == 7 && deep.e == 8);
    return finish();
}
