/* SPDX-License-Identifier: BSD-3-Clause */
/* Static structures and unions that are defined where the variable is declared, without an initial value: with pthreads
   each thread has its own. */
#include "check.h"
static union {
    char c;
    int i;
} number;
static struct point {
    int x, y;
} start, *where = &start, path[2];
static struct __attribute__((packed)) {
    char c;
    struct {
        int i;
    } inner;
} packed;
static enum color { RED, BLUE } color;
static int list[] = {1, 2}, behind;
static int twice(int n) { return 2 * n; }
int of_all, of_all_too;
static
    struct {
    int i;
} apart;

int main(void)
{
    static union {
        int i;
        float x;
    } local;
    local.i = number.i = start.x = path[1].y = packed.inner.i = behind = of_all = apart.i = MYTHREAD;
    where = &start;
    color = MYTHREAD ? BLUE : RED;
    upc_barrier;
    CHECK(number.i == MYTHREAD && where->x == MYTHREAD && path[1].y == MYTHREAD && packed.inner.i == MYTHREAD);
    CHECK(behind == MYTHREAD && of_all == MYTHREAD && apart.i == MYTHREAD && local.i == MYTHREAD);
    CHECK(color == (MYTHREAD != 0) && list[1] == 2 && of_all_too == 0 && twice(behind) == 2 * MYTHREAD);
    return finish();
}
