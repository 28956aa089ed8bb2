/* SPDX-License-Identifier: BSD-3-Clause */
/* Directories of grids and shared structures that hold whole arrays. */
#include <upc_relaxed.h>
#include "check.h"
#define NX 6
#define NY 4
#define NZ 2
typedef struct {
    double real, imag;
} dcomplex;
typedef struct {
    dcomplex cell[NZ * 1][NY][NX];
} d_cell_t;
typedef shared [] double *shared_dp;
struct grid_s {
    shared [] double *arr;
    int n[3];
};
typedef struct grid_s grid_t;
struct sh_arr {
    struct grid_s lev[3];
};
shared d_cell_t u0[THREADS], u1[THREADS];
shared struct sh_arr sh_u[THREADS];
shared [] dcomplex *shared dirs[THREADS];
#define cadd(a, b) ((dcomplex){(a).real + (b).real, (a).imag + (b).imag})
#define crmul(d, a, b)                                                                                               \
    (d).real = (a).real * (b);                                                                                       \
    (d).imag = (a).imag * (b)
#define U(t, l, i3, i2, i1) sh_u[t].lev[l].arr[((i3)*sh_u[t].lev[l].n[1] + (i2)) * sh_u[t].lev[l].n[2] + (i1)]
int main(void)
{
    int t, i, j, k, l;
    dcomplex c;
    d_cell_t *mine = (d_cell_t *)&u0[MYTHREAD];
    for (k = 0; k < NZ; k++)
        for (j = 0; j < NY; j++)
            for (i = 0; i < NX; i++) {
                mine->cell[k][j][i].real = k * 100 + j * 10 + i;
                u0[MYTHREAD].cell[k][j][i].imag = MYTHREAD;
            }
    upc_barrier;
    t = (MYTHREAD + 1) % THREADS;
    upc_memget(&((d_cell_t *)&u1[MYTHREAD])->cell[0][0][0], &u0[t].cell[0][0][0], sizeof(dcomplex) * NX * NY * NZ);
    for (k = 0; k < NZ; k++)
        for (j = 0; j < NY; j++)
            for (i = 0; i < NX; i++) {
                c = cadd(u1[MYTHREAD].cell[k][j][i], u0[MYTHREAD].cell[k][j][i]);
                CHECK(c.real == 2 * (k * 100 + j * 10 + i) && c.imag == t + MYTHREAD);
                crmul(u1[MYTHREAD].cell[k][j][i], u1[MYTHREAD].cell[k][j][i], 2);
                CHECK(u1[MYTHREAD].cell[k][j][i].imag == 2 * t);
            }
    upc_memput(&u1[MYTHREAD].cell[1], mine->cell[1], sizeof mine->cell[1]);
    CHECK(u1[MYTHREAD].cell[1][2][3].real == 123);
    dirs[MYTHREAD] = (shared [] dcomplex *)&u0[MYTHREAD].cell;
    upc_barrier;
    CHECK(dirs[t][NX + 1].real == 11 && dirs[t][NX * NY].real == 100);
    for (l = 0; l < 3; l++) {
        sh_u[MYTHREAD].lev[l].n[0] = sh_u[MYTHREAD].lev[l].n[1] = sh_u[MYTHREAD].lev[l].n[2] = 2 << l;
        sh_u[MYTHREAD].lev[l].arr = (shared [] double *)upc_alloc((2 << l) * (2 << l) * (2 << l) * sizeof(double));
        for (k = 0; k < 2 << l; k++)
            for (j = 0; j < 2 << l; j++)
                for (i = 0; i < 2 << l; i++) U(MYTHREAD, l, k, j, i) = l * 1000 + k * 100 + j * 10 + i + MYTHREAD;
    }
    upc_barrier;
    for (l = 1; l < 3; l++) {
        struct grid_s g = sh_u[t].lev[l];
        shared_dp p = sh_u[t].lev[l - 1].arr;
        CHECK(U(t, l, 1, 1, 1) == l * 1000 + 111 + t && g.arr[1] == l * 1000 + 1 + t && *p == (l - 1) * 1000 + t);
        U(t, l, 0, 0, 0) += 1;
        U(t, l, 0, 0, 0)--;
        CHECK(g.n[2] == 2 << l && *g.arr == l * 1000 + t);
    }
    upc_barrier;
    for (l = 0; l < 3; l++) upc_free(sh_u[MYTHREAD].lev[l].arr);
    return finish();
}
