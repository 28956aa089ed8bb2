/* SPDX-License-Identifier: BSD-3-Clause */
/* sort.upc as a whirl2c translator writes it, in its form for pthreads; sort.h is plain C. */
/* --- UPC-to-C translator output: release 2.28.0, pthreads --- */
/* --- UPC Runtime specification expected: 3.6 --- */

#define UPCR_WANT_MAJOR 3
#define UPCR_WANT_MINOR 6
#include "upcr.h"
#include "whirl2c.h"
#include "upcr_proxy.h"
#include "upcr_geninclude/stdlib.h"
#include "sort.h"

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

upcr_pshared_ptr_t buffers;
upcr_pshared_ptr_t numbers;
upcr_pshared_ptr_t lasts;
upcr_pshared_ptr_t unordered;
upcr_pshared_ptr_t sums;
upcr_pshared_ptr_t places;

void UPCRI_ALLOC_sort_1449806237(void) {
UPCR_BEGIN_FUNCTION();

upcr_startup_pshalloc_t _bupc_pinfo[] = {
UPCRT_STARTUP_PSHALLOC(buffers, UPCR_PSHARED_SIZE_, 1, 1, UPCR_PSHARED_SIZE_, "A1H_R1_PR0_m"),
UPCRT_STARTUP_PSHALLOC(numbers, 8, 1, 1, 8, "A1H_R1_m"),
UPCRT_STARTUP_PSHALLOC(lasts, 8, 1, 1, 8, "A1H_R1_m"),
UPCRT_STARTUP_PSHALLOC(unordered, 8, 1, 1, 8, "A1H_R1_m"),
UPCRT_STARTUP_PSHALLOC(sums, 8, 1, 1, 8, "A1H_R1_m"),
UPCRT_STARTUP_PSHALLOC(places, 8, 1, 1, 8, "A1H_R1_m"),
 };

UPCR_SET_SRCPOS("_sort_1449806237_ALLOC",0);
upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}

void UPCRI_INIT_sort_1449806237(void) {
UPCR_BEGIN_FUNCTION();
UPCR_SET_SRCPOS("_sort_1449806237_INIT",0);
}

static void split(
  upcr_pshared_ptr_t samples,
  const uint64_t *keys,
  uint64_t n,
  uint64_t *splitters)
{
  UPCR_BEGIN_FUNCTION();
  int i;
  uint64_t _bupc__spillld0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  for(i = 0; i <= 63; i = i + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(samples, 8ULL, (i * ((int) upcr_threads ())) + ((int) upcr_mythread ()));
    UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, (keys)[(n * (uint64_t)(i)) / 64ULL], 8);
  }
  upcr_barrier(1449806238, 1);
  for(i = 0; i < (((int) upcr_threads ()) * 64); i = i + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(samples, 8ULL, i);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    (splitters)[i] = _bupc__spillld0;
  }
  choose_splitters(splitters, ((int) upcr_threads ()));
  UPCR_EXIT_FUNCTION();
  return;
} /* split */


static uint64_t place(
  upcr_pshared_ptr_t counts,
  const uint64_t *count,
  uint64_t *at)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t mine;
  int from;
  int to;
  uint64_t _bupc__spillld0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  mine = 0ULL;
  for(to = 0; to < ((int) upcr_threads ()); to = to + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(counts, 8ULL, (((int) upcr_mythread ()) * ((int) upcr_threads ())) + to);
    UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, (count)[to], 8);
  }
  upcr_barrier(1449806239, 1);
  for(to = 0; to < ((int) upcr_threads ()); to = to + 1)
  {
    (at)[to] = 0ULL;
    for(from = 0; from < ((int) upcr_mythread ()); from = from + 1)
    {
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(counts, 8ULL, (from * ((int) upcr_threads ())) + to);
      _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
      (at)[to] = (at)[to] + _bupc__spillld0;
    }
  }
  for(from = 0; from < ((int) upcr_threads ()); from = from + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(counts, 8ULL, (from * ((int) upcr_threads ())) + ((int) upcr_mythread ()));
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    mine = mine + _bupc__spillld0;
  }
  UPCR_EXIT_FUNCTION();
  return mine;
} /* place */


