/* SPDX-License-Identifier: BSD-3-Clause */
/* Structures and unions: read, assigned and copied in all directions, of all sizes; members of packed ones. */
#include <string.h>
#include "check.h"

struct small { char c[3]; };
struct large { int n; double v[40]; struct small s; shared [] struct large *next; };
union mixed { int i; double d; char text[12]; };
struct __attribute__((packed)) tight { char c; int n; double d; short s; shared int *p; };
struct empty_tail { int n; char rest[]; };
shared struct small smalls[5 * THREADS];
shared [2] struct large larges[4 * THREADS];
strict shared struct large careful[THREADS];
shared union mixed unions[THREADS];
shared [4] struct tight tights[4 * THREADS];
shared int target;
static int calls;

static struct large make(int n)
{
    struct large made = { n, { 1, n }, { "ab" }, 0 };
    made.v[39] = -n;
    calls++;
    return made;
}
static int sum(struct large one, shared [2] struct large *p, struct small s) { return one.n + (int)one.v[39] * 2 + p->n + s.c[0]; }
static struct large returned(int i) { return larges[i]; }
static shared [2] struct large *at(int i) { calls++; return &larges[i]; }

static void test_copies(void)
{
    const int last = 4 * THREADS - 1;
    struct large mine = make(3), other, array[2], *p = array;
    struct small s;
    calls = 0;
    larges[last] = mine;
    other = larges[last];
    CHECK(memcmp(&other, &mine, sizeof mine) == 0 && larges[last].v[39] == -3);
    larges[0] = larges[last];
    CHECK(larges[0].n == 3 && larges[0].v[39] == -3 && larges[0].s.c[1] == 'b' && larges[1].n == 0);
    *at(1) = *at(0);
    CHECK(calls == 2 && larges[1].v[1] == 3);
    larges[1] = make(4);
    CHECK(calls == 3 && larges[1].v[39] == -4 && (larges[2 % (last + 1)] = make(5)).v[1] == 5);
    careful[0] = larges[1];
    larges[last] = careful[0];
    CHECK(larges[last].n == 4 && (careful[THREADS - 1] = mine).n == 3 && careful[THREADS - 1].v[1] == 3);
    *p++ = larges[last];
    *p = p[-1] = careful[0];
    CHECK(p == &array[1] && array[0].n == careful[0].n && array[1].v[39] == -array[0].n);
    CHECK(sum(larges[last], &larges[last], larges[last].s) == 4 - 8 + 4 + 'a' && returned(last).v[1] == 4);
    s = larges[last].s;
    smalls[5 * THREADS - 1] = s;
    smalls[0] = smalls[5 * THREADS - 1];
    CHECK(smalls[0].c[1] == 'b' && ((struct small)smalls[0]).c[0] == 'a' &&
          smalls[1 % (5 * THREADS)].c[0] == 0);
    smalls[0] = (struct small){ { 1, 2, 3 } };
    CHECK(smalls[0].c[2] == 3 && (s = smalls[0]).c[1] == 2);
    other = calls ? larges[1] : mine;
    CHECK(other.n == 4);
    larges[last].next = (shared [] struct large *)&larges[1];
    larges[last].next->next = larges[last].next;
    CHECK(larges[last].next->next->next->v[1] == 4 && larges[last].next->s.c[0] == 'a');
    larges[last].next->v[2] += larges[last].next->v[1]++;
    CHECK(larges[1].v[2] == 4 && larges[1].v[1] == 5);
    {
        struct large initial = larges[1], list[2] = { larges[1], { .n = larges[1].n, .s = smalls[0] } };
        CHECK(initial.v[1] == 5 && list[0].v[1] == 5 && list[1].n == 4 && list[1].s.c[2] == 3 &&
              list[1].next == 0);
    }
}

static void test_unions(void)
{
    union mixed u;
    unions[THREADS - 1].d = 1.0;
    u = unions[THREADS - 1];
    CHECK(u.d == 1.0 && unions[THREADS - 1].i == 0);
    unions[THREADS - 1].text[11] = 'z';
    unions[0] = unions[THREADS - 1];
    CHECK(unions[0].text[11] == 'z' && unions[0].d == 1.0);
    unions[0].text[7]--;
    CHECK(unions[0].d != 1.0 && unions[0].text[11] == 'z');
}

static void test_packed(void)
{
    const int last = 4 * THREADS - 1;
    struct tight t = { 1, -2, 3.5, -4, &target };
    int i;
    for (i = last - 3; i <= last; i++) {
        tights[i].c = i; tights[i].n = -i; tights[i].d = i / 2.0; tights[i].s = 7; tights[i].p = &target;
    }
    for (i = last - 3; i <= last; i++) {
        CHECK(tights[i].c == (char)i && tights[i].n == -i && tights[i].d == i / 2.0 && tights[i].s == 7 &&
              tights[i].p == &target);
        tights[i].n += 5; tights[i].d *= 2; tights[i].s--;
        CHECK(tights[i].n == 5 - i && tights[i].d == i && tights[i].s++ == 6 && tights[i].p++ == &target);
        CHECK(tights[i].c == (char)i && tights[i].s == 7 && tights[i].p == &target + 1);
    }
    tights[last] = t;
    CHECK(tights[last].n == -2 && tights[last].p == &target && tights[last - 1].p != &target);
    *tights[last].p = 12;
    CHECK(target == 12);
}

int main(void)
{
    if (MYTHREAD == 0) {
        test_copies();
        test_unions();
        test_packed();
    }
    return finish();
}
