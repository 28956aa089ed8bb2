/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.4.2 and 6.5.2: arrays of arrays, pointers to arrays, typedefs of arrays, members that are arrays.
 * The block size counts ultimate elements. */
#include "check.h"

enum { R = 6, C = 4, D = 5 };
shared [3] int grid[R * THREADS][C];
shared double cube[R][THREADS][D];
shared [] char board[R][C];
typedef int row_t[C];
shared [C] row_t rows[R * THREADS];
struct part { short n; int v[3][2]; };
shared struct part parts[2 * THREADS];
shared [2] struct part pairs[4 * THREADS];

static void test_blocked(void)
{
    shared [3] int (*row)[C] = grid, (*other)[C];
    int i, j;
    for (i = 0; i < R * THREADS; i++)
        for (j = 0; j < C; j++) {
            const int k = i * C + j;
            shared [3] int *p = &grid[i][j];
            CHECK(upc_threadof(p) == k / 3 % THREADS && upc_phaseof(p) == k % 3);
            CHECK(p - &grid[0][0] == k && p == *(grid + i) + j && p == &(*(row + i))[j] && p == &row[i][j]);
            CHECK(p == grid[i] + j && p == &j[grid[i]]);
        }
    other = row + 5;
    CHECK(other - row == 5 && row - other == -5 && other > row && *other == grid[5] &&
          &(*other)[1] == &grid[5][1]);
    other -= 2;
    other++;
    CHECK(other == &grid[4] && (*other--)[2] == 0 && other == &grid[3]);
    CHECK(&grid + 1 > &grid && &rows[0] == rows);
    for (i = 0; i < R * THREADS; i++) CHECK(upc_threadof(&rows[i][C - 1]) == i % THREADS &&
                                            upc_phaseof(rows[i]) == 0);
}

static void test_cyclic_and_flat(void)
{
    shared double (*plane)[THREADS][D] = cube;
    shared [] char (*line)[C] = board + 2;
    int i, j, k;
    for (i = 0; i < R; i++)
        for (j = 0; j < THREADS; j++)
            for (k = 0; k < D; k++) {
                const int at = (i * THREADS + j) * D + k;
                CHECK(upc_threadof(&cube[i][j][k]) == at % THREADS);
                CHECK(&cube[i][j][k] - &cube[0][0][0] == at && &plane[i][j][k] == &cube[i][j][k]);
            }
    CHECK((plane + 2) - plane == 2 && plane + 2 == &cube[2]);
    CHECK(&line[-1][1] == &board[1][1] && upc_addrfield(line) == upc_addrfield(board) + 2 * C &&
          line - board == 2);
}

static void test_members(void)
{
    const int i = 2 * THREADS - 1;
    shared [] int *p = parts[i].v[1];
    shared [] int (*v)[2] = parts[i].v;
    shared [2] struct part *q = &pairs[3];
    CHECK(upc_threadof(p) == i % THREADS && upc_phaseof(p) == 0);
    CHECK(p == &parts[i].v[1][0] && v + 1 == &parts[i].v[1] && &v[2][1] == p + 3);
    CHECK(upc_addrfield(p) == upc_addrfield(&parts[i]) + sizeof(short) * 2 + 2 * sizeof(int));
    CHECK(upc_phaseof(q) == 1 && upc_phaseof(&q->v[2][1]) == 0 && upc_threadof(&q->n) == 1 % THREADS);
    CHECK(&(*q).v[1][1] == &pairs[3].v[1][1] && &q[-3].n == &pairs->n &&
          &(q + 1)->v[0][0] == (pairs + 4)->v[0]);
    CHECK(upc_addrfield(&q->v[0][0]) - upc_addrfield(&q->n) == 4);
}

int main(void)
{
    test_blocked();
    test_cyclic_and_flat();
    test_members();
    return finish();
}
