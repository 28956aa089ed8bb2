/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.upc as a whirl2c translator writes it, in its form for pthreads; stream.h is plain C. */
/* --- UPC-to-C translator output: release 2.28.0, pthreads --- */
/* --- UPC Runtime specification expected: 3.6 --- */

#define UPCR_WANT_MAJOR 3
#define UPCR_WANT_MINOR 6
#include "upcr.h"
#include "whirl2c.h"
#include "upcr_proxy.h"
#include "upcr_geninclude/stdlib.h"
#include "stream.h"

#ifndef UPCR_TRANS_EXTRA_INCL
#define UPCR_TRANS_EXTRA_INCL
int32_t UPCR_TLD_DEFINE_TENTATIVE(upcrt_forall_control, 4, 4);
#undef upcr_forall_control
#define upcr_forall_control upcrt_forall_control
#ifndef UPCR_EXIT_FUNCTION
#define UPCR_EXIT_FUNCTION() ((void)0)
#endif
#define UPCRT_STARTUP_PSHALLOC(sptr, blockbytes, numblocks, mult_by_threads, elemsz, typestr) \
  { &(sptr), (blockbytes), (numblocks), (mult_by_threads), (elemsz), #sptr, (typestr) }
extern int _upcrt_forall_start(int _start_thread, int _step, int _lo, int _scale);
#define upcrt_forall_start(start_thread, step, lo, scale) \
  (upcri_srcpos(), _upcrt_forall_start(start_thread, step, lo, scale))
#endif

#define UPCR_SHARED_SIZE_ 8
#define UPCR_PSHARED_SIZE_ 8

upcr_pshared_ptr_t bad;

void UPCRI_ALLOC_stream_1873320451(void) {
UPCR_BEGIN_FUNCTION();

upcr_startup_pshalloc_t _bupc_pinfo[] = {
UPCRT_STARTUP_PSHALLOC(bad, 8, 1, 1, 8, "A1H_R1_l"),
 };

UPCR_SET_SRCPOS("_stream_1873320451_ALLOC",0);
upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}

void UPCRI_INIT_stream_1873320451(void) {
UPCR_BEGIN_FUNCTION();
UPCR_SET_SRCPOS("_stream_1873320451_INIT",0);
}

static void by_forall(
  int kernel,
  upcr_pshared_ptr_t a,
  upcr_pshared_ptr_t b,
  upcr_pshared_ptr_t c,
  int n)
{
  UPCR_BEGIN_FUNCTION();
  int i;
  double _bupc__spillld0;
  double _bupc__spillld1;
  upcr_pshared_ptr_t _bupc_Mptra0;
  upcr_pshared_ptr_t _bupc_Mptra1;
  upcr_pshared_ptr_t _bupc_Mptra2;

  switch(kernel)
  {
  case 0:
    for(i = upcrt_forall_start(0, 1, 0, 1); i < n; i = i + ((int) upcr_threads ()))
    {
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(a, 8ULL, i);
      _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra0, 0);
      _bupc_Mptra2 = UPCR_ADD_PSHARED1(c, 8ULL, i);
      UPCR_PUT_PSHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spillld0);
    }
    break;
  case 1:
    for(i = upcrt_forall_start(0, 1, 0, 1); i < n; i = i + ((int) upcr_threads ()))
    {
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(c, 8ULL, i);
      _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra0, 0);
      _bupc_Mptra2 = UPCR_ADD_PSHARED1(b, 8ULL, i);
      UPCR_PUT_PSHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spillld0 * 3.0);
    }
    break;
  case 2:
    for(i = upcrt_forall_start(0, 1, 0, 1); i < n; i = i + ((int) upcr_threads ()))
    {
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(a, 8ULL, i);
      _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra0, 0);
      _bupc_Mptra1 = UPCR_ADD_PSHARED1(b, 8ULL, i);
      _bupc__spillld1 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra1, 0);
      _bupc_Mptra2 = UPCR_ADD_PSHARED1(c, 8ULL, i);
      UPCR_PUT_PSHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spillld0 + _bupc__spillld1);
    }
    break;
  case 3:
    for(i = upcrt_forall_start(0, 1, 0, 1); i < n; i = i + ((int) upcr_threads ()))
    {
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(b, 8ULL, i);
      _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra0, 0);
      _bupc_Mptra1 = UPCR_ADD_PSHARED1(c, 8ULL, i);
      _bupc__spillld1 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra1, 0);
      _bupc_Mptra2 = UPCR_ADD_PSHARED1(a, 8ULL, i);
      UPCR_PUT_PSHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spillld0 + (_bupc__spillld1 * 3.0));
    }
    break;
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* by_forall */


