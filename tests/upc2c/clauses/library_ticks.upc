/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.9: high-performance wall-clock timers. */
#include <upc.h>
#include <upc_tick.h>
#include <stdio.h>
int main(void) {
    upc_tick_t begin = upc_ticks_now(), end;
    do end = upc_ticks_now();
    while (upc_ticks_to_ns(end - begin) < 1000);
    if (end < begin) return 1;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
