/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: mutexes, condition variables and reader/writer locks between the threads of a process. They
 * do not serve the network while they wait. In builds without threads they do nothing
 * (GASNETT_USE_TRUE_MUTEXES=1 makes them real there too), with the same names and initialisers.
 *
 *   gasnett_mutex_init(p)  gasnett_mutex_destroy(p)  gasnett_mutex_lock(p)  gasnett_mutex_unlock(p)
 *   int gasnett_mutex_trylock(p)                0, or EBUSY: it is held
 *   int gasnett_mutex_destroy_ignoreerr(p)      0, or the error for which it could not be destroyed
 *   gasnett_mutex_assertlocked(p)  gasnett_mutex_assertunlocked(p)
 *   gasnett_cond_init(p)  gasnett_cond_destroy(p)  gasnett_cond_signal(p)  gasnett_cond_broadcast(p)
 *   gasnett_cond_wait(pc, pm)                   may return without a signal; fatal where there are no threads
 *   gasnett_rwlock_init(p)  gasnett_rwlock_destroy(p)  gasnett_rwlock_unlock(p)
 *   gasnett_rwlock_rdlock(p)  gasnett_rwlock_wrlock(p)
 *   int gasnett_rwlock_tryrdlock(p)  int gasnett_rwlock_trywrlock(p)      0 or EBUSY
 *   gasnett_rwlock_assertlocked(p)  _assertrdlocked(p)  _assertwrlocked(p)  _assertunlocked(p)
 *
 * None is recursive. Debug builds (GASNET_DEBUG) end the program, naming file and line, on a second lock by
 * the holder, on an unlock by another thread, on a destruction of what is locked and on an assertion that
 * fails.
 */
#pragma once
#include <errno.h>

#include "gasnet/tools/attributes.h"

#if defined(GASNETT_THREAD_SAFE) || (defined(GASNETT_USE_TRUE_MUTEXES) && GASNETT_USE_TRUE_MUTEXES + 0)
#define GASNETTI_REAL_LOCKS 1
#else
#define GASNETTI_REAL_LOCKS 0
#endif

GASNETT_BEGIN_EXTERNC
GASNETI_API GASNETT_NORETURN void gasnetti_lock_misuse(const char *what, const void *lock, const char *file,
                                                       int line);
GASNETT_END_EXTERNC

#if GASNETTI_REAL_LOCKS
#include "gasnet/tools/locks_real.h"
#else
#include "gasnet/tools/locks_none.h"
#endif
