/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of several files with a header of extern, static and tentative shared objects. */
#include "sort.h"
shared [] INT_TYPE *shared key_ptrs[THREADS];
shared struct info infos[THREADS];
shared dcomplex_blk sh_u[THREADS];
shared int total;
extern int plain_c(int n, const int *v);
int main(int argc, char *argv[])
{
    int i, bad = 0;
    dcomplex a = { 1, 2 }, c;
    init_keys(314159);
    header_static[MYTHREAD] = 1;
    upc_barrier;
    sh_u[MYTHREAD].cell[3] = a;
    sh_u[MYTHREAD].cell[2] = dconjg(sh_u[MYTHREAD].cell[3]);
    cadd(c, sh_u[MYTHREAD].cell[2], sh_u[MYTHREAD].cell[3]);
    if (c.re != 2 || c.im != 0) bad = 1;
    if (cadd(sh_u[MYTHREAD].cell[0], a, a), sh_u[MYTHREAD].cell[0].im != 4) bad = 2;
    if (rank_keys() != TOTAL_KEYS / 4 * 4 && !argc) bad = 3;
    if (*local_static() != 2) bad = 4;
    { int v[] = { 1, 2, 3 }; if (plain_c(3, v) != 6) bad = 5; }
    upc_barrier;
    if (tentative_both != THREADS - 1) bad = 7;
    for (i = 0; i < THREADS; i++) if (infos[i].n <= 0 || infos[i].keys != key_ptrs[i] || upc_threadof(infos[i].keys) != i) bad = 8;
    upc_barrier;
    if (bad) printf("bad %d on %d\n", bad, MYTHREAD), upc_global_exit(1);
    upc_barrier;
    if (!MYTHREAD) puts("done");
    return 0;
}
