/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of structures and unions that one iteration, or two, access: shared arrays get what private ones get, although
 * the C compiler may be told that iterations are independent. */
#include "../../clauses/check.h"

#define N 200
union number { int i; short s[2]; int j; float f; };
struct cell { int k, d; short s; double x; };
shared [] int a[2 * N], b[2 * N];
shared [] union number u[2 * N];
shared [] struct cell c[2 * N];
static int model_a[2 * N], model_b[2 * N];
static union number model_u[2 * N];
static struct cell model_c[2 * N];

static void clear(void) {
    int i;
    for (i = 0; i < 2 * N; i++) {
        a[i] = model_a[i] = i;
        b[i] = model_b[i] = 3 * i % 31;
        u[i].i = model_u[i].i = i * 65537;
        c[i].k = model_c[i].k = i;
        c[i].d = model_c[i].d = -i;
        c[i].s = model_c[i].s = (short)(i % 99);
        c[i].x = model_c[i].x = i / 2.;
    }
}

static int same(void) {
    int i, wrong = 0;
    for (i = 0; i < 2 * N; i++) {
        wrong += a[i] != model_a[i] || b[i] != model_b[i] || u[i].i != model_u[i].i;
        wrong += c[i].k != model_c[i].k || c[i].d != model_c[i].d || c[i].s != model_c[i].s || c[i].x != model_c[i].x;
    }
    return wrong == 0;
}

/* The loop for the shared arrays, and for private ones by the same letters. */
#define BOTH(head, shared_body, private_body)        \
    do {                                             \
        clear();                                     \
        for (head) { shared_body }                   \
        for (head) { private_body }                  \
        CHECK(same());                               \
    } while (0)

int main(void) {
    int i;
    if (MYTHREAD == THREADS - 1) {
        BOTH(i = 0; i < N; i++, u[i].i = b[i] * 3; a[i] = u[i].j;,
             model_u[i].i = model_b[i] * 3; model_a[i] = model_u[i].j;);
        BOTH(i = 0; i < N; i++, u[i].i = b[i]; a[i] = u[i].s[0];,
             model_u[i].i = model_b[i]; model_a[i] = model_u[i].s[0];);
        BOTH(i = 0; i < N; i++, u[i].f = b[i]; a[i] = u[i].j; u[i].i = a[i] + 1;,
             model_u[i].f = model_b[i]; model_a[i] = model_u[i].j; model_u[i].i = model_a[i] + 1;);
        BOTH(i = 0; i < N; i++, c[i].k = b[i]; a[i] = c[i].d + c[i].k; c[i].d = a[i]; c[i].x = c[i].s;,
             model_c[i].k = model_b[i]; model_a[i] = model_c[i].d + model_c[i].k; model_c[i].d = model_a[i];
             model_c[i].x = model_c[i].s;);
        BOTH(i = N; i > 0; i--, c[i - 1].k = c[i].k + b[i]; a[i] = c[i].k;,
             model_c[i - 1].k = model_c[i].k + model_b[i]; model_a[i] = model_c[i].k;);
        BOTH(i = 0; i < N; i++, c[i].k = a[i]; c[i + 1].d = c[i].k; a[i + 1] = c[i].d;,
             model_c[i].k = model_a[i]; model_c[i + 1].d = model_c[i].k; model_a[i + 1] = model_c[i].d;);
    }
    upc_barrier;
    return finish();
}
