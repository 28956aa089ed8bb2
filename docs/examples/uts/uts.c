/* SPDX-License-Identifier: BSD-3-Clause */
/* uts.upc as a whirl2c translator writes it, in its form for pthreads; uts.h is plain C. */
/* --- UPC-to-C translator output: release 2.28.0, pthreads --- */
/* --- UPC Runtime specification expected: 3.6 --- */

#define UPCR_WANT_MAJOR 3
#define UPCR_WANT_MINOR 6
#include "upcr.h"
#include "whirl2c.h"
#include "upcr_proxy.h"
#include <sched.h>
#include "upcr_geninclude/stdlib.h"
#include "upcr_geninclude/string.h"
#include "uts.h"

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

upcr_pshared_ptr_t locks;
upcr_pshared_ptr_t available;
upcr_pshared_ptr_t starts;
upcr_pshared_ptr_t idle;
upcr_pshared_ptr_t found_nodes;
upcr_pshared_ptr_t found_depth;
upcr_pshared_ptr_t found_steals;

void UPCRI_ALLOC_uts_3056127789(void) {
UPCR_BEGIN_FUNCTION();

upcr_startup_pshalloc_t _bupc_pinfo[] = {
UPCRT_STARTUP_PSHALLOC(locks, UPCR_SHARED_SIZE_, 1, 1, UPCR_SHARED_SIZE_, "A1H_R1_PR1_v"),
UPCRT_STARTUP_PSHALLOC(available, 8, 1, 1, 8, "A1H_R1_l"),
UPCRT_STARTUP_PSHALLOC(starts, 8, 1, 1, 8, "A1H_R1_l"),
UPCRT_STARTUP_PSHALLOC(idle, 8, 1, 0, 8, "R1_m"),
UPCRT_STARTUP_PSHALLOC(found_nodes, 8, 1, 1, 8, "A1H_R1_m"),
UPCRT_STARTUP_PSHALLOC(found_depth, 8, 1, 1, 8, "A1H_R1_m"),
UPCRT_STARTUP_PSHALLOC(found_steals, 8, 1, 1, 8, "A1H_R1_m"),
 };

UPCR_SET_SRCPOS("_uts_3056127789_ALLOC",0);
upcr_startup_pshalloc(_bupc_pinfo, sizeof(_bupc_pinfo) / sizeof(upcr_startup_pshalloc_t));
}

void UPCRI_INIT_uts_3056127789(void) {
UPCR_BEGIN_FUNCTION();
UPCR_SET_SRCPOS("_uts_3056127789_INIT",0);
}

static long steal(
  upcr_shared_ptr_t stacks,
  int from,
  node_t *stack)
{
  UPCR_BEGIN_FUNCTION();
  long count;
  long _bupc__spillld0;
  upcr_shared_ptr_t _bupc__spillld1;
  upcr_shared_ptr_t _bupc_Mptra0;
  upcr_pshared_ptr_t _bupc_Mptra1;

  _bupc_Mptra1 = UPCR_ADD_PSHARED1(locks, UPCR_SHARED_SIZE_, from);
  UPCR_GET_PSHARED(&_bupc__spillld1, _bupc_Mptra1, 0, UPCR_SHARED_SIZE_);
  upc_lock(_bupc__spillld1);
  _bupc_Mptra1 = UPCR_ADD_PSHARED1(available, 8ULL, from);
  count = (long) UPCR_GET_PSHARED_VAL(_bupc_Mptra1, 0, 8);
  if(count > 0LL)
  {
    _bupc_Mptra1 = UPCR_ADD_PSHARED1(starts, 8ULL, from);
    _bupc__spillld0 = (long) UPCR_GET_PSHARED_VAL(_bupc_Mptra1, 0, 8);
    _bupc_Mptra0 = UPCR_ADD_SHARED(stacks, 16ULL, (long)(from * 65536) + _bupc__spillld0, 65536ULL);
    upc_memget((void *)(stack), _bupc_Mptra0, (unsigned long)(count) * 16ULL);
    _bupc_Mptra1 = UPCR_ADD_PSHARED1(available, 8ULL, from);
    UPCR_PUT_PSHARED_VAL(_bupc_Mptra1, 0, 0LL, 8);
  }
  _bupc_Mptra1 = UPCR_ADD_PSHARED1(locks, UPCR_SHARED_SIZE_, from);
  UPCR_GET_PSHARED(&_bupc__spillld1, _bupc_Mptra1, 0, UPCR_SHARED_SIZE_);
  upc_unlock(_bupc__spillld1);
  UPCR_EXIT_FUNCTION();
  return count;
} /* steal */


