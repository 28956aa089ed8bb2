/* SPDX-License-Identifier: BSD-3-Clause */
/* Conway's game of life, rows in blocks, ghost rows by upc_memget; against a private copy of the board. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <string.h>
#define W 16
#define ROWS 3
typedef shared [ROWS * W] unsigned char board_t;
board_t first[ROWS * THREADS][W], second[ROWS * THREADS][W];
static unsigned char own[ROWS * 64][W], next_own[ROWS * 64][W];

static int alive(int neighbours, int now) { return neighbours == 3 || (now && neighbours == 2); }

static void step(shared [ROWS * W] unsigned char (*from)[W], shared [ROWS * W] unsigned char (*to)[W]) {
    int height = ROWS * THREADS, r, c, dr, dc;
    upc_forall (r = 0; r < height; r++; &to[r][0]) {
        unsigned char rows[3][W];
        for (dr = -1; dr <= 1; dr++) upc_memget(rows[dr + 1], &from[(r + dr + height) % height][0], W);
        for (c = 0; c < W; c++) {
            int n = 0;
            for (dr = 0; dr < 3; dr++)
                for (dc = -1; dc <= 1; dc++)
                    if (dr != 1 || dc) n += rows[dr][(c + dc + W) % W];
            to[r][c] = alive(n, rows[1][c]);
        }
    }
    upc_barrier;
}

int main(void) {
    int height = ROWS * THREADS, r, c, dr, dc, g;
    if (height > 64 * ROWS) return 2;
    upc_forall (r = 0; r < height; r++; &first[r][0])
        for (c = 0; c < W; c++) first[r][c] = (r * 7 + c * c * 3 + r * c) % 5 < 2;
    for (r = 0; r < height; r++)
        for (c = 0; c < W; c++) own[r][c] = (r * 7 + c * c * 3 + r * c) % 5 < 2;
    upc_barrier;
    for (g = 0; g < 6; g++) {
        if (g % 2) step(second, first); else step(first, second);
        for (r = 0; r < height; r++)
            for (c = 0; c < W; c++) {
                int n = 0;
                for (dr = -1; dr <= 1; dr++)
                    for (dc = -1; dc <= 1; dc++)
                        if (dr || dc) n += own[(r + dr + height) % height][(c + dc + W) % W];
                next_own[r][c] = alive(n, own[r][c]);
            }
        memcpy(own, next_own, sizeof own);
    }
    for (r = 0; r < height; r++)
        for (c = 0; c < W; c++)
            if (first[r][c] != own[r][c]) {
                printf("row %d column %d\n", r, c);
                return 1;
            }
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
