/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unbalanced tree search: counts the nodes of a tree whose shape nobody knows. A thread that has run out of nodes
 * takes some from another one's stack.
 *
 *     uts [tree: 0 to 2]
 *
 * A thread's stack is in its own shared memory: from `start` to `local` what anybody may take, with the lock, then up
 * to `top` what is the thread's own. It moves nodes from one part to the other when there is none to be taken, and
 * back when it has none.
 */
#include <upc_relaxed.h>
#include <bupc_atomics.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include "uts.h"

upc_lock_t *shared locks[THREADS];
shared long available[THREADS]; /* nodes that may be taken; written with the lock */
shared long starts[THREADS];    /* where they start */
shared uint64_t idle;           /* threads that have no node */
shared uint64_t found_nodes[THREADS], found_depth[THREADS], found_steals[THREADS];

/* Steals the nodes that thread `from` offers into the empty stack of this thread; returns their number. */
static long steal(shared [CAPACITY] node_t *stacks, int from, node_t *stack)
{
    long count;
    upc_lock(locks[from]);
    count = available[from];
    if (count > 0) {
        upc_memget(stack, &stacks[from * CAPACITY + starts[from]], count * sizeof(node_t));
        available[from] = 0;
    }
    upc_unlock(locks[from]);
    return count;
}

/* Searches the other threads for work; returns the number of nodes, or 0 when no thread has any. */
static long find_work(shared [CAPACITY] node_t *stacks, node_t *stack)
{
    long count;
    int v;
    bupc_atomicU64_fetchadd_strict(&idle, 1);
    while (bupc_atomicU64_read_strict(&idle) < THREADS) {
        for (v = (MYTHREAD + 1) % THREADS; v != MYTHREAD; v = (v + 1) % THREADS) {
            if (available[v] == 0) continue;
            bupc_atomicU64_fetchadd_strict(&idle, -1); /* first, because a thread that may have work is not idle */
            count = steal(stacks, v, stack);
            if (count > 0) return count;
            bupc_atomicU64_fetchadd_strict(&idle, 1);
        }
        bupc_poll();
        sched_yield();
    }
    return 0;
}

static found_t search(shared [CAPACITY] node_t *stacks, int tree)
{
    node_t *stack = (node_t *)&stacks[MYTHREAD * CAPACITY]; /* local: plain memory */
    volatile long *offered = (volatile long *)&available[MYTHREAD], *offer = (volatile long *)&starts[MYTHREAD];
    upc_lock_t *lock = locks[MYTHREAD];
    long local = 0, top = 0;
    found_t found = {0, 0, 0};

    if (MYTHREAD == 0) stack[top++] = root(tree);
    for (;;) {
        while (top > local) {
            top = visit(tree, stack, top, &found);
            if (top - local > 2 * CHUNK && *offered == 0) {
                upc_lock(lock);
                if (local > CAPACITY / 2) { /* reuses the space of stolen nodes */
                    memmove(stack, stack + local, (top - local) * sizeof(node_t));
                    top -= local;
                    local = 0;
                }
                *offer = local;
                local += CHUNK;
                *offered = CHUNK;
                upc_unlock(lock);
            }
            if (found.nodes % 256 == 0) bupc_poll(); /* others may wait for my memory */
        }
        if (*offered > 0) { /* takes them back, if no thread has stolen them */
            upc_lock(lock);
            if (*offered > 0) local = *offer;
            *offered = 0;
            upc_unlock(lock);
        } else {
            local = 0;
            top = find_work(stacks, stack);
            if (top == 0) return found;
            found.steals++;
        }
    }
}

int main(int argc, char **argv)
{
    int tree = argc > 1 ? atoi(argv[1]) : 0, t, status = 0;
    found_t found, all = {0, 0, 0};
    double start, time;
    shared [CAPACITY] node_t *stacks;

    if (tree < 0 || tree >= TREES) {
        if (MYTHREAD == 0) fprintf(stderr, "usage: uts [tree: 0 to %d]\n", TREES - 1);
        return 2;
    }
    stacks = upc_all_alloc(THREADS, CAPACITY * sizeof(node_t));
    locks[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    start = seconds();
    found = search(stacks, tree);
    upc_barrier;
    time = seconds() - start;
    found_nodes[MYTHREAD] = found.nodes;
    found_depth[MYTHREAD] = found.depth;
    found_steals[MYTHREAD] = found.steals;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (t = 0; t < THREADS; t++) {
            all.nodes += found_nodes[t];
            all.steals += found_steals[t];
            if (found_depth[t] > all.depth) all.depth = found_depth[t];
        }
        status = conclude("upc", THREADS, tree, all, time);
    }
    return status;
}
