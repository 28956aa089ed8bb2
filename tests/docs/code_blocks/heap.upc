/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/how-to/sizes.md: 100 MiB of each thread's shared memory, allocated by thread 0. */
#include <upc_relaxed.h>

int main(void) {
    if (MYTHREAD == 0) return upc_global_alloc(THREADS, 100 << 20) == NULL;
    return 0;
}
