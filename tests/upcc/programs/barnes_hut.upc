/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree code for gravity in the style of C of the nineties: macros over casts, pointers to the first members of
 * structures. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define DIM 3
#define PARTS (1 << DIM)
typedef double real, vector[DIM], matrix[DIM][DIM];
#define DOT(v, u)                                             \
    ({                                                        \
        real _s = 0;                                          \
        int _i;                                               \
        for (_i = 0; _i < DIM; _i++) _s += (v)[_i] * (u)[_i]; \
        _s;                                                   \
    })
#define DIFFERENCE(v, u, w)                                       \
    {                                                             \
        int _i;                                                   \
        for (_i = 0; _i < DIM; _i++) (v)[_i] = (u)[_i] - (w)[_i]; \
    }
typedef struct node_s {
    short type;
    real mass;
    vector pos;
    int count;
} node;
typedef shared [] struct cell_s *cellptr;
typedef shared [] struct body_s *bodyptr;
typedef shared [] node *nodeptr;
typedef struct body_s {
    node n;
    vector vel, acc;
    real phi;
    int proc;
    bodyptr next;
} body;
typedef struct cell_s {
    node n;
    nodeptr part[PARTS];
    cellptr parent;
    int level;
    real size;
    vector mid;
} cell;
#define KIND(x) (((nodeptr)(x))->type)
#define MASS(x) (((nodeptr)(x))->mass)
#define PLACE(x) (((nodeptr)(x))->pos)
#define PART(x) (((cellptr)(x))->part)
enum { BODY = 01, CELL = 02 };
#define NB 24
shared [] body *shared bodies;
cellptr shared root;
shared real energies[THREADS];
static cellptr newcell(cellptr parent, const real *mid, real size) {
    cellptr c = (cellptr)upc_alloc(sizeof(cell));
    int i;
    KIND(c) = CELL;
    MASS(c) = 0;
    c->parent = parent;
    c->size = size;
    c->level = parent ? parent->level + 1 : 0;
    c->n.count = 0;
    for (i = 0; i < DIM; i++) {
        c->mid[i] = mid[i];
        PLACE(c)[i] = 0;
    }
    for (i = 0; i < PARTS; i++) PART(c)[i] = NULL;
    return c;
}
static int sub(cellptr c, bodyptr b) {
    int k, s = 0;
    for (k = 0; k < DIM; k++)
        if (PLACE(b)[k] >= c->mid[k]) s |= 1 << k;
    return s;
}
static void insert(cellptr c, bodyptr b) {
    int s = sub(c, b);
    nodeptr o = PART(c)[s];
    if (o == NULL) {
        PART(c)[s] = (nodeptr)b;
        return;
    }
    if (KIND(o) == BODY) {
        vector m;
        int k;
        for (k = 0; k < DIM; k++) m[k] = c->mid[k] + (s >> k & 1 ? 1 : -1) * c->size / 4;
        cellptr n = newcell(c, m, c->size / 2);
        insert(n, (bodyptr)o);
        PART(c)[s] = (nodeptr)n;
        o = (nodeptr)n;
    }
    insert((cellptr)o, b);
}
static void sum_up(nodeptr q) {
    if (KIND(q) == BODY) return;
    cellptr c = (cellptr)q;
    int i, k;
    for (i = 0; i < PARTS; i++) {
        nodeptr r = PART(c)[i];
        if (!r) continue;
        sum_up(r);
        MASS(c) += MASS(r);
        c->n.count += KIND(r) == BODY ? 1 : ((cellptr)r)->n.count;
        for (k = 0; k < DIM; k++) PLACE(c)[k] += MASS(r) * PLACE(r)[k];
    }
    for (k = 0; k < DIM; k++) PLACE(c)[k] /= MASS(c);
}
static real potential(nodeptr q, bodyptr b, real tol) {
    vector d;
    int i;
    real pb[DIM], pq[DIM];
    if ((bodyptr)q == b) return 0;
    for (i = 0; i < DIM; i++) {
        pb[i] = PLACE(b)[i];
        pq[i] = q->pos[i];
    }
    DIFFERENCE(d, pq, pb);
    real dsq = DOT(d, d);
    if (KIND(q) == BODY || (tol > 0 && ((cellptr)q)->size * ((cellptr)q)->size < tol * dsq))
        return -MASS(q) / sqrt(dsq + 0.01);
    real s = 0;
    for (i = 0; i < PARTS; i++) {
        nodeptr r = PART(q)[i];
        if (r != NULL) s += potential(r, b, tol);
    }
    return s;
}
int main() {
    int i, k;
    if (MYTHREAD == 0) {
        vector mid = {0, 0, 0};
        bodies = upc_alloc(NB * sizeof(body));
        for (i = 0; i < NB; i++) {
            bodies[i].n.type = BODY;
            bodies[i].n.mass = 1.0 + i % 3;
            for (k = 0; k < DIM; k++) bodies[i].n.pos[k] = sin(i * 1.7 + k * 2.3);
            bodies[i].proc = i % THREADS;
            bodies[i].next = i ? &bodies[i - 1] : NULL;
        }
        cellptr r = newcell(NULL, mid, 4.0);
        for (bodyptr b = &bodies[NB - 1]; b; b = b->next) insert(r, b);
        sum_up((nodeptr)r);
        root = r;
    }
    upc_barrier;
    real e = 0;
    for (bodyptr b = bodies; b < bodies + NB; ++b)
        if (b->proc == MYTHREAD) {
            b->phi = potential((nodeptr)root, b, 0.0);
            e += b->phi * MASS(b);
        }
    energies[MYTHREAD] = e;
    upc_barrier;
    if (MYTHREAD == 0) {
        real total = 0, want = 0;
        for (i = 0; i < THREADS; i++) total += energies[i];
        for (i = 0; i < NB; i++)
            for (k = 0; k < NB; k++)
                if (i != k) {
                    real d = 0;
                    for (int j = 0; j < DIM; j++) {
                        real t = sin(i * 1.7 + j * 2.3) - sin(k * 1.7 + j * 2.3);
                        d += t * t;
                    }
                    want -= (1.0 + i % 3) * (1.0 + k % 3) / sqrt(d + 0.01);
                }
        if (root->n.count == NB && fabs(total - want) < 1e-9)
            puts("done");
        else
            printf("%d %.12g %.12g\n", root->n.count, total, want);
    }
    return 0;
}
