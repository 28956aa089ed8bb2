/* SPDX-License-Identifier: BSD-3-Clause */
/* Planes of a grid in structures of pointers-to-shared behind macros, with a halo by upc_memget. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
typedef shared [] double *sh_arr;
typedef struct sh_arr_s {
    shared [] double *arr;
} sh_arr_t;
shared sh_arr_t sh_u[THREADS], sh_r[THREADS];
sh_arr_t *u, *r;
static int n1 = 6, n2 = 5, n3 = 4;
double ****dummy;
#define IDX(i, j, k) (((i)*n2 + (j)) * n3 + (k))
#define u(t, i, j, k) (sh_u[t].arr[IDX(i, j, k)])
#define lu(i, j, k) (((double *)sh_u[MYTHREAD].arr)[IDX(i, j, k)])
upc_lock_t *critical_lock;
shared double s;
shared double rnmu;
double smax;
static void comm3(void) {
    int j, k, up = (MYTHREAD + 1) % THREADS, dn = (MYTHREAD + THREADS - 1) % THREADS;
    upc_barrier 1;
    upc_memget(&lu(0, 0, 0), &u(dn, n1 - 2, 0, 0), n2 * n3 * sizeof(double));
    upc_memget(&lu(n1 - 1, 0, 0), &u(up, 1, 0, 0), n2 * n3 * sizeof(double));
    upc_barrier 2;
    (void)j;
    (void)k;
}
static double norm(void) {
    double t = 0;
    int i, j, k;
    for (i = 1; i < n1 - 1; i++)
        for (j = 0; j < n2; j++)
            for (k = 0; k < n3; k++) t += pow(lu(i, j, k), 2.0);
    upc_lock(critical_lock);
    s += t;
    if (t > rnmu) rnmu = t;
    upc_unlock(critical_lock);
    upc_barrier;
    return sqrt(s);
}
int main(int argc, char **argv) {
    int i, j, k, it, t, bad = 0;
    critical_lock = upc_all_lock_alloc();
    sh_u[MYTHREAD].arr = (shared [] double *)upc_alloc(n1 * n2 * n3 * sizeof(double));
    u = (sh_arr_t *)&sh_u[MYTHREAD];
    if (!MYTHREAD) s = rnmu = 0;
    for (i = 0; i < n1; i++)
        for (j = 0; j < n2; j++)
            for (k = 0; k < n3; k++)
                lu(i, j, k) = i && i < n1 - 1 ? sin((MYTHREAD * (n1 - 2) + i - 1) * 1.0 + j + k * 0.5) : 0;
    int N = (n1 - 2) * THREADS;
    double(*a)[n2][n3] = calloc(N, sizeof *a), (*b)[n2][n3] = calloc(N, sizeof *b);
    for (i = 0; i < N; i++)
        for (j = 0; j < n2; j++)
            for (k = 0; k < n3; k++) a[i][j][k] = sin(i * 1.0 + j + k * 0.5);
    for (it = 0; it < 3; it++) {
        double tmp[n1][n2][n3];
        comm3();
        for (i = 1; i < n1 - 1; i++)
            for (j = 0; j < n2; j++)
                for (k = 0; k < n3; k++) tmp[i][j][k] = 0.5 * lu(i, j, k) + 0.25 * (lu(i - 1, j, k) + lu(i + 1, j, k));
        upc_barrier;
        for (i = 1; i < n1 - 1; i++)
            for (j = 0; j < n2; j++)
                for (k = 0; k < n3; k++) u(MYTHREAD, i, j, k) = tmp[i][j][k];
        for (i = 0; i < N; i++)
            for (j = 0; j < n2; j++)
                for (k = 0; k < n3; k++)
                    b[i][j][k] = 0.5 * a[i][j][k] + 0.25 * (a[(i + N - 1) % N][j][k] + a[(i + 1) % N][j][k]);
        void *x = a;
        a = b;
        b = x;
    }
    double want = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < n2; j++)
            for (k = 0; k < n3; k++) { want += a[i][j][k] * a[i][j][k]; }
    upc_barrier;
    double got = norm();
    bad = fabs(got - sqrt(want)) > 1e-9;
    for (t = 0; t < THREADS; t++)
        for (i = 1; i < n1 - 1; i++) bad += fabs(u(t, i, 2, 1) - a[t * (n1 - 2) + i - 1][2][1]) > 1e-12;
    if (bad) printf("%d: %g %g\n", MYTHREAD, got, sqrt(want));
    upc_barrier;
    if (!MYTHREAD && !bad) puts("done");
    return bad;
}
