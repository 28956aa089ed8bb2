/* SPDX-License-Identifier: BSD-3-Clause */
/* gups.upc as a whirl2c translator writes it, in its form for pthreads; gups.h is plain C. */
/* --- UPC-to-C translator output: release 2.28.0, pthreads --- */
/* --- UPC Runtime specification expected: 3.6 --- */

#define UPCR_WANT_MAJOR 3
#define UPCR_WANT_MINOR 6
#include "upcr.h"
#include "whirl2c.h"
#include "upcr_proxy.h"
#include "upcr_geninclude/stdlib.h"
#include "gups.h"

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

upcr_pshared_ptr_t sums;
upcr_pshared_ptr_t mistakes;

void UPCRI_ALLOC_gups_2210964873(void) {
UPCR_BEGIN_FUNCTION();

upcr_startup_pshalloc_t _bupc_pinfo[] = {
UPCRT_STARTUP_PSHALLOC(sums, 8, 1, 1, 8, "A1H_R1_m"),
UPCRT_STARTUP_PSHALLOC(mistakes, 8, 1, 1, 8, "A1H_R1_m"),
 };

UPCR_SET_SRCPOS("_gups_2210964873_ALLOC",0);
upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}

void UPCRI_INIT_gups_2210964873(void) {
UPCR_BEGIN_FUNCTION();
UPCR_SET_SRCPOS("_gups_2210964873_INIT",0);
}

static void update_atomic(
  upcr_pshared_ptr_t table,
  uint64_t mask,
  uint64_t from,
  uint64_t to)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t k;
  uint64_t r;
  upcr_pshared_ptr_t _bupc_Mptra0;

  for(k = from; k < to; k = k + 1ULL)
  {
    r = number(k);
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(table, 8ULL, r & mask);
    bupc_atomicU64_fetchxor_relaxed(UPCR_PSHARED_TO_SHARED(_bupc_Mptra0), r);
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* update_atomic */


static void update_shared(
  upcr_pshared_ptr_t table,
  uint64_t mask,
  uint64_t from,
  uint64_t to)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t k;
  uint64_t r;
  uint64_t _bupc__spillld0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  for(k = from; k < to; k = k + 1ULL)
  {
    r = number(k);
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(table, 8ULL, r & mask);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, _bupc__spillld0 ^ r, 8);
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* update_shared */


static void update_directory(
  upcr_pshared_ptr_t *parts,
  uint64_t mask,
  int shift,
  uint64_t from,
  uint64_t to)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t k;
  uint64_t r;
  uint64_t low;
  uint64_t _bupc__spillld0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  low = (uint64_t)(((int) upcr_threads ()) + -1);
  for(k = from; k < to; k = k + 1ULL)
  {
    r = number(k);
    _bupc_Mptra0 = UPCR_ADD_PSHAREDI((parts)[r & low], 8ULL, (r & mask) >> shift);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, _bupc__spillld0 ^ r, 8);
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* update_directory */


static void update_cast(
  uint64_t **parts,
  uint64_t mask,
  int shift,
  uint64_t from,
  uint64_t to)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t k;
  uint64_t r;
  uint64_t low;

  low = (uint64_t)(((int) upcr_threads ()) + -1);
  for(k = from; k < to; k = k + 1ULL)
  {
    r = number(k);
    ((parts)[r & low])[(r & mask) >> shift] = ((parts)[r & low])[(r & mask) >> shift] ^ r;
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* update_cast */


static void inspect(
  upcr_pshared_ptr_t table,
  uint64_t elements)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t i;
  uint64_t sum;
  uint64_t differ;
  uint64_t _bupc__spillld0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  sum = 0ULL;
  differ = 0ULL;
  for(i = (uint64_t)((int) upcr_mythread ()); i < elements; i = i + (uint64_t)((int) upcr_threads ()))
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(table, 8ULL, i);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    sum = sum + weigh(i, _bupc__spillld0);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    differ = differ + (uint64_t)(_bupc__spillld0 != i);
  }
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(sums, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, sum, 8);
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(mistakes, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, differ, 8);
  UPCR_EXIT_FUNCTION();
  return;
} /* inspect */


static uint64_t total(
  upcr_pshared_ptr_t of_each)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t sum;
  int t;
  uint64_t _bupc__spillld0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  sum = 0ULL;
  for(t = 0; t < ((int) upcr_threads ()); t = t + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(of_each, 8ULL, t);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    sum = sum + _bupc__spillld0;
  }
  UPCR_EXIT_FUNCTION();
  return sum;
} /* total */


