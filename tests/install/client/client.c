/* SPDX-License-Identifier: BSD-3-Clause */
/* A C program that uses the runtime directly: every thread puts its number + 1 to thread 0. */
#include <stdio.h>
#include <upcr.h>

int main(int argc, char **argv) {
    upcr_shared_ptr_t slots, p;
    upcr_thread_t me, n, t;
    unsigned sum = 0, value;

    bupc_init(&argc, &argv);
    me = upcr_mythread();
    n = upcr_threads();
    slots = upcr_all_alloc(1, n * sizeof value); /* one block: all of it on thread 0 */
    value = me + 1;
    upcr_put_shared(slots, (ptrdiff_t)(me * sizeof value), &value, sizeof value);
    upcr_barrier(1, 0);
    if (me == 0) {
        for (t = 0; t < n; ++t) {
            upcr_get_shared(&value, slots, (ptrdiff_t)(t * sizeof value), sizeof value);
            sum += value;
        }
        printf("sum %u of %u threads\n", sum, n);
    }
    p = slots;
    upcr_barrier(2, 0);
    if (me == 0) upcr_free(p);
    bupc_exit(0);
    return 0;
}
