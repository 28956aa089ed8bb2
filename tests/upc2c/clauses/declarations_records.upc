/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.5.1: structures, unions and enumerations: with members that are pointers-to-shared, defined in the
 * specifiers of shared declarations, without names, local to functions, packed, incomplete when they are pointed to. */
#include "check.h"
#include <stddef.h>

struct node;
shared struct node *first;
typedef struct node {
    int value, spare;
    shared struct node *next, **children;
    shared [4] double *blocked, *table[2];
    shared [] struct node *left, *right;
    int *shared *where;
    shared struct node *(*visit)(shared struct node *);
    unsigned low : 3, high : 5;
} node_t;
shared node_t nodes[2 * THREADS];
shared [2] struct node blocks[2 * THREADS];

/* Defined in the same declaration as shared objects, unshared ones and pointers. */
shared struct pair {
    short a;
    double b;
} pair, pairs[THREADS], *pair_pointer;
struct pair private_pair;
shared struct {
    char c;
    long l;
} nameless, *nameless_pointer;
typedef shared struct {
    int x, y;
} point;
point origin, points[3 * THREADS];
typedef struct {
    shared [] int *p;
    int n;
} slice, *slice_pointer;
shared slice slices[THREADS];
shared enum color { RED, GREEN = 5, BLUE } color, colors[THREADS];
shared enum { ODD = 1, EVEN = 2 } parity;
shared union number {
    int i;
    float f;
    char bytes[8];
} number;
struct __attribute__((packed)) packed {
    char c;
    shared int *p;
    int i;
};
shared struct packed packed;
struct aligned {
    char c;
    _Alignas(16) int i;
} __attribute__((aligned(32)));
shared [2] struct aligned aligned[2 * THREADS];
struct outer {
    int kind;
    struct {
        int left, right;
    };
    union {
        struct {
            shared int *p;
            char c[3];
        } in;
        double d;
    } u;
    struct inner {
        shared [] char *text;
    } array[2];
};
shared struct outer outer;
struct flexible {
    shared int *head;
    int n, tail[];
};

static shared node_t *visit(shared node_t *n) { return n->next; }

static void test_list(void)
{
    shared node_t *n;
    int i, sum = 0;
    if (MYTHREAD == 0) {
        for (i = 0; i < 2 * THREADS; i++) {
            nodes[i].value = i;
            nodes[i].next = i + 1 < 2 * THREADS ? &nodes[i + 1] : NULL;
            nodes[i].left = i == 0 ? NULL : (shared [] node_t *)&nodes[i / 2];
            nodes[i].low = i & 7;
            nodes[i].high = i & 31;
            blocks[i].value = -i;
        }
        first = nodes;
    }
    upc_barrier;
    CHECK(MYTHREAD == 0 ? first == nodes : first == NULL);
    for (n = &nodes[0], i = 0; n != NULL; n = visit(n), i++) {
        CHECK(n->value == i && n->low == (i & 7) && n->high == (i & 31) && n->visit == NULL && n->blocked == NULL);
        CHECK(i == 0 ? n->left == NULL : n->left->value == i / 2);
        sum += n->value;
    }
    CHECK(i == 2 * THREADS && sum == THREADS * (2 * THREADS - 1));
    for (i = 0; i < 2 * THREADS; i++) CHECK(blocks[i].value == -i && upc_threadof(&blocks[i]) == i / 2 % THREADS);
}

static void test_forms(void)
{
    node_t copy;
    slice s = {&origin.x, 3};
    slice_pointer sp = &s;
    struct packed own = {'c', NULL, 4};
    struct flexible *f = NULL;
    if (MYTHREAD == THREADS - 1) {
        pair.a = 1, pair.b = 2.5;
        nameless.c = 'n', nameless.l = -7;
        origin.x = 8, points[1].y = 9;
        color = BLUE, parity = EVEN;
        number.i = 0x3f800000;
        packed = own;
        packed.i++;
        aligned[1].i = 6;
        outer.kind = 1, outer.left = 2, outer.right = 3, outer.u.in.c[2] = 'z';
        outer.array[1].text = (shared [] char *)&packed.c;
    }
    slices[MYTHREAD] = *sp;
    colors[MYTHREAD] = GREEN;
    upc_barrier;
    private_pair = pair;
    pair_pointer = &pair, nameless_pointer = &nameless;
    CHECK(private_pair.a == 1 && private_pair.b == 2.5 && pair_pointer->b == 2.5 && pairs[MYTHREAD].a == 0);
    CHECK(nameless_pointer->c == 'n' && nameless_pointer->l == -7 && sizeof(nameless) == 2 * sizeof(long));
    CHECK(*slices[0].p == 8 && slices[THREADS - 1].n == 3 && points[1].y == 9);
    CHECK(color == BLUE && BLUE == 6 && colors[0] == GREEN && parity == EVEN);
    CHECK(number.f == 1.0f);
    own = packed;
    CHECK(own.c == 'c' && own.p == NULL && own.i == 5 && sizeof(own) == 5 + sizeof(shared int *));
    CHECK(aligned[1].i == 6 && sizeof(aligned[1]) == 32 && upc_threadof(&aligned[1]) == 0);
    CHECK(outer.kind == 1 && outer.left == 2 && outer.right == 3 && outer.u.in.c[2] == 'z' && *outer.array[1].text == 'c');
    copy = nodes[1];
    CHECK(copy.value == 1 && copy.next == (THREADS == 1 && 0 ? NULL : copy.next) && copy.low == 1);
    CHECK(offsetof(struct flexible, tail) == sizeof(shared int *) + sizeof(int) && f == NULL);
}

static void test_local(void)
{
    struct local {
        shared [] int *p;
        struct {
            int a[2];
        } in;
    } l = {&origin.y, {{1, 2}}};
    typedef struct {
        long v;
    } pair;
    static shared struct local kept;
    static shared [2] pair many[2 * THREADS];
    struct local *lp = &l;
    int i;
    if (MYTHREAD == 0) kept = l;
    many[2 * MYTHREAD + 1].v = MYTHREAD;
    upc_barrier;
    l.in.a[1] = 0;
    CHECK(lp->in.a[1] == 0);
    l = kept;
    CHECK(l.p == &origin.y && l.in.a[1] == 2 && kept.in.a[0] == 1 && sizeof(kept) == sizeof(struct local));
    for (i = 0; i < THREADS; i++) CHECK(many[2 * i + 1].v == i && many[2 * i].v == 0);
    {
        /* Another structure with the tag of one at file scope. */
        struct pair {
            int only;
        } p = {4};
        CHECK(sizeof(struct pair) == sizeof(int) && p.only == 4);
    }
}

/* Structures with pointers-to-shared that the heads of loops define. */
static void loop_heads(void) {
    int n = 0, own = 0;
    for (struct { shared point *p; int k; } at = {points, 0}; at.k < 3 * THREADS; at.k++, at.p++) {
        if (at.k % 2) continue;
        n += at.p == &points[at.k];
    }
    CHECK(n == (3 * THREADS + 1) / 2);
    upc_forall (struct { shared point *p; } at = {points}; at.p < points + 3 * THREADS; at.p++; at.p) own++;
    CHECK(own == 3);
}

int main(void)
{
    test_list(), test_forms(), test_local();
    loop_heads();
    return finish();
}
