/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a shared structure that are read together: of every type and in every layout of the array they give what
 * the members are, also where stores, through the same name, another one or a private pointer, come in between. */
#include "../../clauses/check.h"

#define N 24
enum color { red, green, blue };
struct in { short x, y; };
struct node {
    char tag;
    short small;
    int key;
    _Bool truth;
    enum color color;
    unsigned bits : 5;
    float f;
    double d;
    unsigned long big;
    struct node *private_pointer;
    shared struct node *next;
    shared [4] struct node *other;
    shared void *any;
    struct in in, ins[3];
    long double wide;
    unsigned char bytes[5];
};
union either {
    int i;
    struct in in;
    double d;
};
shared struct node cyclic[N * THREADS], single;
shared [4] struct node blocked[N * THREADS];
shared [] struct node *flat;
shared union either unions[THREADS];

static void set(shared struct node *p, int i) {
    p->tag = (char)(i % 100);
    p->small = (short)(-3 * i);
    p->key = 7 * i;
    p->truth = i % 2;
    p->color = (enum color)(i % 3);
    p->bits = i % 32;
    p->f = i / 2.0f;
    p->d = i / 4.0;
    p->big = ~(unsigned long)i;
    p->private_pointer = (struct node *)(64L * i);
    p->next = &cyclic[(i + 1) % (N * THREADS)];
    p->other = &blocked[i % (N * THREADS)];
    p->any = &blocked[i % (N * THREADS)];
    p->in.x = (short)i;
    p->in.y = (short)-i;
    p->ins[2].x = (short)(i + 2);
    p->ins[2].y = (short)(i + 3);
    p->wide = i;
    p->bytes[0] = (unsigned char)i;
    p->bytes[1] = (unsigned char)(i + 1);
    p->bytes[3] = (unsigned char)(i + 3);
}

static void all_types(void) {
    int i;
    for (i = 0; i < N * THREADS; i++) {
        shared struct node *p = &cyclic[i];
        const char tag = p->tag;
        const short small = p->small;
        const int key = p->key, bits = p->bits;
        const _Bool truth = p->truth;
        const enum color color = p->color;
        const float f = p->f;
        const double d = p->d;
        const unsigned long big = p->big;
        struct node *const private_pointer = p->private_pointer;
        shared struct node *const next = p->next;
        shared [4] struct node *const other = p->other;
        shared void *const any = p->any;
        const short x = p->in.x, y = p->ins[2].y;
        CHECK(tag == i % 100 && small == -3 * i && key == 7 * i && bits == i % 32 && truth == i % 2);
        CHECK(color == (enum color)(i % 3) && f == i / 2.0f && d == i / 4.0 && big == ~(unsigned long)i);
        CHECK(private_pointer == (struct node *)(64L * i) && next == &cyclic[(i + 1) % (N * THREADS)]);
        CHECK(other == &blocked[i] && any == &blocked[i] && upc_phaseof(other) == (size_t)(i % 4));
        CHECK(x == i && y == i + 3);
        CHECK(p->bytes[0] + p->bytes[1] + p->bytes[3] == (unsigned char)i + (unsigned char)(i + 1) + (unsigned char)(i + 3));
    }
}

static void layouts(void) {
    int i, k;
    shared [4] struct node *b = &blocked[3];
    for (i = 0; i < N * THREADS; i++) {
        CHECK(blocked[i].key + blocked[i].small == 4 * i);
        CHECK(blocked[i].in.x + blocked[i].in.y == 0);
        k = 2;
        CHECK(cyclic[i].ins[k].x + cyclic[i].ins[k].y == 2 * i + 5);
    }
    for (i = 3; i < N; i++) CHECK(b[i - 3].key + (*(b + i - 3)).small + b[i - 3].tag == 4 * i + i % 100);
    for (i = 0; i < N; i++) CHECK(flat[i].d * 4 == flat[i].f * 2 && flat[i].d == i / 4.0);
    CHECK(single.key == 7 && single.small == -3 && single.d == 0.25);
    CHECK(unions[0].i == 0x20001 && unions[0].in.x == 1 && unions[0].in.y == 2);
}

