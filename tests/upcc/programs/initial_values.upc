/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree in shared memory, and initialisers of shared objects of every shape. */
#include <upc.h>
#include <string.h>
#include "../../upc2c/clauses/check.h"
/* nested structures, unions of pointers, shared arrays in structs, self-referencing trees, initialisers */
typedef struct tree {
    int key;
    shared struct tree *l, *r;
    union {
        shared int *ip;
        shared [3] double *dp;
        void *v;
    } u;
    int tag : 4, more : 12;
    struct {
        short s[3];
        struct tree *up;
    } in[2];
} tree;
typedef shared tree *tp;
shared tp root;
shared int cells[THREADS];
shared [3] double vals[9 * THREADS] = {1, 2, 3, 4, 5, 6};
shared [] const int primes[] = {2, 3, 5, 7, 11, 13};
shared struct {
    int id;
    char nm[8];
    float w[2][2];
} recs[THREADS] = {{1, "one", {{1, 2}, {3, 4}}}};
shared [2] struct pt { int x, y; } pts[4 * THREADS] = {[1] = {.y = 5}, {7, 8}, [3].x = 9};
shared int *initp = &cells[0];
shared [3] double *shared sdp = &vals[4];
shared union {
    int i;
    double d;
} un = {.d = 1.25};
shared char letters[3 * THREADS] = {'a', 'b', 'c'};
static shared [] char s2[2][4] = {"ab", "xyz"};
shared [] int *nullp;
struct {
    shared [3] double *p;
    int n;
} desc = {vals + 1, 4};
shared int z0 = 3 + 4 * 2, z1 = sizeof(int) * 2, z2 = 'x';
shared [] long big[2][3] = {{1, 2, 3}, {4, 5}};
shared enum { AA, BB = 7, CC } en = CC;
/* const objects whose values are found when the program starts, declared before, as by headers, and again after that. */
static int number = 7;
extern int *const pointers[2];
int *const pointers[2] = {0, &number};
extern const struct holder {
    shared int *p;
    int *q;
} held;
const struct holder held = {&cells[0], &number};
extern const struct holder several[];
const struct holder several[] = {{0, 0}, {&cells[0], &number}};
extern shared int *const first;
shared int *const first = &cells[0];
typedef const struct holder constant;
extern constant held, last_held;
constant last_held = {.q = &number};
extern int *const pointers[];
static tp mk(int k) {
    tp t = upc_alloc(sizeof(tree));
    upc_memset(t, 0, sizeof(tree));
    t->key = k;
    t->tag = k;
    t->more = k * 3;
    t->in[1].s[2] = k;
    t->u.ip = &cells[k % THREADS];
    return t;
}
static void ins(shared tp *at, int k) {
    while (*at) at = k < (*at)->key ? (shared tp *)&(*at)->l : (shared tp *)&(*at)->r;
    *at = mk(k);
}
static int sum(tp t) { return t ? t->key + sum(t->l) + sum(t->r) : 0; }
static int depth(tp t) {
    int a, b;
    return !t ? 0 : (a = depth(t->l), b = depth(t->r), 1 + (a > b ? a : b));
}
int main() {
    int i;
    if (!MYTHREAD) {
        int k[] = {5, 2, 7, 1, 3, 6, 8};
        for (i = 0; i < 7; i++) ins(&root, k[i]);
    }
    upc_barrier;
    CHECK(sum(root) == 32);
    CHECK(depth(root) == 3);
    CHECK(*pointers[1] == 7 && held.q == &number && held.p == cells && *several[1].q == 7 && several[1].p == cells);
    CHECK(first == cells && last_held.q == &number && last_held.p == 0);
    CHECK(root->l->r->key == 3 && root->r->l->key == 6);
    CHECK(root->tag == 5 && root->more == 15 && root->in[1].s[2] == 5);
    upc_barrier;
    if (!MYTHREAD) *root->u.ip = 44;
    upc_barrier;
    CHECK(cells[5 % THREADS] == 44);
    CHECK(*(root->u.ip) == 44);
    tree loc = *root;
    CHECK(loc.l->key == 2 && loc.u.ip == root->u.ip && loc.tag == 5);
    for (i = 0; i < 6; i++) CHECK(vals[i] == i + 1);
    CHECK(vals[8] == 0);
    CHECK(primes[5] == 13 && sizeof primes / sizeof *primes == 6);
    CHECK(recs[0].id == 1 && recs[0].nm[2] == 'e' && recs[0].w[1][0] == 3);
    if (THREADS > 1) CHECK(recs[1].id == 0);
    CHECK(pts[1].y == 5 && pts[2].x == 7 && pts[2].y == 8 && pts[3].x == 9 && pts[0].x == 0);
    CHECK(initp == cells);
    CHECK(*sdp == 5 && sdp[-1] == 4 && upc_phaseof(sdp) == 1);
    CHECK(un.d == 1.25);
    CHECK(letters[2] == 'c');
    CHECK(s2[1][2] == 'z' && s2[0][3] == 0);
    CHECK(!nullp);
    CHECK(desc.p[0] == 2 && desc.p - vals == 1);
    CHECK(z0 == 11 && z1 == 8 && z2 == 'x');
    CHECK(big[1][1] == 5 && big[1][2] == 0);
    CHECK(en == 8);
    char nm[8];
    upc_memget(nm, recs[0].nm, 8);
    CHECK(!strcmp(nm, "one"));
    {
        shared [] char *c = recs[0].nm;
        CHECK(c[1] == 'n' && *++c == 'n');
    }
    {
        shared [] float *row = recs[0].w[1];
        CHECK(row[1] == 4);
        shared [] float(*w)[2] = recs[0].w;
        CHECK(w[1][1] == 4);
    }
    shared int *elem = (shared int *)&pts[2].y;
    CHECK(*elem == 8);
    shared [] int *ey = &pts[2].y;
    CHECK(*ey == 8 && ey[-1] == 7);
    return finish();
}
