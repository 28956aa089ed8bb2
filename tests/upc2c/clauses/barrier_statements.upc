/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.6.1: barriers with and without values of every arithmetic type, split-phase ones, fences. */
#include "check.h"

shared int step[THREADS], value = 7;
strict shared int turn;
relaxed shared int data;
enum { seven = 7 };
static int evaluated;
static int name(void) { return ++evaluated; }

/* All threads have come to this step. */
static void expect(int n)
{
    int i;
    for (i = 0; i < THREADS; i++) CHECK(step[i] == n);
}

int main(void)
{
    int i = 3;
    step[MYTHREAD] = 1; upc_barrier; expect(1); upc_barrier;
    step[MYTHREAD] = 2; upc_barrier 5; expect(2); upc_barrier (6);
    step[MYTHREAD] = 3; upc_notify; upc_wait; expect(3); upc_notify 4; upc_wait 4;
    step[MYTHREAD] = 4; upc_notify i + 1; i = 4; upc_wait i; expect(4); upc_barrier value;
    step[MYTHREAD] = 5; upc_barrier 2.75; expect(5); upc_barrier seven;
    step[MYTHREAD] = 6; upc_barrier name(); expect(6); CHECK(evaluated == 1);
    upc_notify name(); upc_wait name() - 1; CHECK(evaluated == 3);
    upc_barrier (char)300; upc_barrier 'x'; upc_barrier 1LL << 40; upc_barrier i ? 1 : 2; upc_barrier i, 5;
    if (i) upc_barrier; else upc_barrier 1;
    if (!i) upc_barrier 1; else upc_notify; 
    upc_wait;
    for (i = 0; i < 3; i++) upc_barrier i;
    do upc_barrier i--; while (i);
    while (i++ < 2) upc_barrier;
    switch (i) { case 3: upc_barrier 3; break; default: CHECK(0); }
    goto label;
label: upc_barrier;
    upc_fence;
    if (MYTHREAD == 0) { data = 42; turn = 1; } else { while (!turn) ; CHECK(data == 42); }
    if (i) upc_fence; else upc_fence;
    upc_barrier;
    /* A thread's own accesses between notify and wait. */
    upc_notify;
    step[MYTHREAD] = 9; CHECK(step[MYTHREAD] == 9); upc_fence;
    upc_wait;
    return finish();
}
