/* SPDX-License-Identifier: BSD-3-Clause */
/* flags.upc as the upc2c translator writes it: upcr.h and the source's own headers, lower-case calls,
 * values passed through temporaries with comma expressions. */
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

upcr_shared_ptr_t box;
upcr_pshared_ptr_t ready;
upcr_pshared_ptr_t taken;
upcr_pshared_ptr_t sum;
void UPCRI_ALLOC_flags_1907738514(void) {
    UPCR_BEGIN_FUNCTION();
    upcr_startup_shalloc_t _bupc_info[] = { UPCRT_STARTUP_SHALLOC(box, 32, 1, 1, 8, "A4H_R4_d") };
    upcr_startup_pshalloc_t _bupc_pinfo[] = { UPCRT_STARTUP_PSHALLOC(ready, 4, 1, 1, 4, "A1H_R1_S_i"), UPCRT_STARTUP_PSHALLOC(taken, 4, 1, 1, 4, "A1H_R1_S_i"), UPCRT_STARTUP_PSHALLOC(sum, 8, 1, 0, 8, "R1_d") };
    UPCR_SET_SRCPOS("_flags_1907738514_ALLOC", 0);
    upcr_startup_shalloc(_bupc_info, sizeof(_bupc_info) / sizeof(upcr_startup_shalloc_t));
    upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}
void UPCRI_INIT_flags_1907738514(void) {
    UPCR_BEGIN_FUNCTION();
    UPCR_SET_SRCPOS("_flags_1907738514_INIT", 0);
}
int user_main(void) {
    UPCR_BEGIN_FUNCTION();
    double _bupc_spillld0;
    int _bupc_spillld1;
    int _bupc_spillst2;
    int _bupc_spillld3;
    double _bupc_spillst4;
    int _bupc_spillst5;
    double _bupc_spillst6;
    double _bupc_spillld7;
    double _bupc_spillld8;
    double item[4], expected = 0., mine = 0.;
    int i, k, next = ((int)upcr_mythread()) + 1;
    for (i = 1; i <= 40; i++) {
        if (((int)upcr_mythread()) == 0) {
            for (k = 0; k < 4; k++)
                item[k] = i * 100 + k;
        } else {
            while ((upcr_get_pshared_strict(&_bupc_spillld1, upcr_add_pshared1(ready, 4UL, ((int)upcr_mythread())), 0, 4UL) , _bupc_spillld1) != i)
                ;
            for (k = 0; k < 4; k++)
                item[k] = (upcr_get_shared(&_bupc_spillld0, upcr_add_shared(box, 8UL, 4 * ((int)upcr_mythread()) + k, 4UL), 0, 8UL) , _bupc_spillld0);
            (_bupc_spillst2 = i , upcr_put_pshared_strict(upcr_add_pshared1(taken, 4UL, ((int)upcr_mythread())), 0, &_bupc_spillst2, 4UL) , _bupc_spillst2);
        }
        if (next < ((int)upcr_threads())) {
            while ((upcr_get_pshared_strict(&_bupc_spillld3, upcr_add_pshared1(taken, 4UL, next), 0, 4UL) , _bupc_spillld3) != i - 1)
                ;
            for (k = 0; k < 4; k++)
                (_bupc_spillst4 = item[k] + 1 , upcr_put_shared(upcr_add_shared(box, 8UL, 4 * next + k, 4UL), 0, &_bupc_spillst4, 8UL) , _bupc_spillst4);
            (_bupc_spillst5 = i , upcr_put_pshared_strict(upcr_add_pshared1(ready, 4UL, next), 0, &_bupc_spillst5, 4UL) , _bupc_spillst5);
        } else {
            for (k = 0; k < 4; k++)
                mine += item[k];
        }
    }
    if (next == ((int)upcr_threads()))
        (_bupc_spillst6 = mine , upcr_put_pshared(sum, 0, &_bupc_spillst6, 8UL) , _bupc_spillst6);
    (upcr_barrier(-1907738513, 1));
    if (((int)upcr_mythread()) == 0) {
        for (i = 1; i <= 40; i++)
            for (k = 0; k < 4; k++)
                expected += i * 100 + k + (((int)upcr_threads()) - 1);
        printf("%d items through the pipeline\n", 40);
        if ((upcr_get_pshared(&_bupc_spillld7, sum, 0, 8UL) , _bupc_spillld7) == expected)
            printf("done\n");
        else
            printf("FAILED: sum %g instead of %g\n", (upcr_get_pshared(&_bupc_spillld8, sum, 0, 8UL) , _bupc_spillld8), expected);
    }
    {
        UPCR_EXIT_FUNCTION();
        return 0;
    }
}
