/* SPDX-License-Identifier: BSD-3-Clause */
/* main.upc as the upc2c translator writes it for pthreads. */
#include <upcr.h>

#ifndef UPCR_TRANS_EXTRA_INCL
#define UPCR_TRANS_EXTRA_INCL
#define __builtin_va_arg(_a1,_a2) va_arg(_a1,_a2)
#define __builtin_offsetof(_a1,_a2) offsetof(_a1,_a2)
int32_t UPCR_TLD_DEFINE_TENTATIVE(upcrt_forall_control, 4, 4);
#define upcr_forall_control upcrt_forall_control
#ifndef UPCR_EXIT_FUNCTION
#define UPCR_EXIT_FUNCTION() ((void)0)
#endif
#define UPCRT_STARTUP_SHALLOC(sptr, blockbytes, numblocks, mult_by_threads, elemsz, typestr) \
      { &(sptr), (blockbytes), (numblocks), (mult_by_threads), (elemsz), #sptr, (typestr) }
#define UPCRT_STARTUP_PSHALLOC UPCRT_STARTUP_SHALLOC
#endif
#include <stdio.h>
#include <stdlib.h>
#include "util.h"

upcr_shared_ptr_t table;
int UPCR_TLD_DEFINE_TENTATIVE(rounds, 4, 4);
extern void part_fill(int seed);
extern long part_collect(long mine);
void UPCRI_ALLOC_main_2086340917(void) {
    UPCR_BEGIN_FUNCTION();
    upcr_startup_shalloc_t _bupc_info[] = { UPCRT_STARTUP_SHALLOC(table, 32, 1, 1, 4, "A8H_R8_i") };
    UPCR_SET_SRCPOS("_main_2086340917_ALLOC", 0);
    upcr_startup_shalloc(_bupc_info, sizeof(_bupc_info) / sizeof(upcr_startup_shalloc_t));
}
void UPCRI_INIT_main_2086340917(void) {
    UPCR_BEGIN_FUNCTION();
    UPCR_SET_SRCPOS("_main_2086340917_INIT", 0);
}
int user_main(void) {
    UPCR_BEGIN_FUNCTION();
    int values[8], expected[8], i, r, right = (((int)upcr_mythread()) + 1) % ((int)upcr_threads());
    long wrong = 0;
    (*((int*)UPCR_TLD_ADDR(rounds))) = 2 + ((int)upcr_mythread()) % 3;
    part_fill(100 + ((int)upcr_mythread()));
    (upcr_barrier(2086340918, 1));
    upc_memget(values, upcr_add_shared(table, 4UL, 8 * right, 8UL), sizeof (values));
    srand(100 + right);
    for (r = 0; r < 2 + right % 3; r++)
        for (i = 0; i < 8; i++)
            expected[i] = rand() % 1000;
    wrong = checksum(values, 8) != checksum(expected, 8);
    wrong = part_collect(wrong);
    if (((int)upcr_mythread()) == 0) {
        if (wrong == 0)
            printf("done\n");
        else
            printf("FAILED: %ld blocks\n", wrong);
    }
    exit(wrong != 0);
}
