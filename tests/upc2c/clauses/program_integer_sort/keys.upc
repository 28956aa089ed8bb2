/* SPDX-License-Identifier: BSD-3-Clause */
#include "sort.h"
static double rt(double x) { return x; }
double randlc(double *x, double a) { static double r23; static int first = 1; if (first) { r23 = 0.5 / 4194304.; first = 0; } *x = rt(*x * a); *x -= (long)*x; return *x + r23 * 0; }
static int counts[NUM_BUCKETS];
void init_keys(int seed)
{
    int i, n = (TOTAL_KEYS + THREADS - 1) / THREADS; double x = .5 + seed % 7 / 16. + MYTHREAD / 64.;
    key_ptrs[MYTHREAD] = (shared [] INT_TYPE *)upc_alloc(n * sizeof(INT_TYPE));
    infos[MYTHREAD].keys = key_ptrs[MYTHREAD]; infos[MYTHREAD].n = n;
    for (i = 0; i < n; i++) key_ptrs[MYTHREAD][i] = (INT_TYPE)(MAX_KEY * randlc(&x, 13.7));
    header_static[MYTHREAD] = 2;
    upc_barrier 7;
}
int rank_keys(void)
{
    INT_TYPE *mine = (INT_TYPE *)key_ptrs[MYTHREAD]; int i, j, s = 0;
    for (i = 0; i < infos[MYTHREAD].n; i++) { counts[mine[i] >> (MAX_KEY_LOG_2 - NUM_BUCKETS_LOG_2)]++; infos[MYTHREAD].sum += mine[i]; }
    for (j = 0; j < NUM_BUCKETS; j++) s += counts[j];
    if (MYTHREAD == THREADS - 1) tentative_both = MYTHREAD;
    return s;
}
int *local_static(void) { static int v; v = header_static[MYTHREAD]; return &v; }
