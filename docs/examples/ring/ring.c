/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.upc as an older whirl2c translator writes it for a static number of threads: THREADS is the number 4
 * all over, descriptors of shared variables have four fields, thread-local data goes by its plain name, so
 * that each UPC thread is a process. */
/* --- UPC-to-C translator output: release 2.14.0, static threads 4 --- */
/* --- UPC Runtime specification expected: 3.6 --- */

#define UPCR_WANT_MAJOR 3
#define UPCR_WANT_MINOR 6
#include "upcr.h"
#include "whirl2c.h"
#include "upcr_proxy.h"
#include</usr/local/berkeley_upc/opt/include/upcr_config.h>
#include</usr/local/berkeley_upc/opt/include/portable_platform.h>
#include</usr/local/berkeley_upc/opt/include/upcr_preinclude/upc_bits.h>
#include "upcr_geninclude/stdio.h"

#ifndef UPCR_TRANS_EXTRA_INCL
#define UPCR_TRANS_EXTRA_INCL
int32_t UPCR_TLD_DEFINE_TENTATIVE(upcrt_forall_control, 4, 4);
#undef upcr_forall_control
#define upcr_forall_control upcrt_forall_control
#ifndef UPCR_EXIT_FUNCTION
#define UPCR_EXIT_FUNCTION() ((void)0)
#endif
#define UPCRT_STARTUP_SHALLOC(sptr, blockbytes, numblocks, mult_by_threads, elemsz, typestr) \
  { &(sptr), (blockbytes), (numblocks), (mult_by_threads) }
#define UPCRT_STARTUP_PSHALLOC UPCRT_STARTUP_SHALLOC
extern int upcrt_gcd(int _a, int _b);
extern int _upcrt_forall_start(int _start_thread, int _step, int _lo UPCRI_PT_ARG);
#define upcrt_forall_start(start_thread, step, lo) \
  (upcri_srcpos(), _upcrt_forall_start(start_thread, step, lo))
#endif

#define UPCR_SHARED_SIZE_ 8
#define UPCR_PSHARED_SIZE_ 8

upcr_pshared_ptr_t held;
upcr_pshared_ptr_t sums;
int UPCR_TLD_DEFINE(steps, 4, 4) = 0;

void UPCRI_ALLOC_ring_3377401288() {
UPCR_BEGIN_FUNCTION();

upcr_startup_pshalloc_t _bupc_pinfo[] = {
UPCRT_STARTUP_PSHALLOC(held, 4, 8, 0, 4, "A2_A4_R1_i"),
UPCRT_STARTUP_PSHALLOC(sums, 32, 1, 0, 8, "A4_R0_l"),
 };

UPCR_SET_SRCPOS("_ring_3377401288_ALLOC",0);
upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}

void UPCRI_INIT_ring_3377401288() {
UPCR_BEGIN_FUNCTION();
UPCR_SET_SRCPOS("_ring_3377401288_INIT",0);
}

extern int user_main()
#line 13 "ring.upc"
{
#line 13 "ring.upc"
  UPCR_BEGIN_FUNCTION();
  register _INT32 _bupc_reg0;
  int i;
  int wrong;
  int right;
  long sum;
  long expected;
  int mine;
  int _bupc__spillld0;
  long _bupc__spillld1;
  upcr_pshared_ptr_t _bupc_Mptra2;

#line 15 "ring.upc"
  wrong = 0;
  right = _I4MOD(((int) upcr_mythread () ) + 1, 4);
#line 16 "ring.upc"
  sum = 0LL;
  expected = 0LL;
#line 18 "ring.upc"
  if(upcr_forall_control != 0)
  {
    for(i = 0; i <= 3; i = i + 1)
    {
      _bupc_Mptra2 = UPCR_ADD_PSHARED1(held, 4ULL, i);
      UPCR_PUT_PSHARED_VAL(_bupc_Mptra2, 0, (i * i) + 1, 4);
    }
  }
  else
  {
    upcr_forall_control = 1;
    for(i = upcrt_forall_start(0, 1, 0); i <= 3; i = i + 4)
    {
      _bupc_Mptra2 = UPCR_ADD_PSHARED1(held, 4ULL, i);
      UPCR_PUT_PSHARED_VAL(_bupc_Mptra2, 0, (i * i) + 1, 4);
    }
    upcr_forall_control = 0;
  }
#line 19 "ring.upc"
  upcr_barrier(-1563124070, 1);
#line 20 "ring.upc"
  for(i = 0; i <= 3; i = i + 1)
  {
    _bupc_Mptra2 = UPCR_ADD_PSHARED1(held, 4ULL, (_I4MOD(steps, 2) * 4) + ((int) upcr_mythread () ));
    UPCR_GET_PSHARED(&mine, _bupc_Mptra2, 0, 4);
#line 22 "ring.upc"
    _bupc_reg0 = _I4MOD(steps + 1, 2);
    _bupc_Mptra2 = UPCR_ADD_PSHARED1(held, 4ULL, _U4SHL(_bupc_reg0, 2) + right);
    UPCR_PUT_PSHARED(_bupc_Mptra2, 0, &mine, 4);
#line 23 "ring.upc"
    upcr_notify(i, 0);
    sum = sum + (_INT64)(mine);
    steps = steps + 1;
#line 26 "ring.upc"
    upcr_wait(i, 0);
  }
#line 28 "ring.upc"
  _bupc_Mptra2 = UPCR_ADD_PSHAREDI(sums, 8ULL, ((int) upcr_mythread () ));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra2, 0, sum, 8);
#line 29 "ring.upc"
  upcr_barrier(-1563124069, 1);
  if(((int) upcr_mythread () ) == 0)
  {
#line 31 "ring.upc"
    for(i = 0; i <= 3; i = i + 1)
    {
      expected = expected + (_INT64)((i * i) + 1);
    }
    for(i = 0; i <= 3; i = i + 1)
    {
#line 33 "ring.upc"
      _bupc_Mptra2 = UPCR_ADD_PSHAREDI(sums, 8ULL, i);
      _bupc__spillld1 = (long) UPCR_GET_PSHARED_VAL(_bupc_Mptra2, 0, 8);
      printf("thread %d: %d steps, sum %ld\n", i, steps, _bupc__spillld1);
      _bupc_Mptra2 = UPCR_ADD_PSHAREDI(sums, 8ULL, i);
      _bupc__spillld1 = (long) UPCR_GET_PSHARED_VAL(_bupc_Mptra2, 0, 8);
      wrong = wrong + (_bupc__spillld1 != expected);
    }
#line 36 "ring.upc"
    _bupc__spillld0 = (wrong == 0) && (steps == 4);
    printf((_bupc__spillld0 != 0) ? "done\n" : "FAILED\n");
  }
#line 38 "ring.upc"
  UPCR_EXIT_FUNCTION();
  return wrong;
} /* user_main */

#line 1 "_SYSTEM"
/**************************************************************************/
/* upcc-generated strings for configuration consistency checks            */

GASNETT_IDENT(UPCRI_IdentString_ring_o_3377401288_1,
 "$GASNetConfig: (ring.o) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(UPCRI_IdentString_ring_o_3377401288_2,
 "$UPCRConfig: (ring.o) " UPCR_CONFIG_STRING UPCRI_THREADCONFIG_STR " $");
GASNETT_IDENT(UPCRI_IdentString_ring_o_3377401288_3,
 "$UPCRBackendCompiler: (ring.o) " _STRINGIFY(UPCRI_CC) " $");
/**************************************************************************/
