/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared arrays of structures with arrays, unions, bit-fields and links inside. */
#include "check.h"
struct pt {
    float x, y, z;
};
struct cell {
    int n;
    struct pt p[4];
    union {
        long l;
        double d;
        char c[8];
    } u;
    unsigned f1 : 3, f2 : 5;
    signed f3 : 9;
    struct {
        short s[2][3];
    } in;
};
shared [2] struct cell grid[2 * THREADS][3];
shared struct cell one;
struct list {
    shared struct list *next;
    int v;
};
shared struct list nodes[10 * THREADS];
int main(void)
{
    int i, j, k;
    for (i = 0; i < 2 * THREADS; i++) upc_forall(j = 0; j < 3; j++; &grid[i][j])
        {
            grid[i][j].n = i * 3 + j;
            for (k = 0; k < 4; k++) {
                struct pt t = {i, j, k};
                grid[i][j].p[k] = t;
            }
            grid[i][j].u.d = i + j / 4.;
            grid[i][j].f1 = j;
            grid[i][j].f2 = i;
            grid[i][j].f3 = -i;
            for (k = 0; k < 6; k++) grid[i][j].in.s[k / 3][k % 3] = k;
            grid[i][j].in.s[1][2] += 10;
            grid[i][j].f2++;
            grid[i][j].f1 ^= 1;
            grid[i][j].f3 -= 3;
        }
    upc_barrier;
    for (i = 0; i < 2 * THREADS; i++)
        for (j = 0; j < 3; j++) {
            struct cell c = grid[i][j];
            shared [] struct pt *sp = grid[i][j].p;
            CHECK(c.n == i * 3 + j && grid[i][j].n == c.n);
            CHECK(c.p[3].z == 3 && sp[2].y == j && (*(sp + 1)).x == i && sp->z == 0);
            CHECK(grid[i][j].u.d == i + j / 4. && c.u.d == grid[i][j].u.d);
            CHECK(grid[i][j].f1 == (j ^ 1) && grid[i][j].f2 == i + 1 && grid[i][j].f3 == -i - 3);
            CHECK(c.f1 == (j ^ 1) && c.f3 == -i - 3);
            CHECK(grid[i][j].in.s[1][2] == 15 && *(*(grid[i][j].in.s + 1) + 1) == 4);
            CHECK(upc_threadof(&grid[i][j]) == (i * 3 + j) / 2 % THREADS);
        }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        one = grid[1][1];
        one.u.l = 42;
        one.p[1] = one.p[2];
    }
    upc_forall(i = 0; i < 10 * THREADS; i++; &nodes[i])
    {
        nodes[i].v = i;
        nodes[i].next = i + 1 < 10 * THREADS ? &nodes[i + 1] : NULL;
    }
    upc_barrier;
    CHECK(one.u.l == 42 && one.p[1].z == 2 && one.n == 4);
    {
        shared struct list *p;
        int s = 0, n = 0;
        for (p = nodes; p; p = p->next) s += p->v, n++;
        CHECK(n == 10 * THREADS && s == n * (n - 1) / 2);
        CHECK(nodes[0].next->next->v == 2 && (*nodes[0].next).next->next == &nodes[3]);
    }
    return finish();
}
