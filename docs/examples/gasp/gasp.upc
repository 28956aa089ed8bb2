/* SPDX-License-Identifier: BSD-3-Clause */
#include <upc_relaxed.h>
#include <pupc.h>
#include <stdio.h>

shared [10] int row[10 * THREADS];

int main(void)
{
    int i, copy[10], next = (MYTHREAD + 1) % THREADS, sum = 0;
    unsigned mark = pupc_create_event("mark", "%d");
    upc_barrier;
    for (i = 0; i < 10; i++)
        row[10 * next + i] = MYTHREAD + i;
    upc_barrier;
    pupc_event_atomic(mark, next);
    upc_memget(copy, &row[10 * next], sizeof copy);
    pupc_control(0);
    for (i = 0; i < 10; i++)
        sum += copy[i] - row[10 * next + i];
    pupc_control(1);
    upc_barrier;
    if (MYTHREAD == 0)
        puts(sum == 0 ? "done" : "FAILED");
    return 0;
}
