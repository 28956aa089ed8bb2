/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit-fields of shared structures: values, signs, conversions; an access touches no byte that is not the field's. */
#include "check.h"

struct fields {
    char before;
    unsigned a : 3, b : 13;
    signed int c : 5;
    _Bool d : 1;
    unsigned : 0;
    unsigned e : 8, f : 16, g : 8;
    long long h : 40;
    unsigned i : 32;
    struct { int j : 7; unsigned char k : 2; };
    enum { red, green, blue } color : 3;
    char after;
};
struct __attribute__((packed)) tight { char c; unsigned x : 11; unsigned long y : 50; char last; };
union both { unsigned n; struct { unsigned low : 12, high : 20; } part; };
shared struct fields one, many[2 * THREADS];
shared [3] struct { struct fields in[2]; int n; } blocked[3 * THREADS];
shared struct tight packed[THREADS];
shared union both either;
strict shared struct fields careful;
static int calls;
static shared struct fields *get(int n) { calls++; return &many[n]; }

static void test_values(void)
{
    int x;
    one.before = 'x'; one.after = 'y';
    one.a = 7; one.b = 0x1abc; one.c = -3; one.d = 5; one.e = 0x12; one.f = 0xcdef; one.g = 0x34;
    one.h = -0x7f12345678ll; one.i = 0xfedcba98u; one.j = -64; one.k = 3; one.color = blue;
    CHECK(one.a == 7 && one.b == 0x1abc && one.c == -3 && one.d == 1 && one.e == 0x12 && one.f == 0xcdef &&
          one.g == 0x34);
    CHECK(one.h == -0x7f12345678ll && one.i == 0xfedcba98u && one.j == -64 && one.k == 3 &&
          one.color == blue);
    CHECK(one.before == 'x' && one.after == 'y');
    x = (one.a = 13); CHECK(x == 5 && one.a == 5 && one.b == 0x1abc);
    x = (one.c = 16); CHECK(x == -16 && one.c == -16 && one.d == 1);
    CHECK(one.a - 6 < 0 && -one.a == -5 && (one.d = 0.25) == 1 && one.d);
    x = one.a++; CHECK(x == 5 && one.a == 6); x = ++one.a; CHECK(x == 7); x = ++one.a;
    CHECK(x == 0 && one.a == 0 && one.b == 0x1abc);
    x = one.a--; CHECK(x == 0 && one.a == 7); x = --one.c; CHECK(x == 15); one.c += 2;
    CHECK(one.c == -15 && one.d == 1);
    one.b <<= 2; CHECK(one.b == ((0x1abc << 2) & 0x1fff)); one.f ^= 0xffff;
    CHECK(one.f == 0x3210 && one.e == 0x12 && one.g == 0x34);
    x = (one.h /= 2) < 0; CHECK(x && one.h == -0x3f891a2b3cll); one.d ^= 1; CHECK(!one.d); one.color = red;
    one.color++; CHECK(one.color == green);
    CHECK((one.d ? 1 : 2) == 2 && !one.d && (one.a && one.k) && one.j < 0);
    careful.b = 77; careful.b++; CHECK(careful.b == 78 && careful.a == 0 && careful.c == 0);
}

static void test_places(void)
{
    const int last = 2 * THREADS - 1;
    int i = 0;
    shared struct fields *p = &many[last];
    struct fields copy;
    p->c = -1; p->f = 1; get(last)->f += get(last)->c + 3; CHECK(calls == 2 && many[last].f == 3);
    many[i++].e = i; CHECK(i == 1); get(i)->e = get(0)->e = 300;
    CHECK(calls == 4 && many[1].e == 44 && many[0].e == 44);
    get(1)->e++; CHECK(calls == 5 && many[1].e == 45); (*p).g = 9; copy = *p;
    CHECK(copy.g == 9 && copy.f == 3 && copy.c == -1);
    copy.b = 99; *p = copy; CHECK(p->b == 99);
    blocked[3 * THREADS - 1].in[1].b = 5; blocked[3 * THREADS - 1].in[1].c--;
    CHECK(blocked[3 * THREADS - 1].in[1].b == 5 && blocked[3 * THREADS - 1].in[1].c == -1 &&
          blocked[3 * THREADS - 1].n == 0);
    packed[THREADS - 1].c = 1; packed[THREADS - 1].last = 2; packed[THREADS - 1].x = 0x7ff;
    packed[THREADS - 1].y = 0x2000000000001ul;
    CHECK(packed[THREADS - 1].c == 1 && packed[THREADS - 1].last == 2 && packed[THREADS - 1].x == 0x7ff &&
          packed[THREADS - 1].y == 0x2000000000001ul);
    packed[THREADS - 1].y -= 2;
    CHECK(packed[THREADS - 1].y == 0x1fffffffffffful && packed[THREADS - 1].x-- == 2047 &&
          packed[THREADS - 1].c == 1);
    either.n = 0xabcde123; CHECK(either.part.low == 0x123 && either.part.high == 0xabcde);
    either.part.high = 1; CHECK(either.n == 0x1123);
}

/* Threads write their own fields of one structure at the same time: the fields have bytes of their own. */
shared struct { unsigned char c0; unsigned f1 : 8; unsigned f2 : 8; unsigned f3 : 8; unsigned f4 : 32; } neighbours;
static void test_neighbours(void)
{
    int n;
    upc_barrier;
    for (n = 1; n <= 200; n++) {
        switch (MYTHREAD) {
        case 0: neighbours.f1 = n; CHECK(neighbours.f1 == n); break;
        case 1: neighbours.f2 = n; CHECK(neighbours.f2 == n); break;
        case 2: neighbours.f3 = n; CHECK(neighbours.f3 == n); break;
        case 3: neighbours.c0 = n; CHECK(neighbours.c0 == n); break;
        default: break;
        }
    }
    upc_barrier;
    CHECK(neighbours.f1 == 200 && neighbours.f4 == 0);
    CHECK(THREADS < 2 || neighbours.f2 == 200);
    CHECK(THREADS < 4 || (neighbours.f3 == 200 && neighbours.c0 == 200));
}

int main(void)
{
    if (MYTHREAD == 0) {
        test_values();
        test_places();
    }
    test_neighbours();
    return finish();
}
