/* SPDX-License-Identifier: BSD-3-Clause */
/* Unshared static data in all forms of declarators and initial values; each thread writes to its own. */
#include "check.h"
#include <string.h>
struct pair { int a, *b; };
int first, *to_first = &first, **to_pointer = &to_first;
int grid[2][3] = {{1, 2, 3}, {4, 5}}, (*row)[3] = &grid[1], *cells[] = {&grid[0][0], &grid[1][2], 0};
struct pair one = {.b = &one.a, .a = 6}, many[3] = {[1] = {7, &first}, [2].b = &many[1].a};
static union { int i; char bytes[4]; } unnamed = {0x01020304};
static struct { struct { int depth; int *self; } inner; } nested = {{3, &nested.inner.depth}};
int (*function)(int), (*functions[2])(int);
char *const fixed = (char *)&first + 1;
const char *words[] = {"one", "two"}, letters[] = "abc";
static const int constants[3] = {1, 2, 3};
static int *const constant_pointer = &first;
const int external_constant = 9;
volatile int changing = 1;
enum color { kRed, kGreen } color = kGreen;
typedef int vector[4];
vector named = {1, [3] = 4};
__thread int of_c = 2;
long bits = (long)sizeof(grid), flexible_size = sizeof(struct pair) + (int)(2.5 * 2);
double complete[] = {1, 2, 3};
extern int declared_first;
int *to_declared = &declared_first;
int declared_first = 12;
register_t unused;
struct flexible { int n; int tail[]; } flexible = {2, {3, 4}};
_Alignas(64) char aligned[64];
int bits_of[8 * sizeof(int)];

static int add(int x) { return x + MYTHREAD; }

static int *counter(int step)
{
    static int count, *self = &count;
    static struct local { int n; struct local *me; } local = {1, &local};
    static const int steps[] = {1, 10};
    {
        static int count = 100;
        count += steps[step];
        local.n += count;
    }
    *self += steps[step];
    return local.me == &local && local.n > 100 ? &count : 0;
}
static int twice(void)
{
    static int count = 50;
    return count += 2;
}
static int recursive(int n)
{
    static int depth;
    int sum = ++depth + (n > 0 ? recursive(n - 1) : 0);
    depth--;
    return sum;
}

int main(void)
{
    int i, *found;
    first = 10 + MYTHREAD;
    function = add;
    functions[1] = add;
    grid[1][2] = 20 + MYTHREAD;
    one.a += MYTHREAD;
    many[1].a += MYTHREAD;
    unnamed.bytes[0] = MYTHREAD;
    nested.inner.depth += MYTHREAD;
    named[2] = MYTHREAD;
    changing += MYTHREAD;
    color = MYTHREAD % 2;
    complete[2] += MYTHREAD;
    of_c += MYTHREAD;
    declared_first += MYTHREAD;
    flexible.tail[1] += MYTHREAD;
    memset(aligned, MYTHREAD, sizeof aligned);
    bits_of[31] = MYTHREAD;
    words[1] = "other";
    for (i = 0; i <= MYTHREAD; i++) found = counter(i % 2);
    upc_barrier;
    CHECK(*to_first == 10 + MYTHREAD && **to_pointer == 10 + MYTHREAD && to_pointer == &to_first);
    CHECK((*row)[2] == 20 + MYTHREAD && cells[1] == &grid[1][2] && *cells[1] == 20 + MYTHREAD && cells[2] == 0);
    CHECK(sizeof cells == 3 * sizeof(int *) && sizeof complete == 3 * sizeof(double) && sizeof letters == 4);
    CHECK(*one.b == 6 + MYTHREAD && many[1].b == &first && *many[2].b == 7 + MYTHREAD && many[0].b == 0);
    CHECK(unnamed.i == 0x01020300 + MYTHREAD);
    CHECK(*nested.inner.self == 3 + MYTHREAD && nested.inner.self == &nested.inner.depth);
    CHECK(function(1) == 1 + MYTHREAD && functions[1](2) == 2 + MYTHREAD && functions[0] == 0);
    CHECK(fixed == (char *)&first + 1 && constant_pointer == &first && *constant_pointer == 10 + MYTHREAD);
    CHECK(strcmp(words[0], "one") == 0 && strcmp(words[1], "other") == 0 && strcmp(letters, "abc") == 0);
    CHECK(constants[2] == 3 && external_constant == 9 && changing == 1 + MYTHREAD && color == MYTHREAD % 2);
    CHECK(named[0] == 1 && named[2] == MYTHREAD && named[3] == 4);
    CHECK(of_c == 2 + MYTHREAD && bits == 24 && flexible_size == 21);
    CHECK(complete[2] == 3 + MYTHREAD && *to_declared == 12 + MYTHREAD && to_declared == &declared_first);
    CHECK(flexible.tail[0] == 3 && flexible.tail[1] == 4 + MYTHREAD);
    CHECK((unsigned long)aligned % 64 == 0 && aligned[63] == MYTHREAD && bits_of[31] == MYTHREAD);
    CHECK(found != 0 && *found == (MYTHREAD / 2 + 1) + (MYTHREAD + 1) / 2 * 10);
    CHECK(twice() == 52 && twice() == 54 && recursive(3) == 10 && recursive(1) == 3);
    {
        extern int first;
        int *declared_first = &first, sum = 0;
        CHECK(*declared_first == 10 + MYTHREAD);
        for (int first = 0; first < 3; first++) sum += first;
        CHECK(sum == 3 && *to_first == 10 + MYTHREAD);
    }
    return finish();
}
