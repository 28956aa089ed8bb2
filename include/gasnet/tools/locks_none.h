/* SPDX-License-Identifier: BSD-3-Clause */
/* The locks of locks.h where there is one thread: types that can be initialised, and nothing else. */
#pragma once
#include "gasnet/tools/locks.h"

#if !GASNETTI_REAL_LOCKS
GASNETT_BEGIN_EXTERNC

typedef struct {
    char gasnetti_unused;
} gasnett_mutex_t, gasnett_cond_t, gasnett_rwlock_t;
#define GASNETT_MUTEX_INITIALIZER \
    { 0 }
#define GASNETT_COND_INITIALIZER \
    { 0 }
#define GASNETT_RWLOCK_INITIALIZER \
    { 0 }

GASNETT_ALWAYS_INLINE(gasnetti_no_mutex) int gasnetti_no_mutex(gasnett_mutex_t *p) { return (void)p, 0; }
GASNETT_ALWAYS_INLINE(gasnetti_no_cond) int gasnetti_no_cond(gasnett_cond_t *p) { return (void)p, 0; }
GASNETT_ALWAYS_INLINE(gasnetti_no_rwlock) int gasnetti_no_rwlock(gasnett_rwlock_t *p) { return (void)p, 0; }

GASNETT_END_EXTERNC

#define gasnett_mutex_init(p) ((void)gasnetti_no_mutex(p))
#define gasnett_mutex_destroy(p) ((void)gasnetti_no_mutex(p))
#define gasnett_mutex_destroy_ignoreerr(p) gasnetti_no_mutex(p)
#define gasnett_mutex_lock(p) ((void)gasnetti_no_mutex(p))
#define gasnett_mutex_unlock(p) ((void)gasnetti_no_mutex(p))
#define gasnett_mutex_trylock(p) gasnetti_no_mutex(p)
#define gasnett_mutex_assertlocked(p) ((void)gasnetti_no_mutex(p))
#define gasnett_mutex_assertunlocked(p) ((void)gasnetti_no_mutex(p))

#define gasnett_cond_init(p) ((void)gasnetti_no_cond(p))
#define gasnett_cond_destroy(p) ((void)gasnetti_no_cond(p))
#define gasnett_cond_signal(p) ((void)gasnetti_no_cond(p))
#define gasnett_cond_broadcast(p) ((void)gasnetti_no_cond(p))
#define gasnett_cond_wait(pc, pm)                                                                         \
    ((void)gasnetti_no_cond(pc), (void)gasnetti_no_mutex(pm),                                             \
     gasnetti_lock_misuse(                                                                                \
         "waiting for a signal that no other thread can send: this file is compiled without threads", pc, \
         __FILE__, __LINE__))

#define gasnett_rwlock_init(p) ((void)gasnetti_no_rwlock(p))
#define gasnett_rwlock_destroy(p) ((void)gasnetti_no_rwlock(p))
#define gasnett_rwlock_rdlock(p) ((void)gasnetti_no_rwlock(p))
#define gasnett_rwlock_wrlock(p) ((void)gasnetti_no_rwlock(p))
#define gasnett_rwlock_unlock(p) ((void)gasnetti_no_rwlock(p))
#define gasnett_rwlock_tryrdlock(p) gasnetti_no_rwlock(p)
#define gasnett_rwlock_trywrlock(p) gasnetti_no_rwlock(p)
#define gasnett_rwlock_assertlocked(p) ((void)gasnetti_no_rwlock(p))
#define gasnett_rwlock_assertrdlocked(p) ((void)gasnetti_no_rwlock(p))
#define gasnett_rwlock_assertwrlocked(p) ((void)gasnetti_no_rwlock(p))
#define gasnett_rwlock_assertunlocked(p) ((void)gasnetti_no_rwlock(p))

#endif
