/* SPDX-License-Identifier: BSD-3-Clause */
/* gasp.upc as the upc2c translator writes it: upcr.h and the source's own headers, lower-case calls. */
#include <upcr.h>

#ifndef UPCR_TRANS_EXTRA_INCL
#define UPCR_TRANS_EXTRA_INCL
int32_t UPCR_TLD_DEFINE_TENTATIVE(upcrt_forall_control, 4, 4);
#define upcr_forall_control upcrt_forall_control
#define UPCRT_STARTUP_SHALLOC(sptr, blockbytes, numblocks, mult_by_threads, elemsz, typestr) \
      { &(sptr), (blockbytes), (numblocks), (mult_by_threads), (elemsz), #sptr, (typestr) }
#endif
#include <stdio.h>

upcr_shared_ptr_t row;
void UPCRI_ALLOC_gasp_1(void) {
    UPCR_BEGIN_FUNCTION();
    upcr_startup_shalloc_t _bupc_info[] = { UPCRT_STARTUP_SHALLOC(row, 40, 1, 1, 4, "A10H_R10_i") };
    UPCR_SET_SRCPOS("_gasp_1_ALLOC", 0);
    upcr_startup_shalloc(_bupc_info, sizeof(_bupc_info) / sizeof(upcr_startup_shalloc_t));
}
int user_main(void) {
    UPCR_BEGIN_FUNCTION();
    int _bupc_spillld0;
    int _bupc_spillst1;
#line 10 "gasp.upc"
    int i, copy[10], next = (((int)upcr_mythread()) + 1) % ((int)upcr_threads()), sum = 0;
    unsigned mark = pupc_create_event("mark", "%d");
    upcr_barrier(0, 1);
    for (i = 0; i < 10; i++)
        (_bupc_spillst1 = ((int)upcr_mythread()) + i , upcr_put_shared(upcr_add_shared(row, 4UL, 10 * next + i, 10UL), 0, &_bupc_spillst1, 4UL) , _bupc_spillst1);
    upcr_barrier(0, 1);
    pupc_event_atomic(mark, next);
    upc_memget(copy, upcr_add_shared(row, 4UL, 10 * next, 10UL), sizeof copy);
    pupc_control(0);
    for (i = 0; i < 10; i++)
        sum += copy[i] - (upcr_get_shared(&_bupc_spillld0, upcr_add_shared(row, 4UL, 10 * next + i, 10UL), 0, 4UL) , _bupc_spillld0);
    pupc_control(1);
    upcr_barrier(0, 1);
    if (((int)upcr_mythread()) == 0)
        puts(sum == 0 ? "done" : "FAILED");
    UPCR_EXIT_FUNCTION();
    return 0;
}