/* The nodes of a list. */
static void lists(void) {
    shared struct node *p = &cyclic[0];
    int count = 0;
    double sum = 0;
    do {
        sum += p->d * 4 - p->key;
        count++;
        p = p->next;
    } while (p != &cyclic[0]);
    CHECK(count == N * THREADS && sum == -6.0 * count * (count - 1) / 2);
}

static int add(int a, int b, int c) { return a + 10 * b + 100 * c; }
__attribute__((noinline)) static void change(shared struct node *p) { p->key = -1; }

/* Each thread changes its own elements. */
static void changes(void) {
    int i, j, k;
    upc_forall (i = 0; i < N * THREADS; i++; &cyclic[i]) {
        shared struct node *p = &cyclic[i], *q = &cyclic[i];
        struct node *l = (struct node *)p;
        p->key = 1, p->small = 2, p->tag = 3;
        k = p->key + p->small;
        q->small = 5;
        CHECK(k == 3 && p->small == 5 && p->key == 1 && p->tag == 3);
        k = p->key + p->tag;
        l->tag = 9;
        CHECK(k == 4 && p->tag == 9 && p->small == 5);
        k = p->key * p->small;
        p->key = 4;
        k += p->key + p->small + p->tag;
        CHECK(k == 5 + 4 + 5 + 9);
        k = p->key + p->tag;
        change(q);
        CHECK(k == 13 && p->key == -1 && p->tag == 9);
        CHECK(add(p->key, p->small, p->tag) == -1 + 50 + 900);
        p->in.x += p->key + p->small;
        p->in.x -= p->key + p->small;
        CHECK(p->in.x == i && p->in.y == -i);
        k = (p->tag, l->small = 6, p->small + p->tag);
        CHECK(k == 15);
        p->in = (struct in){(short)(k + 1), 2};
        CHECK(p->in.x == 16 && p->in.y == 2 && p->tag == 9);
        j = i;
        k = cyclic[j].small, j = (i + 1) % (N * THREADS), k += cyclic[j].bits + cyclic[j].color;
        CHECK(k == 6 + j % 32 + j % 3);
        { shared struct node *p = &blocked[0].next[0]; k = p->bits + p->color; CHECK(k == 1 + 1); }
        p->small = 7;
        if (p->small == 7 && p->tag == 9) p->small = (short)(p->tag - p->key);
        else p->small = 0;
        CHECK(p->small == 10 && p->bits == i % 32 && p->color == i % 3);
    }
    upc_barrier;
}

/* What the program guards stays guarded. */
static int guarded(shared struct node *p) { return p ? p->key + p->small : 5; }
static int guarded_too(shared struct node *p) { return p && p->key == p->small; }
static void guards(void) {
    shared struct node *p = NULL;
    CHECK(guarded(p) == 5 && !guarded_too(p));
    if (p && p->key) CHECK(p->tag == p->small);
    for (p = &cyclic[0]; p && p->key + p->small == 99;) p = p->next;
    CHECK(p == &cyclic[0]);
}

int main(void) {
    int i;
    shared struct node *p;
    flat = upc_all_alloc(1, N * sizeof(struct node));
    if (MYTHREAD == 0) {
        for (i = 0; i < N * THREADS; i++) set(&cyclic[i], i), set((shared struct node *)&blocked[i], i);
        for (i = 0; i < N; i++) set((shared struct node *)&flat[i], i);
        set(&single, 1);
        unions[0].in.x = 1, unions[0].in.y = 2;
    }
    upc_barrier;
    all_types();
    layouts();
    lists();
    guards();
    upc_barrier;
    changes();
    p = &cyclic[MYTHREAD];
    CHECK(p->key == -1 && p->tag == 9);
    return finish();
}
