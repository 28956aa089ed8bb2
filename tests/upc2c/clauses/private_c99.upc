/* SPDX-License-Identifier: BSD-3-Clause */
/* C99 and GNU C 99 in one file: variadic macros, #line, compound literals of pointers-to-shared. */
#include "check.h"
#define EMPTY
#define VAR(...) (sizeof((int[]){__VA_ARGS__}) / sizeof(int))
#define LOG(fmt, ...) sprintf(buf, fmt, ##__VA_ARGS__)
EMPTY shared EMPTY[2 EMPTY] int EMPTY a EMPTY[2 * THREADS EMPTY];
struct {
    int n;
    shared [2] int *p;
} priv[] = {{1, a}, {2, a + 1}, [4] = {.p = a}};
shared int (*fa[3])[2], grid[THREADS][2];
char buf[99];
inline static int il(shared int (*p)[2], int i, int j) { return p[i][j]; }
int printf(const char *, ...);
static int multi(int n, shared int (*p)[n]) { return n; }
#ifdef __STDC_VERSION__
int ver = __STDC_VERSION__ > 0;
#endif
#line 100 "other.upc"
static int where(void) { return __LINE__; }
#line 17 "std_a.upc"
int main(int argc, char *argv[], char *envp[])
{
    int i;
    for (int j = 0; j < 2; j++) {
        a[2 * MYTHREAD + j] = j;
        grid[MYTHREAD][j] = MYTHREAD + j;
    }
    upc_barrier;
    CHECK(VAR(1, 2, 3) == 3 && LOG("x") == 1 && LOG("%d%d", a[1], a[0]) == 2 && buf[0] == '1' && ver &&
          where() == 100 && sizeof priv / sizeof *priv == 5 && *priv[1].p == 1 && priv[4].p == priv[0].p &&
          il(grid, THREADS - 1, 1) == THREADS);
    fa[1] = grid;
    CHECK(fa[1][0][1] == 1 && (*fa[1])[1] == 1 && argc >= 1 && argv[0] && envp);
    (void)i;
    for (i = 0; i < THREADS; i++) {
        if (i == MYTHREAD) {
            CHECK(sizeof(struct {
                      shared int *p;
                      char c;
                  }) >= sizeof(shared int *) + 1);
        } else
            continue;
    }
    {
        struct {
            shared int *p;
        } x = {grid[0]}, y;
        y = x;
        CHECK(y.p == x.p && y.p[0] == 0);
    }
    {
        union {
            shared int *p;
            long l[4];
        } u = {.p = grid[0]};
        CHECK(*u.p == 0);
    }
    {
        shared int *ar[2][2] = {{grid[0]}, {0, &grid[0][1]}};
        CHECK(*ar[1][1] == 1 && !ar[0][1]);
    }
    {
        const shared int *const restrict cp = grid[0];
        shared int *volatile vp = grid[0];
        vp++;
        CHECK(cp[0] == 0 && vp - cp == 1);
    }
    {
        shared int **m = (shared int *[3]){grid[0], 0};
        CHECK(m[0] == grid[0] && !m[1]);
    }
    {
        unsigned char t = upc_threadof(grid[THREADS - 1]);
        CHECK(t == (THREADS - 1) * 2 % THREADS);
    }
    {
        int v = 0;
        v += a[1] ? a[1] : 2;
        v = v << a[1] | a[0] & 3;
        CHECK(v == 2);
        if (a[0])
            ;
        else if (a[1])
            v = 9;
        else
            ;
        CHECK(v == 9);
    }
    return finish();
}
