/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.upc as a whirl2c translator writes it, in its form for pthreads: thread-local data is reached by
 * UPCR_TLD_ADDR, so that the program runs with any number of UPC threads per process. */
/* --- UPC-to-C translator output: release 2.28.0, pthreads --- */
/* --- UPC Runtime specification expected: 3.6 --- */

#define UPCR_WANT_MAJOR 3
#define UPCR_WANT_MINOR 6
#include "upcr.h"
#include "whirl2c.h"
#include "upcr_proxy.h"
#include</usr/local/berkeley_upc/opt/include/upcr_preinclude/upc_types.h>
#include</usr/local/berkeley_upc/opt/include/upcr_preinclude/upc_bits.h>
#include "upcr_geninclude/stddef.h"
#include "upcr_geninclude/stdio.h"
#include "upcr_geninclude/stdlib.h"
#include "upcr_geninclude/math.h"

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

upcr_pshared_ptr_t residual;
upcr_pshared_ptr_t source = UPCR_INITIALIZED_PSHARED;

void UPCRI_ALLOC_heat_2913041765(void) {
UPCR_BEGIN_FUNCTION();

upcr_startup_pshalloc_t _bupc_pinfo[] = {
UPCRT_STARTUP_PSHALLOC(residual, 8, 1, 0, 8, "R1_d"),
UPCRT_STARTUP_PSHALLOC(source, 8, 1, 0, 8, "R1_d"),
 };

UPCR_SET_SRCPOS("_heat_2913041765_ALLOC",0);
upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}

void UPCRI_INIT_heat_2913041765(void) {
UPCR_BEGIN_FUNCTION();
double _bupc_source_val = 100.0;

UPCR_SET_SRCPOS("_heat_2913041765_INIT",0);
if (upcr_mythread() == 0) {
upcr_put_pshared(source, 0, &_bupc_source_val, 8);
}
}

static int heated(
  int n,
  int row,
  int col)
#line 21 "heat.upc"
{
#line 21 "heat.upc"
  UPCR_BEGIN_FUNCTION();
  int r;
  int c;
  int d;

#line 23 "heat.upc"
  r = (row * 10) - (n * 3);
  c = (col * 10) - (n * 3);
  d = (n * 10) / 8;
  if(((r * r) + (c * c)) <= (d * d))
  {
#line 24 "heat.upc"
    UPCR_EXIT_FUNCTION();
    return 1;
  }
#line 25 "heat.upc"
  r = (row * 10) - (n * 6);
  c = (col * 10) - (n * 7);
  d = (n * 10) / 12;
#line 26 "heat.upc"
  UPCR_EXIT_FUNCTION();
  return ((r * r) + (c * c)) <= (d * d);
} /* heated */


static void fill(
  upcr_shared_ptr_t u,
  int n,
  double hot)
