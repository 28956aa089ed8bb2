/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.5.1 and 6.6.2 of ISO C: addresses of shared objects as initial values: of private pointers, of shared ones,
 * in arrays and structures of either kind, null pointers, and private addresses of which each thread has its own. */
#include "check.h"

struct node {
    int value;
    shared struct node *next;
    shared [4] int *blocked;
};
struct holder {
    const char *name;
    shared int *p, *q[2];
    struct {
        shared [2] double *d;
        int n;
    } in;
};

shared int x = 5, a[3 * THREADS] = {10, 11, 12};
shared [4] int blocks[8 * THREADS] = {20, 21, 22, 23, 24, 25};
shared [] int local[6] = {30, 31, 32};
shared [2] double doubles[2 * THREADS] = {0.5, 1.5};
shared struct {
    int first, second[3];
} record = {1, {2, 3, 4}};

/* Private pointers, one for each thread. */
shared int *p = &x, *null = 0, *null_too = NULL, *null_cast = (shared int *)0, *pa = a, *p1 = &a[1], *p2 = a + 2;
shared [4] int *b5 = &blocks[5], *b_end = blocks + 8 * THREADS;
shared [] int *i2 = &local[2], *member = &record.second[1], *decayed = record.second;
shared void *generic = &blocks[1];
static shared int *const constant = &a[2];
shared int *const table[] = {&x, a, 0, &a[1]};
shared [4] int *cast = (shared [4] int *)&blocks[4];
shared int *array[3 * 2] = {[1 ... 3] = &x, [5] = a};
struct holder holder = {"held", &x, {a, [1] = &a[1]}, {.d = &doubles[1], .n = 6}};
struct holder holders[2] = {{.name = "first"}, {"second", .p = &x, .in = {doubles, 9}}};
static const struct holder constant_holder = {.q[1] = &x, .name = "constant"};
shared int *shared *pps = 0;
union {
    shared int *p;
    long l;
} in_union = {&x};
struct node private_node = {1, 0, blocks};
shared int **pointer_to_pointer = &p, *(*pointer_to_array)[2] = &holder.q;
struct literal {
    shared int *p;
    int n;
} *to_literal = &(struct literal){&x, 3}, *literals = (struct literal[]){{.n = 1}, {a, 2}};

/* Shared pointers to shared objects. */
shared int *shared sp = &x, *shared sp_null = 0;
shared [4] int *shared spb = &blocks[6];
shared int *shared spa[3 * THREADS] = {&x, a, 0};
shared [2] int *shared [3] by_three[3 * THREADS];
shared int *shared [] on_0[4] = {[2] = &a[1], &x};
shared struct node second = {2, 0, &blocks[2]}, first = {1, &second};
shared struct node nodes[2 * THREADS] = {{3, &first}, {.blocked = &blocks[3]}};
shared [] struct holder shared_holders[2] = {[1] = {.p = &x, .in.d = &doubles[1], .in.n = 4}};

/* Private addresses: each thread's own. */
int mine = 1, *where = &mine, numbers[4], *third = &numbers[2], **twice = &where;
struct {
    int n, *p;
} own = {7, &mine};
int *pointers[3] = {&mine, numbers};
int (*function)(void) = finish;

static void test_private(void)
{
    CHECK(p == &x && *p == 5 && null == NULL && null_too == NULL && null_cast == NULL && pa == a && p1 == &a[1] && p2 == &a[2]);
    CHECK(b5 == &blocks[5] && *b5 == 25 && upc_phaseof(b5) == 1 && b_end - blocks == 8 * THREADS);
    CHECK(*i2 == 32 && *member == 3 && decayed[2] == 4);
    CHECK(generic == &blocks[1] && *(shared [4] int *)generic == 21 && upc_phaseof(generic) == 1);
    CHECK(*constant == 12 && *table[0] == 5 && table[1] == a && table[2] == NULL && *table[3] == 11 && sizeof table == 4 * sizeof p);
    CHECK(cast == &blocks[4] && array[0] == NULL && array[1] == &x && array[3] == &x && array[4] == NULL && array[5] == a);
    CHECK(holder.name[3] == 'd' && holder.p == &x && holder.q[0] == a && holder.q[1] == &a[1]);
    CHECK(*holder.in.d == 1.5 && holder.in.n == 6 && upc_phaseof(holder.in.d) == 1);
    CHECK(holders[0].p == NULL && holders[0].in.d == NULL && holders[1].p == &x && holders[1].q[0] == NULL);
    CHECK(holders[1].in.d == doubles && holders[1].in.n == 9 && holders[1].name[0] == 's');
    CHECK(constant_holder.q[1] == &x && constant_holder.q[0] == NULL && constant_holder.name[1] == 'o');
    CHECK(pps == NULL && in_union.p == &x && private_node.blocked == blocks && private_node.next == NULL);
    CHECK(*pointer_to_pointer == &x && (*pointer_to_array)[1] == &a[1]);
    CHECK(to_literal->p == &x && to_literal->n == 3 && literals[0].p == NULL && literals[1].p == a && literals[1].n == 2);
}

static void test_shared(void)
{
    shared struct node *n = &nodes[0];
    int i;
    CHECK(sp == &x && *sp == 5 && sp_null == NULL && *spb == 0 && spb == &blocks[6] && upc_phaseof(spb) == 2);
    for (i = 0; i < 3 * THREADS; i++) CHECK(spa[i] == (i == 0 ? &x : i == 1 ? a : NULL));
    for (i = 0; i < 3 * THREADS; i++) CHECK(by_three[i] == NULL);
    CHECK(on_0[0] == NULL && on_0[2] == &a[1] && on_0[3] == &x);
    CHECK(n->value == 3 && n->next->value == 1 && n->next->next->value == 2 && n->next->next->next == NULL);
    CHECK(*n->next->next->blocked == 22 && n->blocked == NULL && nodes[1].blocked == &blocks[3]);
    CHECK(shared_holders[0].p == NULL && shared_holders[1].p == &x && *shared_holders[1].in.d == 1.5 && shared_holders[1].in.n == 4);
}

static void test_own(void)
{
    static int here = 3, *pointer = &here;
    static struct {
        int *p;
        shared int *s;
    } both[2] = {{&here}, {&mine, &x}};
    mine = 10 + MYTHREAD;
    numbers[2] = 20 + MYTHREAD;
    here += MYTHREAD;
    upc_barrier;
    CHECK(where == &mine && *where == 10 + MYTHREAD && *third == 20 + MYTHREAD && **twice == 10 + MYTHREAD);
    CHECK(own.n == 7 && own.p == &mine && pointers[0] == &mine && pointers[1] == numbers && pointers[2] == NULL);
    CHECK(*pointer == 3 + MYTHREAD && both[0].p == pointer && both[0].s == NULL && both[1].p == &mine && both[1].s == &x);
    CHECK(function == finish);
}

int main(void)
{
    test_private(), test_shared(), test_own();
    return finish();
}
