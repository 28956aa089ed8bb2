/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.5.1 and 6.5.2: shared in declarators: which of pointer and pointee is shared, in lists of several kinds,
 * typedefs, functions and pointers to functions, parameters, and types without a name. */
#include "check.h"
#include <stdarg.h>
#include <stddef.h>

shared int *p1, object, *p2[3], *(*p3)[2], other;
shared [4] int *b1, **b2, *const b3 = 0;
int plain, *shared sp, *shared spa[THREADS], *private_pointer = &plain;
shared int *shared ps, *shared psa[THREADS];
shared [2] double *shared [3] pb[3 * THREADS];
shared int *shared *pps;
shared void *generic;
strict shared int s1, *s2;
relaxed shared [3] const int *r1;
int shared back_to_front, *shared (back);
const volatile shared int cv, *volatile pcv;
shared int(in_parentheses), (*pointer_in_parentheses), *((twice));

typedef shared int S, *PS, A[2 * THREADS];
typedef S *PS2;
S typed;
PS ps_typed;
PS2 ps2_typed;
A typed_array;
A *array_pointer;
PS table_of_pointers[4];
typedef shared [2] int (*row_pointer)[2];
row_pointer rp;
typedef int number;
shared number shared_number;
number shared *pointer_to_number;

shared int *function(shared int *p) { return p + 1; }
shared int *(*function_pointer)(shared int *) = function;
shared [4] int *(*table[2])(shared [4] int *, int);
int (*callback)(shared int a[], shared [4] int b[][4], shared void *);
shared int *(*returns_function(shared int *unused))(shared int *) { return unused == NULL ? function : NULL; }

static shared [4] int *step4(shared [4] int *p, int n) { return p + n; }
static int take(shared int a[], shared [4] int b[][4], shared void *v)
{
    return upc_threadof(a) * 100 + upc_threadof(&b[1][0]) * 10 + upc_threadof(v);
}
static int variadic(int n, ...)
{
    va_list list;
    int sum = 0;
    shared [4] int *blocked;
    va_start(list, n);
    while (n-- > 0) sum += *va_arg(list, shared int *);
    blocked = va_arg(list, shared [4] int *);
    va_end(list);
    return sum + *blocked;
}

/* Definitions as they were before ISO C. */
static int old_style(p, n, q, a)
    shared int *p;
    int n;
    shared [4] int *q;
    shared int a[];
{
    return p[n] + q[n] + a[n];
}
static shared int *old_result(a) shared int *a; { return &a[1]; }

shared int numbers[4 * THREADS];
shared [4] int blocks[8 * THREADS];
shared [4] int two_rows[2 * THREADS][4];

static void test_pointers(void)
{
    shared int *local = numbers, *second = &numbers[1], **pointer_to_pointer = &local, *array[2] = {numbers, 0};
    shared [4] int *blocked = &blocks[5];
    register shared int *in_register = numbers;
    static shared int *kept;
    const shared int *const constant = numbers;
    shared int *restrict unique = numbers;
    in_register++;
    CHECK(upc_threadof(in_register) == 1 % THREADS && kept == NULL);
    CHECK(*pointer_to_pointer == numbers && array[1] == NULL && second == numbers + 1);
    CHECK(constant == numbers && unique == local && upc_phaseof(blocked) == 1);
    CHECK(p1 == NULL && p2[2] == NULL && b1 == NULL && b3 == NULL && generic == NULL);
    p1 = numbers, p2[1] = &numbers[2], b1 = blocks, b2 = &b1, generic = blocked;
    p3 = (shared int *(*)[2])&p2[1];
    CHECK((*p3)[0] == &numbers[2] && (*p3)[1] == NULL && (*b2)[0] == blocks[0]);
    CHECK(generic == blocked && (shared [4] int *)generic == blocked);
    if (MYTHREAD == 0) sp = &plain, ps = &numbers[3], pb[0] = (shared [2] double *)0, psa[0] = numbers + 1;
    upc_barrier;
    pps = &ps;
    CHECK(*pps == &numbers[3] && ps == numbers + 3 && psa[0] == numbers + 1 && pb[0] == NULL);
    CHECK(MYTHREAD != 0 || sp == &plain);
    CHECK(spa[MYTHREAD] == NULL && *private_pointer == 0);
    CHECK(sizeof(sp) == sizeof(int *) && sizeof(ps) == sizeof(p1) && upc_elemsizeof(psa) == sizeof(shared int *));
}

