/* SPDX-License-Identifier: BSD-3-Clause */
/* hello.upc as a whirl2c translator writes it for pthreads: each unshared variable is defined with
 * UPCR_TLD_DEFINE and reached with UPCR_TLD_ADDR. */
/* --- UPC-to-C translator output: release 2.28.0, pthreads --- */
/* --- UPC Runtime specification expected: 3.6 --- */

#define UPCR_WANT_MAJOR 3
#define UPCR_WANT_MINOR 6
#include "upcr.h"
#include "whirl2c.h"
#include "upcr_proxy.h"
#include</usr/local/berkeley_upc/opt/include/upcr_preinclude/upc_types.h>
#include</usr/local/berkeley_upc/opt/include/upcr_preinclude/upc_bits.h>
#include "upcr_geninclude/stdio.h"
#include "upcr_geninclude/string.h"

#ifndef UPCR_TRANS_EXTRA_INCL
#define UPCR_TRANS_EXTRA_INCL
int32_t UPCR_TLD_DEFINE_TENTATIVE(upcrt_forall_control, 4, 4);
#undef upcr_forall_control
#define upcr_forall_control upcrt_forall_control
#ifndef UPCR_EXIT_FUNCTION
#define UPCR_EXIT_FUNCTION() ((void)0)
#endif
#if UPCR_RUNTIME_SPEC_MAJOR > 3 || (UPCR_RUNTIME_SPEC_MAJOR == 3 && UPCR_RUNTIME_SPEC_MINOR >= 8)
#define UPCRT_STARTUP_SHALLOC(sptr, blockbytes, numblocks, mult_by_threads, elemsz, typestr) \
  { &(sptr), (blockbytes), (numblocks), (mult_by_threads), (elemsz), #sptr, (typestr) }
#else
#define UPCRT_STARTUP_SHALLOC(sptr, blockbytes, numblocks, mult_by_threads, elemsz, typestr) \
  { &(sptr), (blockbytes), (numblocks), (mult_by_threads) }
#endif
#define UPCRT_STARTUP_PSHALLOC UPCRT_STARTUP_SHALLOC
#endif

#define UPCR_SHARED_SIZE_ 8
#define UPCR_PSHARED_SIZE_ 8

int UPCR_TLD_DEFINE(visits, 4, 4) = 5;
static char UPCR_TLD_DEFINE(greeting, 32, 1)[32LL] = "hello from UPC thread";
double UPCR_TLD_DEFINE_TENTATIVE(history, 24, 8)[3LL];
upcr_pshared_ptr_t total;
upcr_pshared_ptr_t seen;
static int UPCR_TLD_DEFINE(_bupc_calls_next_0, 4, 4) = 100;

void UPCRI_ALLOC_hello_845517096(void) {
UPCR_BEGIN_FUNCTION();

upcr_startup_pshalloc_t _bupc_pinfo[] = {
UPCRT_STARTUP_PSHALLOC(total, 4, 1, 0, 4, "R1_i"),
UPCRT_STARTUP_PSHALLOC(seen, 4, 1, 1, 4, "A1H_R1_i"),
 };

UPCR_SET_SRCPOS("_hello_845517096_ALLOC",0);
upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}

void UPCRI_INIT_hello_845517096(void) {
UPCR_BEGIN_FUNCTION();
UPCR_SET_SRCPOS("_hello_845517096_INIT",0);
}

static int next(void)
#line 16 "hello.upc"
{
#line 16 "hello.upc"
  UPCR_BEGIN_FUNCTION();
  int _bupc_0;

#line 19 "hello.upc"
  _bupc_0 = *((int *) UPCR_TLD_ADDR(_bupc_calls_next_0));
  *((int *) UPCR_TLD_ADDR(_bupc_calls_next_0)) = _bupc_0 + 1;
  UPCR_EXIT_FUNCTION();
  return _bupc_0;
} /* next */


extern int user_main(
  int argc,
  char **argv)
#line 22 "hello.upc"
{
#line 22 "hello.upc"
  UPCR_BEGIN_FUNCTION();
  int i;
  int wrong;
  int sum;
  upcr_shared_ptr_t lock;
  int _bupc_call0;
  int _bupc__spillld1;
  int _bupc__spillld2;
  upcr_pshared_ptr_t _bupc_Mptra3;

  wrong = 0;
  sum = 0;
#line 25 "hello.upc"
  lock = upc_all_lock_alloc();
#line 27 "hello.upc"
  for(i = 0; i <= 2; i = i + 1)
  {
    _bupc_call0 = next();
    (((double *) UPCR_TLD_ADDR(history)))[i] = (((double *) UPCR_TLD_ADDR(history)))[i] +
      (_IEEE64)(_bupc_call0 + ((int) upcr_mythread () ));
  }
#line 28 "hello.upc"
  *((int *) UPCR_TLD_ADDR(visits)) = *((int *) UPCR_TLD_ADDR(visits)) + ((int) upcr_mythread () );
  (((char *) UPCR_TLD_ADDR(greeting)))[0LL] = (_INT8) 72;
#line 30 "hello.upc"
  _bupc_Mptra3 = UPCR_ADD_PSHARED1(seen, 4ULL, ((int) upcr_mythread () ));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra3, 0, *((int *) UPCR_TLD_ADDR(visits)), 4);
#line 31 "hello.upc"
  upc_lock(lock);
  _bupc__spillld1 = (int) UPCR_GET_PSHARED_VAL(total, 0, 4);
  UPCR_PUT_PSHARED_VAL(total, 0, _bupc__spillld1 + *((int *) UPCR_TLD_ADDR(visits)), 4);
  upc_unlock(lock);
#line 34 "hello.upc"
  wrong = wrong + ((((((double *) UPCR_TLD_ADDR(history)))[2LL] != (_IEEE64)(((int) upcr_mythread () ) + 102)) ||
    (next() != 103)) || (strcmp((const char *) UPCR_TLD_ADDR(greeting), "Hello from UPC thread") != 0));
#line 35 "hello.upc"
  upcr_barrier(845517097, 1);
#line 36 "hello.upc"
  for(i = 0; i < ((int) upcr_threads () ); i = i + 1)
  {
    if(i == ((int) upcr_mythread () ))
    {
      printf("%s %d of %d\n", (char *) UPCR_TLD_ADDR(greeting), ((int) upcr_mythread () ), ((int) upcr_threads () ));
      fflush(stdout);
    }
#line 41 "hello.upc"
    upcr_barrier(845517098, 1);
  }
#line 43 "hello.upc"
  for(i = 0; i < ((int) upcr_threads () ); i = i + 1)
  {
    _bupc_Mptra3 = UPCR_ADD_PSHARED1(seen, 4ULL, i);
    _bupc__spillld2 = (int) UPCR_GET_PSHARED_VAL(_bupc_Mptra3, 0, 4);
    sum = sum + _bupc__spillld2;
    _bupc__spillld2 = (int) UPCR_GET_PSHARED_VAL(_bupc_Mptra3, 0, 4);
    wrong = wrong + (_bupc__spillld2 != (i + 5));
  }
#line 44 "hello.upc"
  _bupc__spillld1 = (int) UPCR_GET_PSHARED_VAL(total, 0, 4);
  wrong = wrong + (((sum != _bupc__spillld1) || (argc < 1)) || ((argv)[0LL] == (char *) 0ULL));
#line 45 "hello.upc"
  upcr_barrier(845517099, 1);
  if(((int) upcr_mythread () ) == 0)
  {
    UPCR_PUT_PSHARED_VAL(total, 0, 0, 4);
  }
#line 47 "hello.upc"
  upcr_barrier(845517100, 1);
  upc_lock(lock);
  _bupc__spillld1 = (int) UPCR_GET_PSHARED_VAL(total, 0, 4);
  UPCR_PUT_PSHARED_VAL(total, 0, _bupc__spillld1 + wrong, 4);
  upc_unlock(lock);
#line 51 "hello.upc"
  upcr_barrier(845517101, 1);
  if(((int) upcr_mythread () ) == 0)
  {
    _bupc__spillld1 = (int) UPCR_GET_PSHARED_VAL(total, 0, 4);
    if(_bupc__spillld1 == 0)
    {
      printf("done\n");
    }
    else
    {
      printf("FAILED: %d\n", (int) UPCR_GET_PSHARED_VAL(total, 0, 4));
    }
  }
#line 56 "hello.upc"
  UPCR_EXIT_FUNCTION();
  return wrong;
} /* user_main */

#line 1 "_SYSTEM"
/**************************************************************************/
/* upcc-generated strings for configuration consistency checks            */

GASNETT_IDENT(UPCRI_IdentString_hello_o_845517096_1,
 "$GASNetConfig: (hello.o) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(UPCRI_IdentString_hello_o_845517096_2,
 "$UPCRConfig: (hello.o) " UPCR_CONFIG_STRING UPCRI_THREADCONFIG_STR " $");
/**************************************************************************/