static void exchange_shared(
  const uint64_t *keys,
  uint64_t n,
  const uint64_t *splitters,
  uint64_t *at,
  upcr_pshared_ptr_t *to)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t i;
  int t;
  uint64_t _bupc__spilleq0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  for(i = 0ULL; i < n; i = i + 1ULL)
  {
    t = owner((keys)[i], splitters, ((int) upcr_threads ()));
    _bupc__spilleq0 = (at)[t];
    (at)[t] = _bupc__spilleq0 + 1ULL;
    _bupc_Mptra0 = UPCR_ADD_PSHAREDI((to)[t], 8ULL, _bupc__spilleq0);
    UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, (keys)[i], 8);
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* exchange_shared */


static void exchange_bulk(
  const uint64_t *keys,
  uint64_t n,
  const uint64_t *splitters,
  const uint64_t *at,
  upcr_pshared_ptr_t *to,
  const uint64_t *count,
  uint64_t *packed,
  uint64_t *next)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t i;
  uint64_t sum;
  int t;
  uint64_t _bupc__spilleq0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  sum = 0ULL;
  for(t = 0; t < ((int) upcr_threads ()); t = t + 1)
  {
    (next)[t] = sum;
    sum = sum + (count)[t];
  }
  for(i = 0ULL; i < n; i = i + 1ULL)
  {
    t = owner((keys)[i], splitters, ((int) upcr_threads ()));
    _bupc__spilleq0 = (next)[t];
    (next)[t] = _bupc__spilleq0 + 1ULL;
    (packed)[_bupc__spilleq0] = (keys)[i];
  }
  for(t = 0; t < ((int) upcr_threads ()); t = t + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHAREDI((to)[t], 8ULL, (at)[t]);
    upc_memput(UPCR_PSHARED_TO_SHARED(_bupc_Mptra0), (const void *)((packed + (next)[t]) - (count)[t]), (count)[t] * 8ULL);
  }
  UPCR_EXIT_FUNCTION();
  return;
} /* exchange_bulk */


static verdict_t judge_all(
  const uint64_t *got,
  uint64_t mine)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t first;
  uint64_t before;
  verdict_t all;
  verdict_t found;
  int t;
  uint64_t _bupc__spillld0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  first = 0ULL;
  before = 0ULL;
  memset(&all, 0, 24ULL);
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(numbers, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, mine, 8);
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(lasts, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, (mine > 0ULL) ? (got)[mine + -1ULL] : 0ULL, 8);
  upcr_barrier(1449806240, 1);
  for(t = 0; t < ((int) upcr_mythread ()); t = t + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(numbers, 8ULL, t);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    first = first + _bupc__spillld0;
    if(_bupc__spillld0 > 0ULL)
    {
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(lasts, 8ULL, t);
      before = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    }
  }
  found = judge(got, mine, first, before);
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(unordered, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, found.unordered, 8);
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(sums, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, found.keys, 8);
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(places, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, found.places, 8);
  upcr_barrier(1449806241, 1);
  for(t = 0; (((int) upcr_mythread ()) == 0) && (t < ((int) upcr_threads ())); t = t + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(unordered, 8ULL, t);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    all.unordered = all.unordered + _bupc__spillld0;
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(sums, 8ULL, t);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    all.keys = all.keys + _bupc__spillld0;
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(places, 8ULL, t);
    _bupc__spillld0 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
    all.places = all.places + _bupc__spillld0;
  }
  UPCR_EXIT_FUNCTION();
  return all;
} /* judge_all */


