/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first search with the atomics of UPC 1.3. */
#include <upc.h>
#include <upc_atomic.h>
#include <stdio.h>
#include <inttypes.h>
#define V (10 * THREADS)
struct edge {
    int to;
    struct edge shared *next;
};
typedef shared struct edge *edge_p;
shared edge_p adj[V];
shared int64_t level[V];
shared [] int frontier_count[2];
shared int frontier[2][10 * THREADS];
upc_atomicdomain_t *dom64, *dom32;
static void add_edge(int u, int v) {
    shared struct edge *e = upc_alloc(sizeof(struct edge));
    e->to = v;
    e->next = adj[u];
    adj[u] = e;
}
int main(void) {
    dom64 = upc_all_atomicdomain_alloc(UPC_INT64, UPC_CSWAP | UPC_GET | UPC_SET, 0);
    dom32 = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET | UPC_INC, UPC_ATOMIC_HINT_LATENCY);
    int i, d;
    upc_forall (i = 0; i < V; i++; &adj[i]) {
        adj[i] = 0;
        level[i] = -1;
    }
    upc_barrier;
    upc_forall (i = 0; i < V; i++; &adj[i]) {
        add_edge(i, (i * 3 + 1) % V);
        if (i % 2) add_edge(i, (i + 7) % V);
    }
    if (MYTHREAD == 0) {
        level[0] = 0;
        frontier[0][0] = 0;
        frontier_count[0] = 1;
        frontier_count[1] = 0;
    }
    upc_barrier;
    for (d = 0;; d++) {
        int cur = d & 1, n;
        n = frontier_count[cur];
        if (n == 0) break;
        upc_forall (i = 0; i < n; i++; i) {
            for (edge_p e = adj[frontier[cur][i]]; e; e = e->next) {
                int64_t expect = -1, new = d + 1, old;
                upc_atomic_strict(dom64, &old, UPC_CSWAP, &level[e->to], &expect, &new);
                if (old == -1) {
                    int at, one = 1;
                    upc_atomic_relaxed(dom32, &at, UPC_ADD, &frontier_count[!cur], &one, NULL);
                    frontier[!cur][at] = e->to;
                }
            }
        }
        upc_barrier;
        if (MYTHREAD == 0) frontier_count[cur] = 0;
        upc_barrier;
    }
    if (MYTHREAD == 0) {
        int lv[V], q[V], h = 0, t = 0, bad = 0;
        for (i = 0; i < V; i++) lv[i] = -1;
        lv[0] = 0;
        q[t++] = 0;
        while (h < t) {
            int u = q[h++], w[2], n = 0;
            w[n++] = (u * 3 + 1) % V;
            if (u % 2) w[n++] = (u + 7) % V;
            for (i = 0; i < n; i++)
                if (lv[w[i]] < 0) {
                    lv[w[i]] = lv[u] + 1;
                    q[t++] = w[i];
                }
        }
        for (i = 0; i < V; i++)
            if (lv[i] != level[i]) {
                bad++;
                printf("%d: %d, not %" PRId64 "\n", i, lv[i], (int64_t)level[i]);
            }
        if (!bad) puts("done");
    }
    upc_all_atomicdomain_free(dom64);
    upc_all_atomicdomain_free(dom32);
    return 0;
}