static void by_shared(
  int kernel,
  upcr_pshared_ptr_t a,
  upcr_pshared_ptr_t b,
  upcr_pshared_ptr_t c,
  long n)
{
  UPCR_BEGIN_FUNCTION();
  long i;
  double _bupc__spillld0;
  double _bupc__spillld1;
  upcr_pshared_ptr_t _bupc_Mptra0;
  upcr_pshared_ptr_t _bupc_Mptra1;
  upcr_pshared_ptr_t _bupc_Mptra2;

  switch(kernel)
  {
  case 0:
    for(i = 0LL; i < n; i = i + 1LL)
    {
      _bupc_Mptra0 = UPCR_ADD_PSHAREDI(a, 8ULL, i);
      _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra0, 0);
      _bupc_Mptra2 = UPCR_ADD_PSHAREDI(c, 8ULL, i);
      UPCR_PUT_PSHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spillld0);
    }
    break;
  case 1:
    for(i = 0LL; i < n; i = i + 1LL)
    {
      _bupc_Mptra0 = UPCR_ADD_PSHAREDI(c, 8ULL, i);
      _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra0, 0);
      _bupc_Mptra2 = UPCR_ADD_PSHAREDI(b, 8ULL, i);
      UPCR_PUT_PSHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spillld0 * 3.0);
    }
    break;
  case 2:
    for(i = 0LL; i < n; i = i + 1LL)
    {
      _bupc_Mptra0 = UPCR_ADD_PSHAREDI(a, 8ULL, i);
      _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra0, 0);
      _bupc_Mptra1 = UPCR_ADD_PSHAREDI(b, 8ULL, i);
      _bupc__spillld1 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra1, 0);
      _bupc_Mptra2 = UPCR_ADD_PSHAREDI(c, 8ULL, i);
      UPCR_PUT_PSHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spillld0 + _bupc__spillld1);
    }
    break;
  case 3:
    for(i = 0LL; i < n; i = i + 1LL)
    {
      _bupc_Mptra0 = UPCR_ADD_PSHAREDI(b, 8ULL, i);
      _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra0, 0);
      _bupc_Mptra1 = UPCR_ADD_PSHAREDI(c, 8ULL, i);
      _bupc__spillld1 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra1, 0);
      _bupc_Mptra2 = UPCR_ADD_PSHAREDI(a, 8ULL, i);
      UPCR_PUT_PSHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spillld0 + (_bupc__spillld1 * 3.0));
    }
    break;
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* by_shared */


