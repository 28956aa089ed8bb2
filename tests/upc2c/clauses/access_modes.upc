/* SPDX-License-Identifier: BSD-3-Clause */
/* Strict flags, pragmas and _Pragma, and barriers as statements everywhere. */
#include <upc_relaxed.h>
#include "check.h"
strict shared int flag[THREADS];
shared int data[THREADS];
volatile shared int vs[THREADS];
shared volatile strict int sv;
typedef strict shared int flag_t;
flag_t turn;
relaxed shared int rel[THREADS];
shared strict int *sp;
static void pass(strict shared int *f, int v) { *f = v; }
static void wait_for(strict shared int *f, int v)
{
    while (*f != v)
        ;
}
#define SYNC_BLOCK _Pragma("upc strict")
int main(void)
{
    int i;
    data[MYTHREAD] = MYTHREAD + 1;
    pass(&flag[MYTHREAD], 1);
    wait_for(&flag[(MYTHREAD + 1) % THREADS], 1);
    CHECK(data[(MYTHREAD + 1) % THREADS] == (MYTHREAD + 1) % THREADS + 1);
    for (i = 0; i < THREADS; i++) {
        if (i == MYTHREAD) {
            CHECK(turn == i);
            turn++;
        } else
            while (turn <= i)
                ;
    }
    {
#pragma upc strict
        vs[MYTHREAD] = 5;
        while (vs[(MYTHREAD + 1) % THREADS] != 5)
            ;
    }
    {
        SYNC_BLOCK rel[MYTHREAD] = 1;
        while (!rel[(MYTHREAD + 1) % THREADS])
            ;
    }
    sp = &flag[0];
    upc_fence;
    CHECK(*sp == 1);
    upc_notify 3;
    data[MYTHREAD]++;
    upc_wait 3;
    upc_notify;
    {
        int q = 0;
        for (i = 0; i < 10; i++) q += i;
        CHECK(q == 45);
    }
    upc_wait;
    upc_notify(MYTHREAD, 4);
    upc_wait 2 + 2;
    upc_barrier(1);
    upc_barrier - 1;
    upc_barrier sizeof(int) == 4 ? 1 : 2;
    upc_barrier 'a';
    if (THREADS > 0)
        upc_barrier;
    else
        upc_fence;
    for (i = 0; i < 3; i++) upc_barrier i;
    i = 0;
    do upc_barrier;
    while (++i < 2);
lab:
    upc_fence;
    if (++i < 5) goto lab;
    switch (i) {
    case 5:
        upc_barrier;
        break;
    default:
        upc_barrier;
    }
    return finish();
}
