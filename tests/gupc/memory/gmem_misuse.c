/* SPDX-License-Identifier: BSD-3-Clause */
/* gmem_misuse CASE: one mistake with the gmem layer, which ends the job with a message (gmem.cmake has it). */
#include <stdlib.h>
#include <upcr/gmem.h>

#include "tests/spmd/spmd.h"

static int mistake;

static void run(void) {
    char data[16] = "";
    upcr_gmem_addr_t there = upcr_sptr_to_gmem_addr(spmd_alloc(64)), end = there, invalid = there;
    end.offset = upcri_window.segment_bytes - 8;
    invalid.thread = upcr_threads();
    if (upcr_mythread() == 0) {
        upcr_gmem_handle_t handle = UPCR_INVALID_HANDLE;
        switch (mistake) {
        case 0: upcr_gmem_get(data, invalid, 1); break;
        case 1: upcr_gmem_put(end, data, 9); break;
        case 2: upcr_gmem_copy(there, end, 9); break;
        case 3: upcr_gmem_set(end, 0, SIZE_MAX); break;
        case 4: handle = upcr_gmem_get_nh(data, invalid, 1); break;
        case 5: handle = upcr_gmem_put_nh(end, data, 9); break;
        case 6: upcr_error("text of the program"); break;
        case 7: /* debug */
            handle = upcr_gmem_put_nh(there, data, 8);
            for (int i = 0; i < 2; ++i) {
                upcr_gmem_handle_t again = handle;
                upcr_gmem_wait_all_nh(&again, 1);
            }
            break;
        }
        (void)handle;
    }
    spmd_barrier();
}

static int start(int argc, char **argv) {
    if (argc == 2) mistake = atoi(argv[1]);
    run();
    return 0;
}

int main(int argc, char **argv) {
    bupc_init_reentrant(&argc, &argv, &start);
    return 99; /* not reached */
}