extern int user_main(
  int argc,
  char **argv)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t elements;
  uint64_t mask;
  uint64_t updates;
  uint64_t i;
  uint64_t sum;
  uint64_t wrong;
  uint64_t overwritten;
  uint64_t from;
  uint64_t to;
  upcr_pshared_ptr_t table;
  upcr_pshared_ptr_t *parts;
  uint64_t **plain;
  static const char *names[5LL] = {"first", "atomic", "shared", "directory", "cast"};
  double start;
  double time;
  int version;
  int shift;
  int t;
  int status;
  int versions;
  upcr_pshared_ptr_t _bupc_Mptra0;

  elements = 1ULL << ((argc > 1) ? atoi((const char *)(argv)[1LL]) : 14);
  mask = elements + -1ULL;
  updates = (uint64_t)((_IEEE64)(elements) * ((argc > 2) ? atof((const char *)(argv)[2LL]) : 1.0));
  sum = 0ULL;
  wrong = 0ULL;
  overwritten = 0ULL;
  from = (updates / (uint64_t)((int) upcr_threads ())) * (uint64_t)((int) upcr_mythread ());
  to = (((int) upcr_mythread ()) == (((int) upcr_threads ()) + -1)) ? updates :
    (from + (updates / (uint64_t)((int) upcr_threads ())));
  table = UPCR_SHARED_TO_PSHARED(upc_all_alloc(elements, 8ULL));
  parts = (upcr_pshared_ptr_t *)(malloc((unsigned long)((int) upcr_threads ()) * UPCR_PSHARED_SIZE_));
  plain = (uint64_t **)(malloc((unsigned long)((int) upcr_threads ()) * 8ULL));
  shift = 0;
  status = 0;
  versions = ((((int) upcr_threads ()) & (((int) upcr_threads ()) + -1)) == 0) ? 4 : 2;
  for(t = 0; t < ((int) upcr_threads ()); t = t + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(table, 8ULL, t);
    (parts)[t] = _bupc_Mptra0;
    (plain)[t] = (uint64_t *)(upc_cast(UPCR_PSHARED_TO_SHARED(_bupc_Mptra0)));
    if(((plain)[t] == (uint64_t *) 0ULL) && (versions == 4))
    {
      versions = 3;
    }
  }
  while((1 << shift) < ((int) upcr_threads ()))
  {
    shift = shift + 1;
  }
  for(version = -1; version < versions; version = version + 1)
  {
    for(i = (uint64_t)((int) upcr_mythread ()); i < elements; i = i + (uint64_t)((int) upcr_threads ()))
    {
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(table, 8ULL, i);
      UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, i, 8);
    }
    upcr_barrier(2210964874, 1);
    start = seconds();
    if(version <= 0)
    {
      update_atomic(table, mask, from, to);
    }
    else
    {
      if(version == 1)
      {
        update_shared(table, mask, from, to);
      }
      else
      {
        if(version == 2)
        {
          update_directory(parts, mask, shift, from, to);
        }
        else
        {
          update_cast(plain, mask, shift, from, to);
        }
      }
    }
    upcr_barrier(2210964875, 1);
    time = seconds() - start;
    inspect(table, elements);
    upcr_barrier(2210964876, 1);
    if(version == 0)
    {
      sum = total(sums);
    }
    update_atomic(table, mask, from, to);
    upcr_barrier(2210964877, 1);
    inspect(table, elements);
    upcr_barrier(2210964878, 1);
    if(version <= 0)
    {
      wrong = wrong + total(mistakes);
    }
    else
    {
      if(total(mistakes) > overwritten)
      {
        overwritten = total(mistakes);
      }
    }
    if(((int) upcr_mythread ()) == 0)
    {
      report((names)[version + 1], ((int) upcr_threads ()), elements, updates, time);
    }
  }
  if(((int) upcr_mythread ()) == 0)
  {
    status = conclude(elements, updates, sum, wrong, overwritten);
  }
  free(parts);
  free(plain);
  UPCR_EXIT_FUNCTION();
  return status;
} /* user_main */
#line 1 "_SYSTEM"
/**************************************************************************/
/* upcc-generated strings for configuration consistency checks            */

GASNETT_IDENT(UPCRI_IdentString_gups_o_2210964873_1,
 "$GASNetConfig: (gups.o) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(UPCRI_IdentString_gups_o_2210964873_2,
 "$UPCRConfig: (gups.o) " UPCR_CONFIG_STRING UPCRI_THREADCONFIG_STR " $");
GASNETT_IDENT(UPCRI_IdentString_gups_o_2210964873_3,
 "$UPCTranslator: (gups.o) release 2.28.0 $");
/**************************************************************************/
