/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared objects of every kind inside of each other: lists, directories, pointers in structures in arrays; GNU
 * expressions, conditional and comma operators, old declarations. */
#include <stdlib.h>
#include "check.h"

typedef struct node {
    int val;
    shared struct node *next;
    shared [] int *child[3];
    struct {
        short k;
        shared [2] int *deep;
    } in[2];
    strict shared int *sp;
    int (*fn)(int);
    shared struct node *(*find)(shared struct node *, int);
} node_t;
shared node_t nodes[8*THREADS];
shared [] int * shared dir[THREADS];
shared [] int *shared [2] dir2[2*THREADS][3];
shared [] node_t * shared heads[THREADS];
shared [2] int two[16*THREADS];
shared int n = 5;
strict shared int st;
shared void * shared gen;
shared [] char str[20];
typedef shared [3] int t3; t3 arr3[9*THREADS]; typedef t3 *p3;
enum { A, B, C };
shared enum { red, green } col;
static int dbl(int x) { return 2 * x; }
static shared node_t *fnd(shared node_t *p, int k) { while (p && p->val != k) p = p->next; return p; }
static shared node_t *maybe(int c) { return c ? NULL : &nodes[c]; }
static shared node_t *nested(int c, int d) { return c ? (d ? nodes + 1 : 0) : d ? 0 : &nodes[2]; }
int old(a, p, d) int a; shared [2] int *p; float d; { return a + *p + (int)d; }
int vla(int k) {
    int v[n + k], i, s = 0;
    for (i = 0; i < n + k; i++) v[i] = two[i];
    for (i = 0; i < (int)(sizeof v / sizeof v[0]); i++) s += v[i];
    return s;
}
static int locals(void) {
    struct loc {
        int a;
        shared int *p;
    };
    static shared struct loc sh;
    static struct loc mine = { 3, 0 };
    struct loc l = { .p = &n };
    if (MYTHREAD == 0) {
        sh.a = 7;
        sh.p = l.p;
        l = sh;
        mine.p = l.p;
    }
    upc_barrier;
    return sh.a + *sh.p + (MYTHREAD ? 0 : *mine.p - 5);
}
#define MAX(a, b) ({ __auto_type x_ = (a); __auto_type y_ = (b); x_ > y_ ? x_ : y_; })
#define SWAP(a, b) do { __auto_type t_ = (a); (a) = (b); (b) = t_; } while (0)
int main(int argc, char **argv)
{
    int i, j, k = 0;
    shared node_t *p, *q;
    shared [2] int *w;
    p3 three = arr3 + 4;
    dir[MYTHREAD] = upc_alloc(10 * sizeof(int));
    heads[MYTHREAD] = (shared [] node_t *)upc_alloc(2 * sizeof(node_t));
    for (i = 0; i < 10; i++) dir[MYTHREAD][i] = MYTHREAD * 100 + i;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        for (i = 0; i < 8 * THREADS; i++) {
            nodes[i].val = i;
            nodes[i].next = i + 1 < 8 * THREADS ? &nodes[i + 1] : NULL;
            nodes[i].child[i % 3] = dir[i % THREADS];
            nodes[i].in[1].deep = &two[i];
            nodes[i].sp = &st;
        }
        for (i = 0; i < 16 * THREADS; i++) two[i] = i * i;
        for (p = nodes, i = 0; p; p = p->next, i++) CHECK(p->val == i);
        CHECK(i == 8 * THREADS);
        for (p = nodes; (q = p->next) != NULL && q->next; p = q) { q->val += p->val * 0; }
        CHECK(fnd(nodes, 3) == &nodes[3] && !fnd(nodes, -1));
        CHECK(dir[THREADS - 1][3] == (THREADS - 1) * 100 + 3 && *dir[0] == 0 &&
              (*(dir + THREADS - 1))[9] == (THREADS - 1) * 100 + 9 && 4[dir[0]] == 4);
        dir2[1][2] = dir[0]; dir2[1][2]++;
        CHECK(dir2[1][2][3] == 4 && *dir2[1][2]++ == 1 && dir2[1][2] - dir[0] == 2 && *--dir2[1][2] == 1);
        (*dir2[1][2])++; dir2[1][2][-1] -= 5; CHECK(dir[0][1] == 2 && dir[0][0] == -5); dir[0][1] = 1;
        dir[0][0] = 0;
        nodes[2].child[2][4] = 77; CHECK(dir[2 % THREADS][4] == 77 && nodes[2].child[2] == dir[2 % THREADS]); 
        nodes[1].in[1].deep[1] *= 3;
        CHECK(two[2] == 12 && *nodes[1].in[1].deep == 1 && upc_phaseof(nodes[1].in[1].deep) == 1 &&
              nodes[1].in[k].deep == 0);
        *nodes[0].sp = 9; CHECK(st == 9 && (*nodes[1].sp)++ == 9 && st == 10); nodes->fn = dbl;
        nodes[0].find = fnd;
        CHECK(nodes->fn(4) == 8 && (*nodes[0].fn)(n) == 10 && nodes[0].find(nodes, -1) == NULL &&
              (*nodes->find)(&nodes[4], 4) == &nodes[4]);
        heads[0]->val = 5; heads[0][1].val = heads[0]->val + 1; heads[0]->in[1].k = -3;
        CHECK((heads[0] + 1)->val-- == 6 && (*heads[0]).in[1].k-- == -3 && heads[0][0].in[1].k == -4);
        heads[0]->next = (shared node_t *)&heads[0][1]; heads[0]->child[2] = &heads[0][1].val;
        CHECK(*heads[0]->child[2] == 5 && heads[0]->next->val == 5 && &heads[0]->val != &heads[0][1].val);
        gen = &two[3];
        CHECK(upc_phaseof(gen) == 1 && *(shared [2] int *)gen == 9 && (w = gen) == &two[3] && *++w == 16 &&
              w[-1] == 9);
        gen = w + 1; CHECK(gen == &two[5] && upc_threadof(gen) == 2 % THREADS);
        CHECK(maybe(1) == 0 && maybe(0) == nodes && nested(1, 1) == &nodes[1] && !nested(1, 0) &&
              !nested(0, 3) && nested(0, 0) == nodes + 2);
        CHECK(old(1, two + 3, 2.5) == 12 && vla(-2) == 0 + 1 + 12);
        two[i = 3, i + 1] = two[two[1]] + n--; CHECK(two[4] == 1 + 5 && n == 4); n++;
        
        SWAP(two[0], two[6]);
        CHECK(two[0] == 36 && two[6] == 0 && MAX(two[0], n) == 36 && MAX(n, n + 1) == 6); p = nodes;
        q = &nodes[3]; SWAP(p, q); CHECK(p == nodes + 3 && q == nodes);
        for (i = 0; i < 5; i++) str[i] = "hello"[i]; CHECK(str[4] == 'o' && str[0]++ == 'h' &&
                                                           str[0] == 'i' &&
                                                           *str == 'i' && *(str + 1) == 'e' && (str + 4)[-1] == 'l');
        col = green;
        switch (col) { case red: CHECK(0); break; case green: col--; } CHECK(col == red && !col++);
        CHECK(three - arr3 == 4 && upc_phaseof(three) == 1 && (three += 2) == &arr3[6] && *three++ == 0 &&
              three[-1]++ == 0 && arr3[6] == 1);
        k = 0; k += two[1] ? two[two[1]]++ : 100; CHECK(k == 1 && two[1] == 2);
        (k ? two[1]-- : two[2]++), (void)k; CHECK(two[1] == 1);
        {
            int m[2][2] = { { n, two[1] }, { [1] = st } }, *r = &m[1][st - 10];
            CHECK(m[0][0] == 5 && m[0][1] == 1 && m[1][1] == 10 && r[1] == 10);
        }
        {
            node_t copy = nodes[1], *c = &copy;
            CHECK(c->val == nodes[1].val && c->in[1].deep[0] == 1 && (c->next = c->next->next) == &nodes[3] &&
                  c->child[1][0] == dir[1 % THREADS][0]);
            c->in[1].deep++;
            CHECK(*c->in[1].deep++ == 12 && c->in[1].deep == &two[3]);
        }
        {
            __auto_type v = two[3];
            __typeof__(two[3]) *ptr = &two[3];
            __typeof__(&two[0]) ptr2 = ptr - 1;
            v++;
            CHECK(v == 10 && *ptr == 9 && *ptr2 == 12);
        }
        {
            shared int *const cp = &n;
            shared const int *pc = cp;
            const shared int *volatile vp = pc;
            CHECK(*cp == 5 && *pc == 5 && *vp == 5 && vp == cp && (*cp)++ == 5);
            vp++;
            n--;
        }
        k = n > 3
            ? two[1] +
              two[3]   /* a comment
                          over lines */
            : n; CHECK(k == 10);
    }
    CHECK(locals() == 12);
    upc_barrier;
    {
        shared int *x = &n;
        upc_forall (i = 0, j = 0; i < 10; j += i, i++; i) if (i & 1) {
            if (j > 100) continue;
            else two[i]++;
        } else ;
    }
    upc_barrier;
    return finish();
}
