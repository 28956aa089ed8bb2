/* SPDX-License-Identifier: BSD-3-Clause */
#include <upc_relaxed.h>
/* docs/how-to/hang.md: thread 1 does not come to the barrier of line 7, if there is an argument. */
int main(int count, char **arguments) {
    volatile int busy = MYTHREAD == 1 && count > 1; upc_barrier;
    while (busy) (void)arguments;
    upc_barrier;
    return 0;
}