extern int user_main(
  int argc,
  char **argv)
{
  UPCR_BEGIN_FUNCTION();
  static const char *versions[3LL] = {"forall", "shared", "local"};
  long n;
  long i;
  long failed;
  int rounds;
  int passes;
  int version;
  int round;
  int kernel;
  int pass;
  upcr_pshared_ptr_t a;
  upcr_pshared_ptr_t b;
  upcr_pshared_ptr_t c;
  double *mine_a;
  double *mine_b;
  double *mine_c;
  double best[4LL];
  double start;
  long _bupc__spillld0;
  upcr_pshared_ptr_t _bupc_Mptra0;
  upcr_pshared_ptr_t _bupc_Mptra1;
  upcr_pshared_ptr_t _bupc_Mptra2;

  n = (argc > 1) ? atol((const char *)(argv)[1LL]) : 1000LL;
  failed = 0LL;
  rounds = (argc > 2) ? atoi((const char *)(argv)[2LL]) : 10;
  passes = (argc > 3) ? atoi((const char *)(argv)[3LL]) : 1;
  a = UPCR_SHARED_TO_PSHARED(upc_all_alloc((unsigned long)(n * (long)((int) upcr_threads ())), 8ULL));
  b = UPCR_SHARED_TO_PSHARED(upc_all_alloc((unsigned long)(n * (long)((int) upcr_threads ())), 8ULL));
  c = UPCR_SHARED_TO_PSHARED(upc_all_alloc((unsigned long)(n * (long)((int) upcr_threads ())), 8ULL));
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(a, 8ULL, ((int) upcr_mythread ()));
  mine_a = (double *)(UPCR_PSHARED_TO_LOCAL(_bupc_Mptra0));
  _bupc_Mptra1 = UPCR_ADD_PSHARED1(b, 8ULL, ((int) upcr_mythread ()));
  mine_b = (double *)(UPCR_PSHARED_TO_LOCAL(_bupc_Mptra1));
  _bupc_Mptra2 = UPCR_ADD_PSHARED1(c, 8ULL, ((int) upcr_mythread ()));
  mine_c = (double *)(UPCR_PSHARED_TO_LOCAL(_bupc_Mptra2));
  for(version = 0; version <= 2; version = version + 1)
  {
    for(kernel = 0; kernel <= 3; kernel = kernel + 1)
    {
      (best)[kernel] = 1e+09;
    }
    for(i = 0LL; i < n; i = i + 1LL)
    {
      (mine_a)[i] = 1.0;
      (mine_c)[i] = 0.0;
      (mine_b)[i] = 0.0;
    }
    for(round = 0; round < rounds; round = round + 1)
    {
      for(kernel = 0; kernel <= 3; kernel = kernel + 1)
      {
        upcr_barrier(1873320452, 1);
        start = seconds();
        for(pass = 0; pass < passes; pass = pass + 1)
        {
          if(version == 0)
          {
            by_forall(kernel, a, b, c, (int)(n * (long)((int) upcr_threads ())));
          }
          else
          {
            if(version == 1)
            {
              _bupc_Mptra0 = UPCR_ADD_PSHARED1(a, 8ULL, ((int) upcr_mythread ()));
              _bupc_Mptra1 = UPCR_ADD_PSHARED1(b, 8ULL, ((int) upcr_mythread ()));
              _bupc_Mptra2 = UPCR_ADD_PSHARED1(c, 8ULL, ((int) upcr_mythread ()));
              by_shared(kernel, _bupc_Mptra0, _bupc_Mptra1, _bupc_Mptra2, n);
            }
            else
            {
              plain(kernel, mine_a, mine_b, mine_c, n);
            }
          }
        }
        upcr_barrier(1873320453, 1);
        if((seconds() - start) < (best)[kernel])
        {
          (best)[kernel] = seconds() - start;
        }
      }
    }
    _bupc__spillld0 = wrong(mine_a, mine_b, mine_c, n, rounds);
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(bad, 8ULL, ((int) upcr_mythread ()));
    UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, _bupc__spillld0, 8);
    upcr_barrier(1873320454, 1);
    if(((int) upcr_mythread ()) == 0)
    {
      for(i = 0LL; i < (long)((int) upcr_threads ()); i = i + 1LL)
      {
        _bupc_Mptra0 = UPCR_ADD_PSHARED1(bad, 8ULL, i);
        _bupc__spillld0 = (long) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
        failed = failed + _bupc__spillld0;
      }
      report((versions)[version], ((int) upcr_threads ()), n, passes, best);
    }
    upcr_barrier(1873320455, 1);
  }
  if(((int) upcr_mythread ()) == 0)
  {
    if(failed != 0LL)
    {
      printf("FAILED: %ld elements\n", failed);
    }
    else
    {
      printf("done: a = %g after %d rounds\n", (mine_a)[0LL], rounds);
    }
  }
  UPCR_EXIT_FUNCTION();
  return failed != 0LL;
} /* user_main */

#line 1 "_SYSTEM"
/**************************************************************************/
/* upcc-generated strings for configuration consistency checks            */

GASNETT_IDENT(UPCRI_IdentString_stream_o_1873320451_1,
 "$GASNetConfig: (stream.o) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(UPCRI_IdentString_stream_o_1873320451_2,
 "$UPCRConfig: (stream.o) " UPCR_CONFIG_STRING UPCRI_THREADCONFIG_STR " $");
GASNETT_IDENT(UPCRI_IdentString_stream_o_1873320451_3,
 "$UPCTranslator: (stream.o) release 2.28.0 $");
/**************************************************************************/
