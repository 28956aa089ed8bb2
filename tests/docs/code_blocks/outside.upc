/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/how-to/debugging.md: thread 1 runs out of its own shared memory, by a pointer to it. */
#include <upc_relaxed.h>

shared char own[THREADS]; /* the offset that is shown is of the thread's memory, not of this */

int main(void) {
    volatile char *p = (char *)&own[MYTHREAD];
    upc_barrier;
    if (MYTHREAD == 1) p[0x100001000 - upc_addrfield(&own[1])] = 1;
    upc_barrier;
    return 0;
}
