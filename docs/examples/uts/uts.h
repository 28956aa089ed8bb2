/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree that uts.upc and uts_mpi.c search: nobody knows its shape before. A node is a state of a generator of
 * random numbers that can be split: the state says how many children the node has and, with a child's number, what
 * that child's state is. The root has many children, any other node eight, or, seven times out of eight and a bit,
 * none; so nearly all subtrees are tiny, and a few are huge. The same tree always: its size is known here.
 */
#ifndef UTS_H
#define UTS_H
#include <stdint.h>
#include <stdio.h>
#include <time.h>

typedef struct {
    uint64_t state, depth;
} node_t;

enum { CHILDREN = 8 };
static const struct {
    uint64_t seed, root_children, threshold; /* a node has children if 32 bits of its state are below that */
    unsigned long long nodes, depth;         /* what a search must find, the root included */
} trees[] = {
    {19, 2000, 0x1f000000, 36505, 50},
    {7, 2000, 0x1ffc0000, 9641673, 2187},
    {20, 2000, 0x1ffc0000, 85819401, 9782},
};
enum { TREES = sizeof trees / sizeof trees[0] };

static inline uint64_t mix(uint64_t x) {
    int round;
    for (round = 0; round < 8; round++) x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static inline node_t root(int tree) {
    node_t n = {mix(trees[tree].seed), 0};
    return n;
}

/* How many children a node has. */
static inline uint64_t children(int tree, node_t n) {
    if (n.depth == 0) return trees[tree].root_children;
    return (n.state & 0xffffffff) < trees[tree].threshold ? CHILDREN : 0;
}

static inline node_t child(node_t n, uint64_t number) {
    node_t c = {mix(n.state + (number + 1) * 0x9e3779b97f4a7c15u), n.depth + 1};
    return c;
}

/* The counts of one thread; takes a node off its stack and pushes the children. */
typedef struct {
    uint64_t nodes, depth, steals;
} found_t;

static inline long visit(int tree, node_t *stack, long top, found_t *found) {
    const node_t n = stack[--top];
    const uint64_t count = children(tree, n);
    uint64_t i;
    found->nodes++;
    if (n.depth > found->depth) found->depth = n.depth;
    for (i = 0; i < count; i++) stack[top++] = child(n, i);
    return top;
}

/* Work is stolen in chunks of nodes; a thread's stack holds this many nodes. */
enum { CHUNK = 32, CAPACITY = 65536 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static int conclude(const char *version, int threads, int tree, found_t all, double time) {
    printf(
        "{\"example\": \"uts\", \"version\": \"%s\", \"threads\": %d, \"size\": %llu, \"steals\": %llu, "
        "\"unit\": \"nodes/s\", \"rate\": %.4g}\n",
        version, threads, (unsigned long long)all.nodes, (unsigned long long)all.steals, all.nodes / time);
    if (all.nodes != trees[tree].nodes || all.depth != trees[tree].depth) {
        printf("FAILED: %llu nodes, depth %llu; the tree has %llu, %llu\n", (unsigned long long)all.nodes,
               (unsigned long long)all.depth, trees[tree].nodes, trees[tree].depth);
        return 1;
    }
    printf("done: %llu nodes, depth %llu\n", (unsigned long long)all.nodes, (unsigned long long)all.depth);
    return 0;
}
#endif
