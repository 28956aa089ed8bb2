/* SPDX-License-Identifier: BSD-3-Clause */
/* Conjugate gradients over blocked vectors. */
#include <upc_relaxed.h>
#include "check.h"
#include <math.h>
#define NA 40
#define BS 8
typedef struct {
    int row_start, row_end, nnz;
    double norm;
} part_t;
typedef struct cg_reduce_s {
    double v[2];
} cg_reduce_t;
#define LEN (THREADS * BS * 5)
shared [BS] double xs[LEN], zs[LEN], ps[LEN], rs[LEN], qs[LEN];
shared part_t parts[THREADS];
shared cg_reduce_t reduce_threads[THREADS][2];
static int n;
static double dot(shared [BS] const double *a, shared [BS] const double *b, int k)
{
    int i;
    double s = 0;
    upc_forall(i = 0; i < LEN; i++; &a[i]) s += a[i] * b[i];
    reduce_threads[MYTHREAD][k & 1].v[0] = s;
    upc_barrier;
    for (i = 0, s = 0; i < THREADS; i++) s += reduce_threads[i][k & 1].v[0];
    upc_barrier;
    return s;
}
static void matvec(shared [BS] double *restrict out, const shared [BS] double *restrict in)
{
    int i;
    upc_forall(i = 0; i < LEN; i++; out + i) out[i] = 4 * in[i] - (i ? in[i - 1] : 0) - (i < LEN - 1 ? in[i + 1] : 0);
    upc_barrier;
}
int main(void)
{
    int i, it;
    double rho, rho0, d, alpha, beta;
    n = LEN;
    parts[MYTHREAD].row_start = MYTHREAD * BS;
    parts[MYTHREAD].row_end = parts[MYTHREAD].row_start + BS;
    upc_forall(i = 0; i < n; ++i; &xs[i])
    {
        xs[i] = 1. + i % 3;
        rs[i] = ps[i] = xs[i];
        zs[i] = qs[i] = 0.0;
    }
    upc_barrier;
    rho = dot(rs, rs, 0);
    for (it = 0; it < 25; it++) {
        matvec(qs, ps);
        d = dot(ps, qs, it);
        alpha = rho / d;
        rho0 = rho;
        upc_forall(i = 0; i < n; i++; &zs[i])
        {
            zs[i] += alpha * ps[i];
            rs[i] -= alpha * qs[i];
        }
        rho = dot(rs, rs, 1);
        beta = rho / rho0;
        upc_forall(i = 0; i < n; i++; &ps[i]) ps[i] = rs[i] + beta * ps[i];
        upc_barrier;
    }
    matvec(qs, zs);
    upc_forall(i = 0; i < n; i++; &qs[i]) CHECK(fabs(qs[i] - xs[i]) < 1e-6);
    parts[MYTHREAD].norm += sqrt(rho);
    CHECK(parts[MYTHREAD].norm < 1e-6 && parts[THREADS - 1].row_end == THREADS * BS);
    return finish();
}
