/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel that counts random pairs, with its macros. */
#include <upc_relaxed.h>
#include <math.h>
#include "check.h"
#define MK 6
#define MM 12
#define NN (1 << (MM - MK))
#define NK (1 << MK)
#define NQ 10
#define A 1220703125.0
#define S 271828183.0
#define r23 pow(0.5, 23.0)
#define r46 (r23 * r23)
#define t23 pow(2.0, 23.0)
#define t46 (t23 * t23)
#define max(a, b) (((a) > (b)) ? (a) : (b))
static double x[2 * NK], q[NQ];
shared double sxs[THREADS], sys_[THREADS], qqs[THREADS][NQ];
upc_lock_t *critical;
shared double qall[NQ][THREADS];
shared [] double tot[2];
static double randlc(double *x, double a)
{
    double t1, t2, t3, t4, a1, a2, x1, x2, z;
    t1 = r23 * a;
    a1 = (int)t1;
    a2 = a - t23 * a1;
    t1 = r23 * (*x);
    x1 = (int)t1;
    x2 = (*x) - t23 * x1;
    t1 = a1 * x2 + a2 * x1;
    t2 = (int)(r23 * t1);
    z = t1 - t23 * t2;
    t3 = t23 * z + a2 * x2;
    t4 = (int)(r46 * t3);
    *x = t3 - t46 * t4;
    return r46 * *x;
}
static void vranlc(int n, double *x_seed, double a, double y[])
{
    int i;
    for (i = 1; i <= n; i++) y[i] = randlc(x_seed, a);
}
int main(int argc, char **argv)
{
    double t1, t2, t3, t4, x1, x2, an = A, sx = 0, sy = 0, dum[3] = {1, 1, 1};
    int i, k, ik, kk, l, np = NN, k_offset = -1;
    (void)argc;
    (void)argv;
    (void)dum;
    critical = upc_all_lock_alloc();
    t1 = A;
    for (i = 1; i <= MK + 1; i++) t2 = randlc(&t1, t1);
    an = t1;
    (void)t2;
    upc_forall(k = 1; k <= np; k++; k)
    {
        kk = k_offset + k;
        t1 = S;
        t2 = an;
        for (i = 1; i <= 100; i++) {
            ik = kk / 2;
            if (2 * ik != kk) t3 = randlc(&t1, t2);
            if (ik == 0) break;
            t3 = randlc(&t2, t2);
            kk = ik;
        }
        vranlc(2 * NK - 1, &t1, A, x);
        for (i = 0; i < NK - 1; i++) {
            x1 = 2.0 * x[2 * i + 1] - 1.0;
            x2 = 2.0 * x[2 * i + 2] - 1.0;
            t1 = x1 * x1 + x2 * x2;
            if (t1 <= 1.0) {
                t2 = sqrt(-2.0 * log(t1) / t1);
                t3 = x1 * t2;
                t4 = x2 * t2;
                l = max(fabs(t3), fabs(t4));
                q[l] += 1.0;
                sx += t3;
                sy += t4;
            }
        }
    }
    (void)t3;
    for (i = 0; i < NQ; i++) qqs[MYTHREAD][i] = qall[i][MYTHREAD] = q[i];
    sxs[MYTHREAD] = sx;
    sys_[MYTHREAD] = sy;
    upc_lock(critical);
    tot[0] += sx;
    tot[1] += sy;
    upc_unlock(critical);
    upc_barrier;
    {
        double gc = 0, tx = 0, ty = 0, g2 = 0;
        for (i = 0; i < NQ; i++) upc_forall(k = 0; k < THREADS; k++; continue)
            {
                gc += qqs[k][i];
                g2 += qall[i][k];
            }
        for (k = 0; k < THREADS; k++) tx += sxs[k], ty += sys_[k];
        CHECK(gc == g2 && gc > NN * NK * .7 && gc < NN * NK * .85);
        CHECK(fabs(tx - tot[0]) < 1e-9 && fabs(ty - tot[1]) < 1e-9);
    }
    upc_barrier;
    if (MYTHREAD == 0) upc_lock_free(critical);
    return finish();
}
