/* SPDX-License-Identifier: BSD-3-Clause */
/* part.upc as the upc2c translator writes it for pthreads. */
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
#include <stdlib.h>
#include "util.h"

extern upcr_shared_ptr_t table;
upcr_pshared_ptr_t counts;
upcr_pshared_ptr_t start = UPCR_INITIALIZED_PSHARED;
int UPCR_TLD_DEFINE_TENTATIVE(rounds, 4, 4);
void UPCRI_ALLOC_part_3150662439(void) {
    UPCR_BEGIN_FUNCTION();
    upcr_startup_pshalloc_t _bupc_pinfo[] = { UPCRT_STARTUP_PSHALLOC(counts, 8, 1, 1, 8, "A1H_R1_l"), UPCRT_STARTUP_PSHALLOC(start, 8, 1, 0, 8, "R1_l") };
    UPCR_SET_SRCPOS("_part_3150662439_ALLOC", 0);
    upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}
void UPCRI_INIT_part_3150662439(void) {
    UPCR_BEGIN_FUNCTION();
    UPCR_SET_SRCPOS("_part_3150662439_INIT", 0);
    if (upcr_mythread() == 0) {
        long _bupc_initval_start = 1000;
        upcr_put_pshared(start, 0, &_bupc_initval_start, 8UL);
    }
}
void part_fill(int seed) {
    UPCR_BEGIN_FUNCTION();
    int _bupc_spillst0;
    int r, i;
    srand(seed);
    for (r = 0; r < (*((int*)UPCR_TLD_ADDR(rounds))); r++)
        for (i = 0; i < 8; i++)
            (_bupc_spillst0 = rand() % 1000 , upcr_put_shared_strict(upcr_add_shared(table, 4UL, 8 * ((int)upcr_mythread()) + i, 8UL), 0, &_bupc_spillst0, 4UL) , _bupc_spillst0);
    UPCR_EXIT_FUNCTION();
}
long part_collect(long mine) {
    UPCR_BEGIN_FUNCTION();
    long _bupc_spillst0;
    long sum = -((long)upcr_get_pshared_val_strict(start, 0, 8UL));
    int i;
    (_bupc_spillst0 = mine + (((int)upcr_mythread()) == 0 ? ((long)upcr_get_pshared_val_strict(start, 0, 8UL)) : 0) , upcr_put_pshared_strict(upcr_add_pshared1(counts, 8UL, ((int)upcr_mythread())), 0, &_bupc_spillst0, 8UL) , _bupc_spillst0);
    (upcr_barrier(-1144304856, 1));
    for (i = 0; i < ((int)upcr_threads()); i++)
        sum += ((long)upcr_get_pshared_val_strict(upcr_add_pshared1(counts, 8UL, i), 0, 8UL));
    {
        UPCR_EXIT_FUNCTION();
        return sum;
    }
}
