/* SPDX-License-Identifier: BSD-3-Clause */
/* matmul.upc as a whirl2c translator writes it for pthreads: the initialisers of shared arrays become local
 * arrays of UPCRI_INIT_, with the dimensions of both beside them. */
/* --- UPC-to-C translator output: release 2.22.3, pthreads --- */
/* --- UPC Runtime specification expected: 3.6 --- */

#define UPCR_WANT_MAJOR 3
#define UPCR_WANT_MINOR 6
#include "upcr.h"
#include "whirl2c.h"
#include "upcr_proxy.h"
#include</usr/local/berkeley_upc/opt/include/upcr_preinclude/upc_types.h>
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
#if UPCR_RUNTIME_SPEC_MAJOR > 3 || (UPCR_RUNTIME_SPEC_MAJOR == 3 && UPCR_RUNTIME_SPEC_MINOR >= 8)
#define UPCRT_STARTUP_SHALLOC(sptr, blockbytes, numblocks, mult_by_threads, elemsz, typestr) \
  { &(sptr), (blockbytes), (numblocks), (mult_by_threads), (elemsz), #sptr, (typestr) }
#else
#define UPCRT_STARTUP_SHALLOC(sptr, blockbytes, numblocks, mult_by_threads, elemsz, typestr) \
  { &(sptr), (blockbytes), (numblocks), (mult_by_threads) }
#endif
#define UPCRT_STARTUP_PSHALLOC UPCRT_STARTUP_SHALLOC
extern int upcrt_gcd(int _a, int _b);
extern int _upcrt_forall_start(int _start_thread, int _step, int _lo, int _scale);
#define upcrt_forall_start(start_thread, step, lo, scale) \
  (upcri_srcpos(), _upcrt_forall_start(start_thread, step, lo, scale))
#endif

#define UPCR_SHARED_SIZE_ 8
#define UPCR_PSHARED_SIZE_ 8

upcr_shared_ptr_t a = UPCR_INITIALIZED_SHARED;
upcr_pshared_ptr_t b = UPCR_INITIALIZED_PSHARED;
upcr_pshared_ptr_t weight = UPCR_INITIALIZED_PSHARED;
upcr_shared_ptr_t c;
upcr_pshared_ptr_t mistakes = UPCR_INITIALIZED_PSHARED;
static const double UPCR_TLD_DEFINE(_bupc_first_main_0, 96, 8)[3LL][4LL] = {{1.0, 2.0, 3.0, 4.0, },
  {5.0, 6.0, 7.0, 8.0, }, {9.0, 10.0, 11.0, 0.0, }, };
static const double UPCR_TLD_DEFINE(_bupc_factor_main_1, 128, 8)[4LL][4LL] = {{1.0, 0.0, 0.0, 2.0, },
  {0.0, 1.0, 0.0, 2.0, }, {0.0, 0.0, 1.0, 2.0, }, {1.0, 1.0, 1.0, 0.0, }, };

void UPCRI_ALLOC_matmul_3561909022(void) {
UPCR_BEGIN_FUNCTION();

upcr_startup_shalloc_t _bupc_info[] = {
UPCRT_STARTUP_SHALLOC(a, 32, 4, 1, 8, "A4H_A4_R4_d"),
UPCRT_STARTUP_SHALLOC(c, 32, 4, 1, 8, "A4H_A4_R4_d"),
 };
upcr_startup_pshalloc_t _bupc_pinfo[] = {
UPCRT_STARTUP_PSHALLOC(b, 128, 1, 0, 8, "A4_A4_R0_d"),
UPCRT_STARTUP_PSHALLOC(weight, 4, 4, 1, 4, "A4H_R1_i"),
UPCRT_STARTUP_PSHALLOC(mistakes, 4, 1, 0, 4, "R1_i"),
 };

UPCR_SET_SRCPOS("_matmul_3561909022_ALLOC",0);
upcr_startup_shalloc(_bupc_info, sizeof(_bupc_info) / sizeof(upcr_startup_shalloc_t));
upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}

void UPCRI_INIT_matmul_3561909022(void) {
UPCR_BEGIN_FUNCTION();
upcr_startup_arrayinit_diminfo_t a_diminfos[] = {
 {3, 4, 1},
 {4, 4, 0},
 };
double a_val[3][4] = {{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}, {9.0, 10.0, 11.0}};
upcr_startup_arrayinit_diminfo_t b_diminfos[] = {
 {4, 4, 0},
 {4, 4, 0},
 };
double b_val[4][4] = {{1.0, 0.0, 0.0, 2.0}, {0.0, 1.0, 0.0, 2.0}, {0.0, 0.0, 1.0, 2.0}, {1.0, 1.0, 1.0}};
upcr_startup_arrayinit_diminfo_t weight_diminfos[] = {
 {3, 4, 1},
 };
int weight_val[3] = {1, 2, 3};
int _bupc_mistakes_val = 0;

UPCR_SET_SRCPOS("_matmul_3561909022_INIT",0);
upcr_startup_initarray(a, a_val, a_diminfos, 2, 8, 4);
upcr_startup_initparray(b, &b_val, b_diminfos, 2, 8, 0);
upcr_startup_initparray(weight, weight_val, weight_diminfos, 1, 4, 1);
if (upcr_mythread() == 0) {
upcr_put_pshared(mistakes, 0, &_bupc_mistakes_val, 4);
}
}

extern int user_main(void)
#line 18 "matmul.upc"
{
#line 18 "matmul.upc"
  UPCR_BEGIN_FUNCTION();
  double row[4LL];
  double sum;
  int i;
  int j;
  int k;
  int wrong;
  upcr_shared_ptr_t lock;
  double _bupc__spillld0;
  double _bupc__spillld1;
  double _bupc__spilleq2;
  int _bupc__spillld3;
  int _bupc_control4;
  upcr_shared_ptr_t _bupc_Mptra5;
  upcr_pshared_ptr_t _bupc_Mptra6;

  wrong = 0;
#line 24 "matmul.upc"
  lock = upc_all_lock_alloc();
#line 26 "matmul.upc"
  _bupc_control4 = *((int *) UPCR_TLD_ADDR(upcr_forall_control));
  if(_bupc_control4 == 0)
  {
    *((int *) UPCR_TLD_ADDR(upcr_forall_control)) = 1;
  }
  for(i = 4; i < (((int) upcr_threads () ) * 4); i = i + 1)
  {
    _bupc_Mptra5 = UPCR_ADD_SHARED(a, 8ULL, i * 4, 4ULL);
    if((_bupc_control4 != 0) || (upcr_hasMyAffinity_shared(_bupc_Mptra5) != 0))
    {
#line 27 "matmul.upc"
      for(j = 0; j <= 3; j = j + 1)
      {
        _bupc_Mptra5 = UPCR_ADD_SHARED(a, 8ULL, (i * 4) + j, 4ULL);
        _bupc__spillld0 = UPCR_GET_SHARED_DOUBLEVAL(_bupc_Mptra5, 0);
        _bupc__spilleq2 = _bupc__spillld0 + (_IEEE64)(i + j);
        UPCR_PUT_SHARED_DOUBLEVAL(_bupc_Mptra5, 0, _bupc__spilleq2);
      }
#line 28 "matmul.upc"
      _bupc_Mptra6 = UPCR_ADD_PSHARED1(weight, 4ULL, i);
      UPCR_GET_PSHARED(&_bupc__spillld3, _bupc_Mptra6, 0, 4);
      UPCR_PUT_PSHARED_VAL(_bupc_Mptra6, 0, _bupc__spillld3 + 1, 4);
    }
  }
  if(_bupc_control4 == 0)
  {
    *((int *) UPCR_TLD_ADDR(upcr_forall_control)) = 0;
  }
#line 30 "matmul.upc"
  upcr_barrier(-733058273, 1);
#line 31 "matmul.upc"
  _bupc_control4 = *((int *) UPCR_TLD_ADDR(upcr_forall_control));
  if(_bupc_control4 == 0)
  {
    *((int *) UPCR_TLD_ADDR(upcr_forall_control)) = 1;
  }
  for(i = 0; i < (((int) upcr_threads () ) * 4); i = i + 1)
  {
    _bupc_Mptra5 = UPCR_ADD_SHARED(c, 8ULL, i * 4, 4ULL);
    if((_bupc_control4 != 0) || (upcr_mythread() == UPCR_THREADOF_SHARED(_bupc_Mptra5)))
    {
      for(j = 0; j <= 3; j = j + 1)
      {
#line 33 "matmul.upc"
        sum = 0.0;
        for(k = 0; k <= 3; k = k + 1)
        {
          _bupc_Mptra5 = UPCR_ADD_SHARED(a, 8ULL, (i * 4) + k, 4ULL);
          _bupc__spillld0 = UPCR_GET_SHARED_DOUBLEVAL(_bupc_Mptra5, 0);
          _bupc_Mptra6 = UPCR_ADD_PSHAREDI(b, 8ULL, (k * 4) + j);
          _bupc__spillld1 = UPCR_GET_PSHARED_DOUBLEVAL(_bupc_Mptra6, 0);
          sum = sum + (_bupc__spillld0 * _bupc__spillld1);
        }
#line 34 "matmul.upc"
        _bupc_Mptra6 = UPCR_ADD_PSHARED1(weight, 4ULL, i);
        _bupc__spillld3 = (int) UPCR_GET_PSHARED_VAL(_bupc_Mptra6, 0, 4);
        _bupc__spilleq2 = (_IEEE64)(_bupc__spillld3) * sum;
        _bupc_Mptra5 = UPCR_ADD_SHARED(c, 8ULL, (i * 4) + j, 4ULL);
        UPCR_PUT_SHARED(_bupc_Mptra5, 0, &_bupc__spilleq2, 8);
      }
    }
  }
  if(_bupc_control4 == 0)
  {
    *((int *) UPCR_TLD_ADDR(upcr_forall_control)) = 0;
  }
#line 36 "matmul.upc"
  upcr_barrier(-733058272, 1);
#line 37 "matmul.upc"
  for(i = upcrt_forall_start((((int) upcr_threads () ) * 4), -1, (((int) upcr_threads () ) * 4) + -1, 1); i >= 0; i = i - ((int) upcr_threads () ))
  {
#line 38 "matmul.upc"
    _bupc_Mptra5 = UPCR_ADD_SHARED(c, 8ULL, i * 4, 4ULL);
    UPCR_MEMGET((void *)(row), _bupc_Mptra5, 32ULL);
    for(j = 0; j <= 3; j = j + 1)
    {
#line 40 "matmul.upc"
      sum = 0.0;
      for(k = 0; k <= 3; k = k + 1)
      {
        sum = sum + (((i <= 2) ? (((const double (*)[4LL]) UPCR_TLD_ADDR(_bupc_first_main_0)))[i][k] :
          ((i <= 3) ? 0.0 : (_IEEE64)(i + k))) * (((const double (*)[4LL]) UPCR_TLD_ADDR(_bupc_factor_main_1)))[k][j]);
      }
#line 42 "matmul.upc"
      wrong = wrong + ((row)[j] != (sum * (_IEEE64)((i <= 2) ? (i + 1) : (i > 3))));
    }
  }
#line 45 "matmul.upc"
  upc_lock(lock);
  _bupc__spillld3 = (int) UPCR_GET_PSHARED_VAL(mistakes, 0, 4);
  UPCR_PUT_PSHARED_VAL(mistakes, 0, _bupc__spillld3 + wrong, 4);
  upc_unlock(lock);
#line 48 "matmul.upc"
  upcr_barrier(-733058271, 1);
  if(((int) upcr_mythread () ) == 0)
  {
    for(i = 0; i <= 3; i = i + 1)
    {
      for(j = 0; j <= 3; j = j + 1)
      {
#line 51 "matmul.upc"
        _bupc_Mptra5 = UPCR_ADD_SHARED(c, 8ULL, (i * 4) + j, 4ULL);
        UPCR_GET_SHARED(&_bupc__spillld0, _bupc_Mptra5, 0, 8);
        printf("%6g", _bupc__spillld0);
      }
      printf("\n");
    }
#line 54 "matmul.upc"
    _bupc__spillld3 = (int) UPCR_GET_PSHARED_VAL(mistakes, 0, 4);
    if(_bupc__spillld3 == 0)
    {
      printf("done\n");
    }
    else
    {
      printf("FAILED: %d elements\n", _bupc__spillld3);
    }
  }
#line 57 "matmul.upc"
  UPCR_EXIT_FUNCTION();
  return wrong;
} /* user_main */

#line 1 "_SYSTEM"
/**************************************************************************/
/* upcc-generated strings for configuration consistency checks            */

GASNETT_IDENT(UPCRI_IdentString_matmul_o_3561909022_1,
 "$GASNetConfig: (matmul.o) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(UPCRI_IdentString_matmul_o_3561909022_2,
 "$UPCRConfig: (matmul.o) " UPCR_CONFIG_STRING UPCRI_THREADCONFIG_STR " $");
/**************************************************************************/