static long find_work(
  upcr_shared_ptr_t stacks,
  node_t *stack)
{
  UPCR_BEGIN_FUNCTION();
  long count;
  int v;
  long _bupc__spillld0;
  upcr_pshared_ptr_t _bupc_Mptra0;

  bupc_atomicU64_fetchadd_strict(UPCR_PSHARED_TO_SHARED(idle), 1ULL);
  while(bupc_atomicU64_read_strict(UPCR_PSHARED_TO_SHARED(idle)) < (unsigned long)((int) upcr_threads ()))
  {
    for(v = _I4MOD(((int) upcr_mythread ()) + 1, ((int) upcr_threads ())); v != ((int) upcr_mythread ()); v = _I4MOD(v + 1, ((int) upcr_threads ())))
    {
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(available, 8ULL, v);
      _bupc__spillld0 = (long) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
      if(_bupc__spillld0 == 0LL)
      {
        continue;
      }
      bupc_atomicU64_fetchadd_strict(UPCR_PSHARED_TO_SHARED(idle), -1ULL);
      count = steal(stacks, v, stack);
      if(count > 0LL)
      {
        UPCR_EXIT_FUNCTION();
        return count;
      }
      bupc_atomicU64_fetchadd_strict(UPCR_PSHARED_TO_SHARED(idle), 1ULL);
    }
    bupc_poll();
    sched_yield();
  }
  UPCR_EXIT_FUNCTION();
  return 0LL;
} /* find_work */


static found_t search(
  upcr_shared_ptr_t stacks,
  int tree)
{
  UPCR_BEGIN_FUNCTION();
  node_t *stack;
  volatile long *offered;
  volatile long *offer;
  upcr_shared_ptr_t lock;
  long local;
  long top;
  found_t found;
  upcr_shared_ptr_t _bupc_Mptra0;
  upcr_pshared_ptr_t _bupc_Mptra1;

  _bupc_Mptra0 = UPCR_ADD_SHARED(stacks, 16ULL, ((int) upcr_mythread ()) * 65536, 65536ULL);
  stack = (node_t *)(UPCR_SHARED_TO_LOCAL(_bupc_Mptra0));
  _bupc_Mptra1 = UPCR_ADD_PSHARED1(available, 8ULL, ((int) upcr_mythread ()));
  offered = (volatile long *)(UPCR_PSHARED_TO_LOCAL(_bupc_Mptra1));
  _bupc_Mptra1 = UPCR_ADD_PSHARED1(starts, 8ULL, ((int) upcr_mythread ()));
  offer = (volatile long *)(UPCR_PSHARED_TO_LOCAL(_bupc_Mptra1));
  _bupc_Mptra1 = UPCR_ADD_PSHARED1(locks, UPCR_SHARED_SIZE_, ((int) upcr_mythread ()));
  UPCR_GET_PSHARED(&lock, _bupc_Mptra1, 0, UPCR_SHARED_SIZE_);
  local = 0LL;
  top = 0LL;
  memset(&found, 0, 24ULL);
  if(((int) upcr_mythread ()) == 0)
  {
    (stack)[top] = root(tree);
    top = top + 1LL;
  }
  while(1)
  {
    while(top > local)
    {
      top = visit(tree, stack, top, &found);
      if(((top - local) > 64LL) && (*offered == 0LL))
      {
        upc_lock(lock);
        if(local > 32768LL)
        {
          memmove((void *)(stack), (const void *)(stack + local), (unsigned long)(top - local) * 16ULL);
          top = top - local;
          local = 0LL;
        }
        *offer = local;
        local = local + 32LL;
        *offered = 32LL;
        upc_unlock(lock);
      }
      if((found.nodes % 256ULL) == 0ULL)
      {
        bupc_poll();
      }
    }
    if(*offered > 0LL)
    {
      upc_lock(lock);
      if(*offered > 0LL)
      {
        local = *offer;
      }
      *offered = 0LL;
      upc_unlock(lock);
    }
    else
    {
      local = 0LL;
      top = find_work(stacks, stack);
      if(top == 0LL)
      {
        UPCR_EXIT_FUNCTION();
        return found;
      }
      found.steals = found.steals + 1ULL;
    }
  }
} /* search */