#line 30 "heat.upc"
{
#line 30 "heat.upc"
  UPCR_BEGIN_FUNCTION();
  int row;
  int col;
  int _bupc_call0;
  double _bupc__spilleq1;
  upcr_shared_ptr_t _bupc_Mptra2;
  upcr_shared_ptr_t _bupc_Mptra3;

#line 33 "heat.upc"
  if(*((int *) UPCR_TLD_ADDR(upcr_forall_control)) != 0)
  {
    row = 0;
    while(row < n)
    {
      for(col = 0; col < n; col = col + 1)
      {
        _bupc_call0 = heated(n, row, col);
        _bupc__spilleq1 = (_bupc_call0 != 0) ? hot : 0.0;
        _bupc_Mptra2 = UPCR_ADD_SHARED(u, 8ULL, (row * 2048) + col, 8192ULL);
        UPCR_PUT_SHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spilleq1);
      }
      row = row + 1;
    }
  }
  else
  {
    *((int *) UPCR_TLD_ADDR(upcr_forall_control)) = 1;
    row = 0;
    while(row < n)
    {
      _bupc_Mptra3 = UPCR_ADD_SHARED(u, 8ULL, row * 2048, 8192ULL);
      if(upcr_hasMyAffinity_shared(_bupc_Mptra3))
      {
#line 34 "heat.upc"
        for(col = 0; col < n; col = col + 1)
        {
          _bupc_call0 = heated(n, row, col);
          _bupc__spilleq1 = (_bupc_call0 != 0) ? hot : 0.0;
          _bupc_Mptra2 = UPCR_ADD_SHARED(u, 8ULL, (row * 2048) + col, 8192ULL);
          UPCR_PUT_SHARED_DOUBLEVAL(_bupc_Mptra2, 0, _bupc__spilleq1);
        }
      }
      row = row + 1;
    }
    *((int *) UPCR_TLD_ADDR(upcr_forall_control)) = 0;
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* fill */


static double *plain(
  upcr_shared_ptr_t row,
  int n,
  double *copy)
#line 38 "heat.upc"
{
#line 38 "heat.upc"
  UPCR_BEGIN_FUNCTION();
  double *there;

#line 40 "heat.upc"
  there = (double *)(upc_cast(row));
#line 41 "heat.upc"
  if(there == (double *) 0ULL)
  {
    there = copy;
    upc_memget((void *)(there), row, (unsigned long)(n) * 8ULL);
  }
#line 42 "heat.upc"
  UPCR_EXIT_FUNCTION();
  return there;
} /* plain */


static double sweep(
  upcr_shared_ptr_t u,
  upcr_shared_ptr_t v,
  int n)
#line 46 "heat.upc"
{
#line 46 "heat.upc"
  UPCR_BEGIN_FUNCTION();
  double above_copy[2048LL];
  double below_copy[2048LL];
  double largest;
  int row;
  int col;
  double *here;
  double *next;
  double *above;
  double *below;
  int _bupc_control0;
  upcr_shared_ptr_t _bupc_Mptra1;
  upcr_shared_ptr_t _bupc_Mptra2;
  upcr_shared_ptr_t _bupc_Mptra3;

#line 48 "heat.upc"
  largest = 0.0;
#line 50 "heat.upc"
  _bupc_control0 = *((int *) UPCR_TLD_ADDR(upcr_forall_control));
  if(_bupc_control0 == 0)
  {
    *((int *) UPCR_TLD_ADDR(upcr_forall_control)) = 1;
  }
  for(row = 1; row < (n + -1); row = row + 1)
  {
    _bupc_Mptra1 = UPCR_ADD_SHARED(v, 8ULL, row * 2048, 8192ULL);
    if((_bupc_control0 == 0) && (upcr_mythread() != UPCR_THREADOF_SHARED(_bupc_Mptra1)))
    {
      continue;
    }
#line 51 "heat.upc"
    _bupc_Mptra2 = UPCR_ADD_SHARED(u, 8ULL, row * 2048, 8192ULL);
    here = (double *)(UPCR_SHARED_TO_LOCAL(_bupc_Mptra2));
    next = (double *)(UPCR_SHARED_TO_LOCAL(_bupc_Mptra1));
#line 52 "heat.upc"
    _bupc_Mptra2 = UPCR_ADD_SHARED(u, 8ULL, (row + -1) * 2048, 8192ULL);
    above = plain(_bupc_Mptra2, n, (double *)(above_copy));
#line 53 "heat.upc"
    _bupc_Mptra3 = UPCR_ADD_SHARED(u, 8ULL, (row + 1) * 2048, 8192ULL);
    below = plain(_bupc_Mptra3, n, (double *)(below_copy));
#line 54 "heat.upc"
    for(col = 1; col < (n + -1); col = col + 1)
    {
      if(heated(n, row, col) != 0)
      {
        continue;
      }
#line 56 "heat.upc"
      (next)[col] = (((above)[col] + (below)[col]) + (here)[col + -1] + (here)[col + 1]) * 0.25;
#line 57 "heat.upc"
      largest = _F8MAX(largest, _F8ABS((next)[col] - (here)[col]));
    }
  }
  if(_bupc_control0 == 0)
  {
    *((int *) UPCR_TLD_ADDR(upcr_forall_control)) = 0;
  }
#line 60 "heat.upc"
  UPCR_EXIT_FUNCTION();
  return largest;
} /* sweep */


static void picture(
  upcr_shared_ptr_t u,
  int n,
  double hot)
#line 63 "heat.upc"
{
#line 63 "heat.upc"
  UPCR_BEGIN_FUNCTION();
  const char *shades;
  int i;
  int j;
  int shade;
  double _bupc__spillld0;
  upcr_shared_ptr_t _bupc_Mptra1;

  shades = (const char *)" .:-=+*#%@";
#line 67 "heat.upc"
  for(i = 0; i <= 23; i = i + 1)
  {
    for(j = 0; j <= 47; j = j + 1)
    {
#line 69 "heat.upc"
      _bupc_Mptra1 = UPCR_ADD_SHARED(u, 8ULL, (((i * n) / 24) * 2048) + ((j * n) / 48), 8192ULL);
      _bupc__spillld0 = UPCR_GET_SHARED_DOUBLEVAL(_bupc_Mptra1, 0);
      shade = _I4F8TRUNC(sqrt(_bupc__spillld0 / hot) * 10.0);
#line 70 "heat.upc"
      putchar((shades)[_I4MIN(shade, 9)]);
    }
    putchar(10);
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* picture */


static int check(
  upcr_shared_ptr_t u,
  int n,
  int sweeps,
  double hot)
#line 77 "heat.upc"
{
#line 77 "heat.upc"
  UPCR_BEGIN_FUNCTION();
  double *a;
  double *b;
  double *swap;
  int s;
  int i;
  int differ;
  int row;
  int col;
  double _bupc__spillld0;
  upcr_shared_ptr_t _bupc_Mptra1;

#line 79 "heat.upc"
  a = (double *)(calloc((unsigned long)(n * n), 8ULL));
  b = (double *)(calloc((unsigned long)(n * n), 8ULL));
  differ = 0;
#line 81 "heat.upc"
  for(i = 0; i < (n * n); i = i + 1)
  {
    (b)[i] = (heated(n, i / n, i % n) != 0) ? hot : 0.0;
    (a)[i] = (b)[i];
  }
#line 82 "heat.upc"
  for(s = 0; s < sweeps; s = s + 1)
  {
    for(i = 0; i < (n * n); i = i + 1)
    {
      row = i / n;
      col = i % n;
      if(((((row == 0) || (row == (n + -1))) || (col == 0)) || (col == (n + -1))) || (heated(n, row, col) != 0))
      {
        continue;
      }
#line 86 "heat.upc"
      (b)[i] = (((a)[i - n] + (a)[i + n]) + (a)[i + -1] + (a)[i + 1]) * 0.25;
    }
#line 88 "heat.upc"
    swap = a;
    a = b;
    b = swap;
  }
#line 90 "heat.upc"
  for(i = 0; i < (n * n); i = i + 1)
  {
    _bupc_Mptra1 = UPCR_ADD_SHARED(u, 8ULL, ((i / n) * 2048) + (i % n), 8192ULL);
    _bupc__spillld0 = UPCR_GET_SHARED_DOUBLEVAL(_bupc_Mptra1, 0);
    differ = differ + (_F8ABS((a)[i] - _bupc__spillld0) > (hot * 1e-09));
  }
#line 91 "heat.upc"
  free((void *)(a));
  free((void *)(b));
#line 93 "heat.upc"
  UPCR_EXIT_FUNCTION();
  return differ;
} /* check */


extern int user_main(
  int argc,
  char **argv)
#line 96 "heat.upc"
{
#line 96 "heat.upc"
  UPCR_BEGIN_FUNCTION();
  int n;
  int sweeps;
  int rate;
  int s;
  int differ;
  double mine;
  double time;
  upc_tick_t start;
  upcr_shared_ptr_t u;
  upcr_shared_ptr_t v;
  upcr_shared_ptr_t swap;
  upcr_shared_ptr_t lock;
  double _bupc__spillld0;
  double _bupc__spillld1;

#line 98 "heat.upc"
  n = (argc > 1) ? atoi((const char *)(argv)[1LL]) : 48;
  sweeps = (argc > 2) ? atoi((const char *)(argv)[2LL]) : 24;
#line 99 "heat.upc"
  rate = argc > 3;
  differ = 0;
#line 105 "heat.upc"
  if(((n <= 2) || (n > 2048)) || (sweeps < 0))
  {
    if(((int) upcr_mythread () ) == 0)
    {
      fprintf(stderr, "usage: heat [points per side, 3 to %d] [sweeps] [rate]\n", 2048);
    }
#line 107 "heat.upc"
    UPCR_EXIT_FUNCTION();
    return 2;
  }
#line 109 "heat.upc"
  lock = upc_all_lock_alloc();
#line 110 "heat.upc"
  u = upc_all_alloc((unsigned long)((n + 3) / 4), 65536ULL);
  v = upc_all_alloc((unsigned long)((n + 3) / 4), 65536ULL);
#line 112 "heat.upc"
  _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(source, 0);
  fill(u, n, _bupc__spillld0);
  _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(source, 0);
  fill(v, n, _bupc__spillld0);
#line 114 "heat.upc"
  upcr_barrier(1748263942, 1);
  start = upc_ticks_now();
#line 116 "heat.upc"
  for(s = 0; s < sweeps; s = s + 1)
  {
    if(((int) upcr_mythread () ) == 0)
    {
      UPCR_PUT_PSHARED_DOUBLEVAL(residual, 0, 0.0);
    }
#line 118 "heat.upc"
    upcr_barrier(1, 0);
    mine = sweep(u, v, n);
#line 120 "heat.upc"
    upc_lock(lock);
    _bupc__spillld1 = UPCR_GET_PSHARED_DOUBLEVAL(residual, 0);
    if(mine > _bupc__spillld1)
    {
      UPCR_PUT_PSHARED_DOUBLEVAL(residual, 0, mine);
    }
    upc_unlock(lock);
#line 123 "heat.upc"
    upcr_barrier(2, 0);
    if((((int) upcr_mythread () ) == 0) && (rate == 0))
    {
      _bupc__spillld1 = UPCR_GET_PSHARED_DOUBLEVAL(residual, 0);
      printf("sweep %2d: residual %8.4f\n", s + 1, _bupc__spillld1);
    }
#line 125 "heat.upc"
    swap = u;
    u = v;
    v = swap;
  }
#line 127 "heat.upc"
  upcr_barrier(1748263941, 1);
  time = (_IEEE64)(upc_ticks_to_ns(upc_ticks_now() - start)) * 1e-09;
  if(((int) upcr_mythread () ) == 0)
  {
    if(rate != 0)
    {
      printf("{\"example\": \"heat\", \"version\": \"upc\", \"threads\": %d, \"size\": %d, \"unit\": \"points/s\", "
        "\"rate\": %.4g}\n", ((int) upcr_threads () ), n,
        (((_IEEE64)(n) + -2.0) * (_IEEE64)(n + -2) * (_IEEE64)(sweeps)) / time);
    }
    else
    {
      _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(source, 0);
      picture(u, n, _bupc__spillld0);
    }
    _bupc__spillld0 = UPCR_GET_PSHARED_DOUBLEVAL(source, 0);
    differ = check(u, n, sweeps, _bupc__spillld0);
    if(differ != 0)
    {
      printf("FAILED: %d points differ from the sequential solution\n", differ);
    }
    else
    {
      printf("done: %d x %d points, equal to the sequential solution\n", n, n);
    }
#line 138 "heat.upc"
    upc_free(u);
    upc_free(v);
    upc_lock_free(lock);
  }
#line 142 "heat.upc"
  UPCR_EXIT_FUNCTION();
  return differ != 0;
} /* user_main */

#line 1 "_SYSTEM"
/**************************************************************************/
/* upcc-generated strings for configuration consistency checks            */

GASNETT_IDENT(UPCRI_IdentString_heat_o_2913041765_1,
 "$GASNetConfig: (heat.o) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(UPCRI_IdentString_heat_o_2913041765_2,
 "$UPCRConfig: (heat.o) " UPCR_CONFIG_STRING UPCRI_THREADCONFIG_STR " $");
GASNETT_IDENT(UPCRI_IdentString_heat_o_2913041765_3,
 "$UPCRBackendCompiler: (heat.o) " _STRINGIFY(UPCRI_CC) " $");
GASNETT_IDENT(UPCRI_IdentString_heat_o_2913041765_4,
 "$UPCTranslator: (heat.o) release 2.28.0 $");
#ifdef GASNETT_CONFIGURE_MISMATCH
GASNETT_IDENT(UPCRI_IdentString_heat_o_2913041765_5,
 "$UPCRConfigureMismatch: (heat.o) 1 $");
GASNETT_IDENT(UPCRI_IdentString_heat_o_2913041765_6,
 "$UPCRConfigureCompiler: (heat.o) " GASNETT_PLATFORM_COMPILER_IDSTR " $");
GASNETT_IDENT(UPCRI_IdentString_heat_o_2913041765_7,
 "$UPCRBuildCompiler: (heat.o) " PLATFORM_COMPILER_IDSTR " $");
#endif
/**************************************************************************/