extern int user_main(
  int argc,
  char **argv)
{
  UPCR_BEGIN_FUNCTION();
  uint64_t total;
  uint64_t from;
  uint64_t n;
  uint64_t most;
  uint64_t i;
  uint64_t mine;
  int rounds;
  int version;
  int round;
  int t;
  int status;
  uint64_t *keys;
  uint64_t *scratch;
  uint64_t *got;
  uint64_t *splitters;
  uint64_t *count;
  uint64_t *at;
  uint64_t *next;
  upcr_pshared_ptr_t samples;
  upcr_pshared_ptr_t counts;
  upcr_pshared_ptr_t *to;
  double start;
  double exchange;
  double now;
  double best[2LL];
  verdict_t all;
  upcr_pshared_ptr_t _bupc__spilleq0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  total = (argc > 1) ? strtoull((const char *)(argv)[1LL], (char **) 0ULL, 0) : 8192ULL;
  from = first_key(total, ((int) upcr_mythread ()), ((int) upcr_threads ()));
  n = first_key(total, ((int) upcr_mythread ()) + 1, ((int) upcr_threads ())) - from;
  most = room(total, ((int) upcr_threads ()));
  rounds = (argc > 2) ? atoi((const char *)(argv)[2LL]) : 1;
  status = 0;
  keys = (uint64_t *)(malloc((n + 1ULL) * 8ULL));
  scratch = (uint64_t *)(malloc(most * 8ULL));
  splitters = (uint64_t *)(malloc((unsigned long)(((int) upcr_threads ()) * 64) * 8ULL));
  count = (uint64_t *)(malloc((unsigned long)(((int) upcr_threads ()) * 3) * 8ULL));
  at = count + ((int) upcr_threads ());
  next = at + ((int) upcr_threads ());
  samples = UPCR_SHARED_TO_PSHARED(upc_all_alloc((unsigned long)(((int) upcr_threads ()) * 64), 8ULL));
  counts = UPCR_SHARED_TO_PSHARED(upc_all_alloc((unsigned long)(((int) upcr_threads ()) * ((int) upcr_threads ())), 8ULL));
  to = (upcr_pshared_ptr_t *)(malloc((unsigned long)((int) upcr_threads ()) * UPCR_PSHARED_SIZE_));
  _bupc__spilleq0 = UPCR_SHARED_TO_PSHARED(upc_alloc(most * 8ULL));
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(buffers, UPCR_PSHARED_SIZE_, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED(_bupc_Mptra0, 0, &_bupc__spilleq0, UPCR_PSHARED_SIZE_);
  upcr_barrier(1449806242, 1);
  for(t = 0; t < ((int) upcr_threads ()); t = t + 1)
  {
    _bupc_Mptra0 = UPCR_ADD_PSHARED1(buffers, UPCR_PSHARED_SIZE_, t);
    UPCR_GET_PSHARED(&_bupc__spilleq0, _bupc_Mptra0, 0, UPCR_PSHARED_SIZE_);
    (to)[t] = _bupc__spilleq0;
  }
  got = (uint64_t *)(UPCR_PSHARED_TO_LOCAL((to)[((int) upcr_mythread ())]));
  for(i = 0ULL; i < n; i = i + 1ULL)
  {
    (keys)[i] = number(from + i);
  }
  for(version = 0; version <= 1; version = version + 1)
  {
    (best)[0LL] = (best)[1LL] = 1e+09;
    memset((void *)(got), 0, most * 8ULL);
    for(round = 0; round < rounds; round = round + 1)
    {
      upcr_barrier(1449806243, 1);
      start = seconds();
      split(samples, keys, n, splitters);
      for(t = 0; t < ((int) upcr_threads ()); t = t + 1)
      {
        (count)[t] = 0ULL;
      }
      for(i = 0ULL; i < n; i = i + 1ULL)
      {
        t = owner((keys)[i], splitters, ((int) upcr_threads ()));
        (count)[t] = (count)[t] + 1ULL;
      }
      mine = place(counts, count, at);
      if(mine > most)
      {
        upc_global_exit(3);
      }
      upcr_barrier(1449806244, 1);
      exchange = seconds();
      if(version == 0)
      {
        exchange_shared(keys, n, splitters, at, to);
      }
      else
      {
        exchange_bulk(keys, n, splitters, at, to, count, scratch, next);
      }
      upcr_barrier(1449806245, 1);
      now = seconds();
      if((now - exchange) < (best)[1LL])
      {
        (best)[1LL] = now - exchange;
      }
      sort_here(got, scratch, mine);
      upcr_barrier(1449806246, 1);
      now = seconds();
      if((now - start) < (best)[0LL])
      {
        (best)[0LL] = now - start;
      }
    }
    all = judge_all(got, mine);
    if(((int) upcr_mythread ()) == 0)
    {
      report((version == 0) ? "shared" : "bulk", ((int) upcr_threads ()), total, (best)[0LL], (best)[1LL]);
      status = status | check(total, all);
    }
  }
  if((((int) upcr_mythread ()) == 0) && (status == 0))
  {
    done(total, all);
  }
  free(keys);
  free(scratch);
  free(splitters);
  free(count);
  free(to);
  UPCR_EXIT_FUNCTION();
  return status;
} /* user_main */

#line 1 "_SYSTEM"
/**************************************************************************/
/* upcc-generated strings for configuration consistency checks            */

GASNETT_IDENT(UPCRI_IdentString_sort_o_1449806237_1,
 "$GASNetConfig: (sort.o) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(UPCRI_IdentString_sort_o_1449806237_2,
 "$UPCRConfig: (sort.o) " UPCR_CONFIG_STRING UPCRI_THREADCONFIG_STR " $");
GASNETT_IDENT(UPCRI_IdentString_sort_o_1449806237_3,
 "$UPCTranslator: (sort.o) release 2.28.0 $");
/**************************************************************************/