extern int user_main(
  int argc,
  char **argv)
{
  UPCR_BEGIN_FUNCTION();
  int tree;
  int t;
  int status;
  found_t found;
  found_t all;
  double start;
  double time;
  upcr_shared_ptr_t stacks;
  upcr_shared_ptr_t _bupc__spilleq0;
  uint64_t _bupc__spillld1;
  upcr_pshared_ptr_t _bupc_Mptra0;

  tree = (argc > 1) ? atoi((const char *)(argv)[1LL]) : 0;
  status = 0;
  memset(&all, 0, 24ULL);
  if((tree < 0) || (tree > 2))
  {
    if(((int) upcr_mythread ()) == 0)
    {
      fprintf(stderr, "usage: uts [tree: 0 to %d]\n", 2);
    }
    UPCR_EXIT_FUNCTION();
    return 2;
  }
  stacks = upc_all_alloc((unsigned long)((int) upcr_threads ()), 1048576ULL);
  _bupc__spilleq0 = upc_global_lock_alloc();
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(locks, UPCR_SHARED_SIZE_, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED(_bupc_Mptra0, 0, &_bupc__spilleq0, UPCR_SHARED_SIZE_);
  upcr_barrier(3056127790, 1);
  start = seconds();
  found = search(stacks, tree);
  upcr_barrier(3056127791, 1);
  time = seconds() - start;
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(found_nodes, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, found.nodes, 8);
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(found_depth, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, found.depth, 8);
  _bupc_Mptra0 = UPCR_ADD_PSHARED1(found_steals, 8ULL, ((int) upcr_mythread ()));
  UPCR_PUT_PSHARED_VAL(_bupc_Mptra0, 0, found.steals, 8);
  upcr_barrier(3056127792, 1);
  if(((int) upcr_mythread ()) == 0)
  {
    for(t = 0; t < ((int) upcr_threads ()); t = t + 1)
    {
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(found_nodes, 8ULL, t);
      _bupc__spillld1 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
      all.nodes = all.nodes + _bupc__spillld1;
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(found_steals, 8ULL, t);
      _bupc__spillld1 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
      all.steals = all.steals + _bupc__spillld1;
      _bupc_Mptra0 = UPCR_ADD_PSHARED1(found_depth, 8ULL, t);
      _bupc__spillld1 = (uint64_t) UPCR_GET_PSHARED_VAL(_bupc_Mptra0, 0, 8);
      if(_bupc__spillld1 > all.depth)
      {
        all.depth = _bupc__spillld1;
      }
    }
    status = conclude("upc", ((int) upcr_threads ()), tree, all, time);
  }
  UPCR_EXIT_FUNCTION();
  return status;
} /* user_main */

#line 1 "_SYSTEM"
/**************************************************************************/
/* upcc-generated strings for configuration consistency checks            */

GASNETT_IDENT(UPCRI_IdentString_uts_o_3056127789_1,
 "$GASNetConfig: (uts.o) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(UPCRI_IdentString_uts_o_3056127789_2,
 "$UPCRConfig: (uts.o) " UPCR_CONFIG_STRING UPCRI_THREADCONFIG_STR " $");
GASNETT_IDENT(UPCRI_IdentString_uts_o_3056127789_3,
 "$UPCTranslator: (uts.o) release 2.28.0 $");
/**************************************************************************/
