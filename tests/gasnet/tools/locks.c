/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutexes, conditions, reader/writer locks and thread keys; with threads they exclude, without they compile. */
#include <gasnet_tools.h>

#include "check.h"

static struct {
    int before;
    gasnett_mutex_t mutex;
    gasnett_cond_t cond;
    gasnett_rwlock_t rw;
    int behind;
} shared = {1, GASNETT_MUTEX_INITIALIZER, GASNETT_COND_INITIALIZER, GASNETT_RWLOCK_INITIALIZER, 2};

GASNETT_THREADKEY_DECLARE(early);
static void *early_value(void) { return gasnett_threadkey_get(early); }
GASNETT_THREADKEY_DEFINE(early);
GASNETT_THREADKEY_DEFINE(late);

static void single_thread(void) {
    gasnett_mutex_t mutex;
    gasnett_cond_t cond;
    gasnett_rwlock_t rw;
    void *volatile value = &mutex;
    gasnett_mutex_init(&mutex);
    gasnett_cond_init(&cond);
    gasnett_rwlock_init(&rw);
    gasnett_mutex_assertunlocked(&mutex);
    gasnett_mutex_lock(&mutex);
    gasnett_mutex_assertlocked(&mutex);
    gasnett_cond_signal(&cond);
    gasnett_cond_broadcast(&cond);
    gasnett_mutex_unlock(&mutex);
    CHECK(gasnett_mutex_trylock(&mutex) == 0);
    gasnett_mutex_unlock(&mutex);
    gasnett_mutex_assertunlocked(&mutex);

    gasnett_rwlock_assertunlocked(&rw);
    gasnett_rwlock_rdlock(&rw);
    gasnett_rwlock_assertlocked(&rw);
    gasnett_rwlock_assertrdlocked(&rw);
    gasnett_rwlock_unlock(&rw);
    gasnett_rwlock_wrlock(&rw);
    gasnett_rwlock_assertwrlocked(&rw);
    gasnett_rwlock_unlock(&rw);
    CHECK(gasnett_rwlock_tryrdlock(&rw) == 0);
    gasnett_rwlock_unlock(&rw);
    CHECK(gasnett_rwlock_trywrlock(&rw) == 0);
    gasnett_rwlock_unlock(&rw);
    gasnett_rwlock_destroy(&rw);
    gasnett_cond_destroy(&cond);
    gasnett_mutex_destroy(&mutex);
    gasnett_mutex_init(&mutex);
    CHECK(gasnett_mutex_destroy_ignoreerr(&mutex) == 0);

    gasnett_threadkey_init(late);
    CHECK(gasnett_threadkey_get(late) == NULL && early_value() == NULL);
    gasnett_threadkey_set(late, value);
    gasnett_threadkey_set_noinit(early, (void *)(uintptr_t)77);
    value = gasnett_threadkey_get_noinit(late);
    CHECK(value == &mutex && (uintptr_t)early_value() == 77);
}

#if WANT_THREADS
#include <pthread.h>
enum { THREADS = 4, ROUNDS = 5000 };
static long guarded;
static int turn, readers, most_readers;

static void *excluded(void *arg) {
    const int me = (int)(intptr_t)arg;
    int i;
    CHECK(gasnett_threadkey_get(late) == NULL);
    gasnett_threadkey_set(late, arg);
    for (i = 0; i < ROUNDS; i++) {
        if (i % 5 == 0) {
            while (gasnett_mutex_trylock(&shared.mutex) == EBUSY) gasnett_sched_yield();
        } else {
            gasnett_mutex_lock(&shared.mutex);
        }
        guarded++;
        gasnett_mutex_unlock(&shared.mutex);
        if (i % 50 == 0) { /* in turns */
            gasnett_mutex_lock(&shared.mutex);
            while (turn % THREADS != me) gasnett_cond_wait(&shared.cond, &shared.mutex);
            turn++;
            gasnett_cond_broadcast(&shared.cond);
            gasnett_mutex_unlock(&shared.mutex);
        }
        if (i % 3 == me % 3) {
            gasnett_rwlock_wrlock(&shared.rw);
            CHECK(__atomic_load_n(&readers, __ATOMIC_RELAXED) == 0);
            guarded++;
            gasnett_rwlock_unlock(&shared.rw);
            gasnett_mutex_lock(&shared.mutex);
            guarded--;
            gasnett_mutex_unlock(&shared.mutex);
        } else {
            gasnett_rwlock_rdlock(&shared.rw);
            __atomic_add_fetch(&readers, 1, __ATOMIC_RELAXED);
            __atomic_sub_fetch(&readers, 1, __ATOMIC_RELAXED);
            gasnett_rwlock_unlock(&shared.rw);
        }
    }
    CHECK(gasnett_threadkey_get(late) == arg);
    return NULL;
}

