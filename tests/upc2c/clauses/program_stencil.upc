/* SPDX-License-Identifier: BSD-3-Clause */
/* A stencil in three dimensions over pointers to shared rows, swapped each step. */
#include "check.h"
#include <math.h>
#define NX 6
#define NY 5
#define NZ 2
#define BLOCKSIZE (NX * NY * NZ)
#define IDX(z, y, x) [(z)][(y)][(x)]
typedef double real;
typedef shared [BLOCKSIZE] real (*field)[NY][NX];
shared [BLOCKSIZE] real A[NZ * THREADS][NY][NX], B[NZ * THREADS][NY][NX];
shared double maxd[THREADS];
static field cur = A, nxt = B;
static double relax(field s, field d)
{
    int x, y, z;
    double m = 0;
    upc_forall(z = 1; z < NZ * THREADS - 1; z++; &s[z][0][0]) for (y = 1; y < NY - 1; y++) for (x = 1; x < NX - 1;
                                                                                                x++)
    {
        d IDX(z, y, x) = (s[z - 1][y][x] + s[z + 1][y][x] + s IDX(z, y - 1, x) + s[z][y + 1][x] + s[z][y][x - 1] +
                          (*(s + z))[y][x + 1]) /
                         6;
        m = fmax(m, fabs(d[z][y][x] - s[z][y][x]));
    }
    return m;
}
int main(void)
{
    int z, y, x, it, t;
    double m = 1;
    upc_forall(z = 0; z < NZ * THREADS; z++; &A[z]) for (y = 0; y < NY; y++) for (x = 0; x < NX; x++) A[z][y][x] =
        B[z][y][x] = !(z && y && x && z < NZ * THREADS - 1 && y < NY - 1 && x < NX - 1) ? 4 : 0;
    upc_barrier;
    for (it = 0; it < 200 && m > 1e-9; it++) {
        field t_;
        maxd[MYTHREAD] = relax(cur, nxt);
        upc_barrier it;
        for (m = 0, t = 0; t < THREADS; t++) m = fmax(m, maxd[t]);
        t_ = cur;
        cur = nxt;
        nxt = t_;
        upc_barrier;
    }
    CHECK(m < 1e-6);
    for (z = 0; z < NZ * THREADS; z++) CHECK(fabs(cur[z][2][3] - 4) < 1e-5 && upc_threadof(cur[z]) == z / NZ);
    return finish();
}
