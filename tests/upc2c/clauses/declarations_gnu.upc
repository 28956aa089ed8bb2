/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations of shared objects and pointers-to-shared in C's rarer forms: attributes, typeof, vectors, words in
 * any order, structures in parameters and casts, sizes of shared objects in bounds, members, enumerators and labels. */
#include "check.h"
#include <stddef.h>

shared int aligned __attribute__((aligned(64), unused));
static __attribute__((unused)) shared [2] int unused[2 * THREADS];
__attribute__((weak)) shared int weak = 3;
shared int *pointer __attribute__((aligned(64)));
int static shared order = 4;
long shared unsigned long const strict words = 5;
shared int __attribute__((unused)) between = 6;
extern shared int labelled __asm__("another_label");
shared int labelled = 7;
typedef int vector __attribute__((vector_size(16)));
shared vector vectors[THREADS], one_vector = {1, 2, 3, 4}, *vector_pointer = &one_vector;
shared [2] float __attribute__((vector_size(8))) small_vectors[2 * THREADS];
shared int narrow __attribute__((mode(QI))) = 300;
_Atomic(shared int *) atomic_pointer;
__typeof__(shared int) by_typeof = 9;
__typeof__(by_typeof) *pointer_by_typeof = &by_typeof, again;
__typeof__(&by_typeof) pointer_too = &by_typeof;
__typeof__(shared [3] long *) blocked;
__extension__ shared long long extended = 10;
shared struct {
    int in;
} *const null_constant = 0, *pointer_to_const, two[2 * THREADS];
typedef shared [] int row[5];
row rows = {1, 2, 3, 4, 5}, *row_pointer = &rows;
typedef shared [2] double grid[2 * THREADS][2];
grid g;
shared [sizeof(struct { int a; short b; }) / 2] int by_size[8 * THREADS];

enum { ELEMENT = upc_elemsizeof(g), BLOCK = upc_blocksizeof(g), POINTER = sizeof(shared int *) };
struct sizes {
    char element[upc_elemsizeof(g)], block[upc_blocksizeof(by_size) + 1];
    unsigned bits : upc_elemsizeof(shared short) * 3;
    char pointer[sizeof(shared [3] int *)];
};
char at_file_scope[upc_localsizeof(rows)];
_Static_assert(sizeof(struct sizes) > 0 && ELEMENT == sizeof(double) && BLOCK == 2, "");
_Static_assert(upc_localsizeof(g) == 2 * 2 * sizeof(double) && sizeof(at_file_scope) == 20, "");

struct inside {
    shared [] int *p;
};
static int parameters(row a, grid b, row *c, const shared int *restrict d, struct inside e, int n, shared int *f[n])
{
    return a[1] + (b == g) + (*c)[2] + *d + e.p[3] + (f[n - 1] == NULL);
}

static struct returned {
    shared [] int *p;
    int n;
} returns_structure(int n)
{
    return (struct returned){&rows[n], n};
}

static int noreturn_like(shared int *p, ...) __attribute__((noinline, unused));
static int noreturn_like(shared int *p, ...) { return *p; }

/* A typedef's name as that of a variable and of a member. */
static int shadowed(void)
{
    typedef shared int *row;
    row pointer = &order;
    struct {
        row row;
    } s = {pointer};
    {
        int row = *s.row;
        return row;
    }
}

static int in_labels(int n)
{
    switch (n) {
        case upc_elemsizeof(g): return 1;
        case upc_blocksizeof(by_size) * 100: return 2;
        case sizeof(shared int *) * 1000: return 3;
        default: return 0;
    }
}

int main(void)
{
    char variable[sizeof(g)], fixed[upc_localsizeof(by_size)];
    shared int *pointers[THREADS + 1];
    shared int *(*many)[THREADS + 1] = &pointers;
    struct returned r = returns_structure(2);
    shared int *parameter[2] = {0};
    int i;
    upc_barrier;
    if (MYTHREAD == 0) aligned = 1, one_vector = one_vector + one_vector, two[1].in = 11, g[0][1] = 2.5;
    vectors[MYTHREAD] = (vector){MYTHREAD, 1, 2, 3};
    unused[2 * MYTHREAD + 1] = MYTHREAD;
    upc_barrier;
    CHECK(aligned == 1 && weak == 3 && order == 4 && words == 5 && between == 6 && labelled == 7 && narrow == 300 % 256);
    CHECK(((vector)vectors[THREADS - 1])[0] == THREADS - 1 && ((vector)*vector_pointer)[3] == 8);
    CHECK(unused[2 * THREADS - 1] == THREADS - 1 && (size_t)&pointer % 64 == 0 && pointer == NULL);
    CHECK(sizeof atomic_pointer == sizeof(shared int *));
    if (sizeof atomic_pointer == 8) { /* an access to one of 16 bytes needs libatomic */
        atomic_pointer = &order;
        CHECK(*(shared int *)atomic_pointer == 4);
    }
    CHECK(by_typeof == 9 && *pointer_by_typeof == 9 && pointer_too == &by_typeof && again == 0 && blocked == NULL && extended == 10);
    pointer_to_const = &two[1];
    CHECK(pointer_to_const->in == 11 && rows[4] == 5 && (*row_pointer)[3] == 4 && g[0][1] == 2.5);
    CHECK(upc_blocksizeof(by_size) == 4 && sizeof(variable) == 4 * THREADS * sizeof(double) && sizeof(fixed) == 8 * sizeof(int));
    CHECK(sizeof(pointers) == (THREADS + 1) * sizeof(shared int *) && sizeof(*many) == sizeof(pointers));
    CHECK(sizeof(((struct sizes *)0)->element) == 8 && sizeof(((struct sizes *)0)->block) == 5);
    CHECK(sizeof(((struct sizes *)0)->pointer) == POINTER);
    CHECK(parameters(rows, g, &rows, &order, (struct inside){rows}, 2, parameter) == 2 + 1 + 3 + 4 + 4 + 1);
    CHECK(r.n == 2 && *r.p == 3 && noreturn_like(&order, &weak) == 4 && shadowed() == 4);
    CHECK(in_labels(8) == 1 && in_labels(400) == 2 && in_labels(1000 * POINTER) == 3 && in_labels(1) == 0);
    for (i = 0; i <= THREADS; i++) pointers[i] = &between;
    CHECK(*(*many)[THREADS] == 6);
    return finish();
}