static void *try_while_locked(void *arg) {
    (void)arg;
    CHECK(gasnett_mutex_trylock(&shared.mutex) == EBUSY);
    CHECK(gasnett_rwlock_trywrlock(&shared.rw) == EBUSY);
    CHECK(gasnett_rwlock_tryrdlock(&shared.rw) == EBUSY);
    return NULL;
}

static void run(int count, void *(*body)(void *)) {
    pthread_t ids[THREADS];
    int i;
    for (i = 0; i < count; i++) CHECK(pthread_create(&ids[i], NULL, body, (void *)(intptr_t)i) == 0);
    for (i = 0; i < count; i++) CHECK(pthread_join(ids[i], NULL) == 0);
}

static void together(void) {
    (void)most_readers;
    gasnett_mutex_lock(&shared.mutex);
    gasnett_rwlock_wrlock(&shared.rw);
    run(1, try_while_locked);
    gasnett_rwlock_unlock(&shared.rw);
    gasnett_mutex_unlock(&shared.mutex);
    guarded = 0;
    run(THREADS, excluded);
    CHECK(turn == THREADS * ROUNDS / 50);
}

#ifdef GASNET_DEBUG
static void lock_twice(void) { gasnett_mutex_lock(&shared.mutex), gasnett_mutex_lock(&shared.mutex); }
static void try_twice(void) { gasnett_mutex_lock(&shared.mutex), (void)gasnett_mutex_trylock(&shared.mutex); }
static void unlock_unlocked(void) { gasnett_mutex_unlock(&shared.mutex); }
static void *unlock_it(void *arg) { return gasnett_mutex_unlock(&shared.mutex), arg; }
static void unlock_foreign(void) { gasnett_mutex_lock(&shared.mutex), run(1, unlock_it); }
static void destroy_locked(void) { gasnett_mutex_lock(&shared.mutex), gasnett_mutex_destroy(&shared.mutex); }
static void assert_locked(void) { gasnett_mutex_assertlocked(&shared.mutex); }
static void assert_unlocked(void) {
    gasnett_mutex_lock(&shared.mutex), gasnett_mutex_assertunlocked(&shared.mutex);
}
static void assert_writer(void) {
    gasnett_rwlock_rdlock(&shared.rw), gasnett_rwlock_assertwrlocked(&shared.rw);
}
static void assert_reader(void) { gasnett_rwlock_assertrdlocked(&shared.rw); }
static void unlock_rw(void) { gasnett_rwlock_unlock(&shared.rw); }
static void wait_unlocked(void) { gasnett_cond_wait(&shared.cond, &shared.mutex); }

static void misuse(void) {
    CHECK_FATAL(lock_twice, "holds the mutex already");
    CHECK_FATAL(try_twice, "holds the mutex already");
    CHECK_FATAL(unlock_unlocked, "does not hold the mutex");
    CHECK_FATAL(unlock_foreign, "does not hold the mutex");
    CHECK_FATAL(destroy_locked, "locks.c:");
    CHECK_FATAL(assert_locked, "assertlocked");
    CHECK_FATAL(assert_unlocked, "assertunlocked");
    CHECK_FATAL(assert_writer, "assertwrlocked");
    CHECK_FATAL(assert_reader, "assertrdlocked");
    CHECK_FATAL(unlock_rw, "does not hold the lock");
    CHECK_FATAL(wait_unlocked, "does not hold the mutex");
}
#endif
#else
static void wait_alone(void) { gasnett_cond_wait(&shared.cond, &shared.mutex); }
#endif

int main(void) {
    unsetenv("GASNET_BACKTRACE");
    single_thread();
#if WANT_THREADS
    together();
#ifdef GASNET_DEBUG
    misuse();
#endif
#else
    CHECK_FATAL(wait_alone, "without threads");
#endif
    CHECK(shared.before == 1 && shared.behind == 2);
    return 0;
}
