/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The locks of locks.h where there are threads: POSIX's, with the holder noted in debug builds. (So an object
 * of a debug build and one of a release build cannot use the same lock, though its type is the same.)
 */
#pragma once
#include "gasnet/tools/locks.h"

#if GASNETTI_REAL_LOCKS
#include <pthread.h>

GASNETT_BEGIN_EXTERNC

typedef struct {
    pthread_mutex_t gasnetti_mutex;
    volatile uintptr_t gasnetti_holder; /* debug builds: gasnetti_thread_id() of the holder, or 0 */
} gasnett_mutex_t;
#define GASNETT_MUTEX_INITIALIZER \
    { PTHREAD_MUTEX_INITIALIZER, 0 }

typedef struct {
    pthread_cond_t gasnetti_cond;
} gasnett_cond_t;
#define GASNETT_COND_INITIALIZER \
    { PTHREAD_COND_INITIALIZER }

/* Room for a pthread_rwlock_t, which strict C does not declare; all zero is unlocked. */
typedef struct {
    uint64_t gasnetti_room[8];
    volatile uintptr_t gasnetti_writer; /* debug builds */
    volatile uintptr_t gasnetti_readers;
} gasnett_rwlock_t;
#define GASNETT_RWLOCK_INITIALIZER \
    { {0}, 0, 0 }

GASNETI_API void gasnett_rwlock_init(gasnett_rwlock_t *p);
GASNETI_API void gasnetti_rwlock_destroy(gasnett_rwlock_t *p, const char *file, int line);
GASNETI_API void gasnetti_rwlock_rdlock(gasnett_rwlock_t *p, const char *file, int line);
GASNETI_API void gasnetti_rwlock_wrlock(gasnett_rwlock_t *p, const char *file, int line);
GASNETI_API void gasnetti_rwlock_unlock(gasnett_rwlock_t *p, const char *file, int line);
GASNETI_API int gasnett_rwlock_tryrdlock(gasnett_rwlock_t *p);
GASNETI_API int gasnett_rwlock_trywrlock(gasnett_rwlock_t *p);

/* Debug builds. */
GASNETI_API void gasnetti_mutex_destroy(gasnett_mutex_t *p, const char *file, int line);
GASNETI_API void gasnetti_mutex_lock(gasnett_mutex_t *p, const char *file, int line);
GASNETI_API void gasnetti_mutex_unlock(gasnett_mutex_t *p, const char *file, int line);
GASNETI_API int gasnetti_mutex_trylock(gasnett_mutex_t *p, const char *file, int line);
GASNETI_API void gasnetti_mutex_assert(const gasnett_mutex_t *p, int locked, const char *file, int line);
GASNETI_API void gasnetti_cond_wait(gasnett_cond_t *pc, gasnett_mutex_t *pm, const char *file, int line);
/* what: 1 locked, 2 for reading, 3 for writing, 0 not by this thread for writing */
GASNETI_API void gasnetti_rwlock_assert(const gasnett_rwlock_t *p, int what, const char *file, int line);

GASNETT_PLEASE_INLINE(gasnett_mutex_init) void gasnett_mutex_init(gasnett_mutex_t *p) {
    (void)pthread_mutex_init(&p->gasnetti_mutex, NULL);
    p->gasnetti_holder = 0;
}
GASNETT_PLEASE_INLINE(gasnett_mutex_destroy_ignoreerr)
int gasnett_mutex_destroy_ignoreerr(gasnett_mutex_t *p) { return pthread_mutex_destroy(&p->gasnetti_mutex); }
GASNETT_PLEASE_INLINE(gasnett_cond_init) void gasnett_cond_init(gasnett_cond_t *p) {
    (void)pthread_cond_init(&p->gasnetti_cond, NULL);
}
GASNETT_PLEASE_INLINE(gasnett_cond_destroy) void gasnett_cond_destroy(gasnett_cond_t *p) {
    (void)pthread_cond_destroy(&p->gasnetti_cond);
}
GASNETT_PLEASE_INLINE(gasnett_cond_signal) void gasnett_cond_signal(gasnett_cond_t *p) {
    (void)pthread_cond_signal(&p->gasnetti_cond);
}
GASNETT_PLEASE_INLINE(gasnett_cond_broadcast) void gasnett_cond_broadcast(gasnett_cond_t *p) {
    (void)pthread_cond_broadcast(&p->gasnetti_cond);
}

GASNETT_END_EXTERNC

#ifdef GASNET_DEBUG
#define gasnett_mutex_destroy(p) gasnetti_mutex_destroy(p, __FILE__, __LINE__)
#define gasnett_mutex_lock(p) gasnetti_mutex_lock(p, __FILE__, __LINE__)
#define gasnett_mutex_unlock(p) gasnetti_mutex_unlock(p, __FILE__, __LINE__)
#define gasnett_mutex_trylock(p) gasnetti_mutex_trylock(p, __FILE__, __LINE__)
#define gasnett_mutex_assertlocked(p) gasnetti_mutex_assert(p, 1, __FILE__, __LINE__)
#define gasnett_mutex_assertunlocked(p) gasnetti_mutex_assert(p, 0, __FILE__, __LINE__)
#define gasnett_cond_wait(pc, pm) gasnetti_cond_wait(pc, pm, __FILE__, __LINE__)
#define gasnett_rwlock_assertlocked(p) gasnetti_rwlock_assert(p, 1, __FILE__, __LINE__)
#define gasnett_rwlock_assertrdlocked(p) gasnetti_rwlock_assert(p, 2, __FILE__, __LINE__)
#define gasnett_rwlock_assertwrlocked(p) gasnetti_rwlock_assert(p, 3, __FILE__, __LINE__)
#define gasnett_rwlock_assertunlocked(p) gasnetti_rwlock_assert(p, 0, __FILE__, __LINE__)
#else
#define gasnett_mutex_destroy(p) ((void)gasnett_mutex_destroy_ignoreerr(p))
#define gasnett_mutex_lock(p) ((void)pthread_mutex_lock(&(p)->gasnetti_mutex))
#define gasnett_mutex_unlock(p) ((void)pthread_mutex_unlock(&(p)->gasnetti_mutex))
#define gasnett_mutex_trylock(p) pthread_mutex_trylock(&(p)->gasnetti_mutex)
#define gasnett_mutex_assertlocked(p) ((void)(p))
#define gasnett_mutex_assertunlocked(p) ((void)(p))
#define gasnett_cond_wait(pc, pm) ((void)pthread_cond_wait(&(pc)->gasnetti_cond, &(pm)->gasnetti_mutex))
#define gasnett_rwlock_assertlocked(p) ((void)(p))
#define gasnett_rwlock_assertrdlocked(p) ((void)(p))
#define gasnett_rwlock_assertwrlocked(p) ((void)(p))
#define gasnett_rwlock_assertunlocked(p) ((void)(p))
#endif
#define gasnett_rwlock_destroy(p) gasnetti_rwlock_destroy(p, __FILE__, __LINE__)
#define gasnett_rwlock_rdlock(p) gasnetti_rwlock_rdlock(p, __FILE__, __LINE__)
#define gasnett_rwlock_wrlock(p) gasnetti_rwlock_wrlock(p, __FILE__, __LINE__)
#define gasnett_rwlock_unlock(p) gasnetti_rwlock_unlock(p, __FILE__, __LINE__)

#endif
