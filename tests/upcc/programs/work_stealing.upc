/* SPDX-License-Identifier: BSD-3-Clause */
/* An unbalanced tree whose nodes are stolen: a stack and a lock for each thread, strict flags for the end. */
#include <upc.h>
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdint.h>
#include <sched.h>
#define QMAX 4096
typedef struct node {
    uint32_t state;
    short depth;
} Node;
typedef struct stack_s {
    int top, stolen;
    int n_nodes;
    int max;
    shared [] Node *nodes;
    upc_lock_t *lock;
} StealStack;
shared StealStack stacks[THREADS];
strict shared int idle;
strict shared int finished;
upc_lock_t *shared idle_lock;
static inline uint32_t rng(uint32_t s, int k) {
    uint32_t h = s * 2654435761u + k * 40503u + 12345;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    return h;
}
static int children(Node *n) {
    if (n->depth > 9) return 0;
    return (int)(n->state % 4u);
}
static void push(shared StealStack *s, Node n) {
    upc_lock(s->lock);
    s->nodes[s->top] = n;
    s->top++;
    upc_unlock(s->lock);
}
static int pop(shared StealStack *s, Node *n) {
    int ok = 0;
    upc_lock(s->lock);
    if (s->top > 0) {
        s->top--;
        *n = s->nodes[s->top];
        ok = 1;
    }
    upc_unlock(s->lock);
    return ok;
}
static long sequential(Node n) {
    long c = 1;
    int i, k = children(&n);
    for (i = 0; i < k; i++) {
        Node m = {rng(n.state, i), n.depth + 1};
        c += sequential(m);
    }
    return c;
}
static int steal(void) {
    for (int d = 1; d < THREADS; d++) {
        int v = (MYTHREAD + d) % THREADS;
        Node n;
        if (stacks[v].top > 0 && pop(&stacks[v], &n)) {
            push(&stacks[MYTHREAD], n);
            return 1;
        }
    }
    return 0;
}
int main() {
    shared StealStack *me = &stacks[MYTHREAD];
    Node n, root = {1234567, 0};
    root.state = 4 * 1000 + 3;
    me->top = 0;
    me->n_nodes = 0;
    me->lock = upc_global_lock_alloc();
    me->nodes = (shared [] Node *)upc_alloc(QMAX * sizeof(Node));
    if (MYTHREAD == 0) {
        idle_lock = upc_global_lock_alloc();
        idle = 0;
        finished = 0;
        push(me, root);
    }
    upc_barrier;
    while (!finished) {
        while (pop(me, &n)) {
            int i, k = children(&n);
            me->n_nodes += 1;
            for (i = 0; i < k; i++) {
                Node m;
                m.state = rng(n.state, i);
                m.depth = n.depth + 1;
                push(me, m);
            }
        }
        upc_lock(idle_lock);
        idle++;
        upc_unlock(idle_lock);
        for (;;) {
            if (finished) break;
            int any = 0;
            for (int v = 0; v < THREADS; v++) any |= stacks[v].top > 0;
            if (any) {
                upc_lock(idle_lock);
                idle--;
                upc_unlock(idle_lock);
                if (steal()) break;
                upc_lock(idle_lock);
                idle++;
                upc_unlock(idle_lock);
                if (me->top > 0) {
                    upc_lock(idle_lock);
                    idle--;
                    upc_unlock(idle_lock);
                    break;
                }
            } else if (idle == THREADS) {
                finished = 1;
                break;
            } else
                sched_yield();
        }
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        long total = 0;
        for (int t = 0; t < THREADS; t++) total += stacks[t].n_nodes;
        long want = sequential(root);
        if (total == want)
            printf("done\n");
        else
            printf("%ld instead of %ld\n", total, want);
    }
    upc_barrier;
    upc_lock_free(me->lock);
    upc_free(me->nodes);
    return 0;
}
