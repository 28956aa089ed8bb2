/* SPDX-License-Identifier: BSD-3-Clause */
/* Unbalanced tree search with stacks from which idle threads steal. */
#include <upc.h>
#include "../../upc2c/clauses/check.h"
/* unbalanced tree search with shared stacks, as UPC-UTS has them */
#define MAXSTACK 512
typedef struct {
    unsigned state;
    int depth;
    int kids;
} Node;
struct stealStack_t {
    int stackSize, workAvail, sharedStart, local, top, maxStackDepth;
    int nNodes, nSteal;
    shared [] Node *stack;
    Node *stack_g;
    upc_lock_t *stackLock;
};
typedef struct stealStack_t StealStack;
shared StealStack stealStack[THREADS];
typedef shared StealStack *SharedStealStack;
shared strict int cb_count, cb_done;
upc_lock_t *cb_lock;
shared int total[THREADS];
static unsigned h(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}
static int kids(Node *n) { return n->depth > 7 ? 0 : (int)(h(n->state) % 4); }
void ss_init(StealStack *s, int n) {
    s->stack = (shared [] Node *)upc_alloc(n * sizeof(Node));
    s->stack_g = (Node *)s->stack;
    s->stackLock = upc_global_lock_alloc();
    s->stackSize = n;
}
static void push(StealStack *s, Node *c) {
    if (s->top >= s->stackSize) {
        fprintf(stderr, "overflow\n");
        upc_global_exit(4);
    }
    s->stack_g[s->top++] = *c;
    if (s->top - s->local > 4) {
        upc_lock(s->stackLock);
        s->local += 2;
        s->workAvail += 2;
        upc_unlock(s->stackLock);
    }
}
static Node *top(StealStack *s) { return &s->stack_g[s->top - 1]; }
static int steal(StealStack *s, int victim) {
    int ok = 0, vs;
    SharedStealStack v = &stealStack[victim];
    upc_lock(v->stackLock);
    if (v->workAvail >= 2) {
        vs = v->sharedStart;
        v->sharedStart = vs + 2;
        v->workAvail -= 2;
        ok = 1;
    }
    upc_unlock(v->stackLock);
    if (ok) {
        upc_memget(&s->stack_g[s->top], &(v->stack)[vs], 2 * sizeof(Node));
        s->nSteal++;
        s->top += 2;
    }
    return ok;
}
static int reacquire(StealStack *s) {
    int r = 0;
    if (s->local == s->top && s->workAvail > 0) {
        upc_lock(s->stackLock);
        if (s->workAvail >= 2) {
            s->local -= 2;
            s->workAvail -= 2;
            r = 1;
        }
        upc_unlock(s->stackLock);
    }
    return r;
}
static int cbarrier(void) {
    upc_lock(cb_lock);
    cb_count++;
    if (cb_count == THREADS) cb_done = 1;
    upc_unlock(cb_lock);
    for (;;) {
        int i;
        if (cb_done) return 1;
        for (i = 0; i < THREADS; i++)
            if (stealStack[i].workAvail > 0 && i != MYTHREAD) {
                upc_lock(cb_lock);
                if (cb_done) {
                    upc_unlock(cb_lock);
                    return 1;
                }
                cb_count--;
                upc_unlock(cb_lock);
                return 0;
            }
        upc_poll();
    }
}
static int seq(Node n) {
    int c = 1, i, k = kids(&n);
    for (i = 0; i < k; i++) {
        Node x = {h(n.state * 31 + i + 1), n.depth + 1, 0};
        c += seq(x);
    }
    return c;
}
int main(void) {
    StealStack *ss = (StealStack *)&stealStack[MYTHREAD];
    Node root = {12345, 0, 0};
    int i, expect, sum = 0;
    root.kids = 0;
    ss_init(ss, MAXSTACK * 8);
    cb_lock = upc_all_lock_alloc();
    upc_barrier;
    if (!MYTHREAD)
        for (i = 0; i < 6; i++) {
            Node r = {777u + i, 0, 0};
            push(ss, &r);
        }
    for (;;) {
        while (ss->top > ss->local) {
            Node p = *top(ss);
            ss->top--;
            ss->nNodes++;
            int k = kids(&p);
            for (i = 0; i < k; i++) {
                Node c = {h(p.state * 31 + i + 1), p.depth + 1, 0};
                push(ss, &c);
            }
        }
        if (reacquire(ss)) continue;
        {
            int got = 0;
            for (i = 1; i < THREADS && !got; i++) got = steal(ss, (MYTHREAD + i) % THREADS);
            if (got) {
                continue;
            }
        }
        if (cbarrier()) break;
    }
    total[MYTHREAD] = ss->nNodes;
    upc_barrier;
    for (i = 0; i < THREADS; i++) sum += total[i];
    for (expect = 0, i = 0; i < 6; i++) {
        Node r = {777u + i, 0, 0};
        expect += seq(r);
    }
    CHECK(sum == expect);
    return finish();
}