static void test_typedefs(void)
{
    S *s = &typed;
    A *a = &typed_array;
    PS list[2] = {s, &(*a)[1]};
    if (MYTHREAD == 0) *s = 3, (*a)[1] = 4, shared_number = 5, back_to_front = 6;
    upc_barrier;
    ps_typed = s, ps2_typed = ps_typed, array_pointer = a, table_of_pointers[3] = list[1];
    pointer_to_number = &shared_number;
    CHECK(*ps2_typed == 3 && typed == 3 && *table_of_pointers[3] == 4 && (*array_pointer)[1] == 4);
    CHECK(*pointer_to_number == 5 && back_to_front == 6 && sizeof(A) == 2 * THREADS * sizeof(int));
    rp = (row_pointer)0;
    CHECK(rp == NULL);
}

static void test_functions(void)
{
    shared int *(*f)(shared int *) = returns_function(NULL);
    shared int *(*const fs[])(shared int *) = {function, f};
    CHECK(f(numbers) == &numbers[1] && fs[1](numbers) == fs[0](numbers) && (*function_pointer)(numbers) == numbers + 1);
    table[0] = step4;
    CHECK(table[0](blocks, 5) == &blocks[5] && upc_phaseof((*table[0])(blocks, 6)) == 2);
    callback = take;
    CHECK(callback(&numbers[1], two_rows, &numbers[2]) == 1 % THREADS * 110 + 2 % THREADS);
    CHECK(old_result(numbers) == numbers + 1);
    if (MYTHREAD == 0) {
        int i;
        for (i = 0; i < 4; i++) numbers[i] = i, blocks[i] = 10 * i;
    }
    upc_barrier;
    CHECK(old_style(numbers, 2, blocks, numbers) == 24);
    CHECK(variadic(2, &numbers[3], &numbers[2], &blocks[1]) == 15);
}

static void test_blocks(void)
{
    int i, sum = 0;
    for (shared int *p = numbers, *const end = numbers + 4; p != end; p++) sum += *p;
    for (shared [4] int *p = blocks, *q = p + 4; p < q; ++p) sum += *p;
    CHECK(sum == 66);
    sum = ({
        shared int *p = &numbers[1];
        extern shared int numbers[4 * THREADS];
        typedef shared int *pointer;
        pointer q = &numbers[3];
        *p + *q;
    });
    CHECK(sum == 4);
    for (i = 0; i < 2; i++) {
        static shared int *q;
        shared int *p = i == 0 ? numbers : q;
        q = &numbers[2];
        CHECK(*p == 2 * i);
    }
    switch (3) {
        shared int *unset;
        case 3: unset = &numbers[3]; CHECK(*unset == 3);
    }
}

static void test_type_names(void)
{
    shared void *v = &numbers[3];
    shared [] char *bytes;
    CHECK(sizeof(shared int *) == sizeof(p1) && sizeof(shared int *[3]) == 3 * sizeof(p1));
    CHECK(sizeof(shared [4] int *(*)(shared int *)) == sizeof(void (*)(void)));
    CHECK(sizeof(struct { shared int *p; char c; }) == offsetof(struct { shared int *p; char c; }, c) + offsetof(struct { char c; shared int *p; }, p));
    CHECK(*(shared int *)v == 3 && *((shared [4] int *)&blocks[1] + 1) == 20);
    bytes = (shared [] char *)(shared [] int *)v;
    CHECK(upc_threadof(bytes) == 3 % THREADS);
    CHECK(_Generic(p1, shared int *: 1, shared [4] int *: 2, default: 3) == 1);
    CHECK(_Generic(b1, shared int *: 1, shared [4] int *: 2, default: 3) == 2);
    CHECK(_Generic(numbers[0], int: 1, default: 3) == 1);
    CHECK(((shared int *[]){numbers, &numbers[2]})[1] == &numbers[2]);
    __typeof__(p1) copy = &numbers[1];
    __typeof__(*p1) *pointer = copy;
    __typeof__(numbers[0] + 1.5) number = numbers[1] + 0.5;
    __auto_type same = pointer;
    CHECK(*pointer == 1 && number == 1.5 && *same == 1);
}

int main(void)
{
    test_pointers(), test_typedefs(), test_functions(), test_blocks(), test_type_names();
    return finish();
}
