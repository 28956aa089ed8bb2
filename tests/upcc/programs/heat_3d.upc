/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat in three dimensions, with pointers to rows of blocked arrays that are exchanged after each step. */
#include <upc_relaxed.h>
#include <math.h>
#include "../../upc2c/clauses/check.h"
#define N 8
#define BLOCKSIZE 16
shared [BLOCKSIZE] double grids[2][N * THREADS][N][N];
shared double dTmax_local[THREADS];
void initialize(void) {
    int y, x;
    for (y = 1; y < N - 1; y++)
        upc_forall (x = 1; x < N - 1; x++; &grids[0][0][y][x]) grids[0][0][y][x] = grids[1][0][y][x] = 1.0;
}
int main(int argc, char **argv) {
    double dTmax, dT, epsilon, max_time;
    int finished, z, y, x, i, nr_iter = 0, sg, dg;
    double T;
    shared [BLOCKSIZE] double(*old)[N][N], (*new)[N][N], (*t)[N][N];
    int Z = N * THREADS;
    initialize();
    epsilon = 0.01;
    finished = 0;
    upc_barrier;
    old = grids[0];
    new = grids[1];
    do {
        dTmax = 0.0;
        for (z = 1; z < Z - 1; z++)
            for (y = 1; y < N - 1; y++)
                upc_forall (x = 1; x < N - 1; x++; &new[z][y][x]) {
                    T = (old[z + 1][y][x] + old[z - 1][y][x] + old[z][y - 1][x] + old[z][y + 1][x] +
                         old[z][y][x - 1] + old[z][y][x + 1]) /
                        6.0;
                    dT = T - old[z][y][x];
                    new[z][y][x] = T;
                    if (dTmax < fabs(dT)) dTmax = fabs(dT);
                }
        dTmax_local[MYTHREAD] = dTmax;
        upc_barrier;
        dTmax = dTmax_local[0];
        for (i = 1; i < THREADS; i++)
            if (dTmax < dTmax_local[i]) dTmax = dTmax_local[i];
        upc_barrier;
        if (dTmax < epsilon)
            finished = 1;
        else {
            t = old;
            old = new;
            new = t;
        }
        nr_iter++;
    } while (!finished);
    if (!MYTHREAD) {
        static double g[2][N * 64][N][N];
        int it;
        for (y = 1; y < N - 1; y++)
            for (x = 1; x < N - 1; x++) g[0][0][y][x] = g[1][0][y][x] = 1;
        int s = 0;
        for (it = 0; it < nr_iter; it++) {
            for (z = 1; z < Z - 1; z++)
                for (y = 1; y < N - 1; y++)
                    for (x = 1; x < N - 1; x++)
                        g[1 - s][z][y][x] = (g[s][z + 1][y][x] + g[s][z - 1][y][x] + g[s][z][y - 1][x] +
                                             g[s][z][y + 1][x] + g[s][z][y][x - 1] + g[s][z][y][x + 1]) /
                                            6.0;
            s = 1 - s;
        }
        for (z = 0; z < Z; z++)
            for (y = 0; y < N; y++)
                for (x = 0; x < N; x++) CHECK(fabs(g[s][z][y][x] - new[z][y][x]) < 1e-12);
        CHECK(nr_iter > 3);
    }
    return finish();
}
