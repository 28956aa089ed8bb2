// SPDX-License-Identifier: BSD-3-Clause
// The locks of gasnet/tools/locks.h: what their debug builds check, and reader/writer locks. Any thread.
#include "include/gasnet/tools/locks.h"

#include <pthread.h>

#include <cstdint>
#include <cstring>

#include "conduits/core/base/report/error.hpp"

static_assert(sizeof(pthread_rwlock_t) <= sizeof(gasnett_rwlock_t::gasnetti_room));
static_assert(alignof(pthread_rwlock_t) <= alignof(gasnett_rwlock_t));

namespace {

// Not 0 for any thread, and cheap: the address of something thread-local.
std::uintptr_t me() noexcept {
  static thread_local char mark;
  return reinterpret_cast<std::uintptr_t>(&mark);
}

pthread_rwlock_t* lock_of(gasnett_rwlock_t* p) noexcept {
  return reinterpret_cast<pthread_rwlock_t*>(p->gasnetti_room);
}

void set_holder(gasnett_mutex_t* p, std::uintptr_t thread) noexcept {
  __atomic_store_n(&p->gasnetti_holder, thread, __ATOMIC_RELAXED);
}
std::uintptr_t holder_of(const gasnett_mutex_t* p) noexcept {
  return __atomic_load_n(&p->gasnetti_holder, __ATOMIC_RELAXED);
}

std::uintptr_t writer_of(const gasnett_rwlock_t* p) noexcept {
  return __atomic_load_n(&p->gasnetti_writer, __ATOMIC_RELAXED);
}
void count_readers(gasnett_rwlock_t* p, std::uintptr_t by) noexcept {
  __atomic_fetch_add(&p->gasnetti_readers, by, __ATOMIC_RELAXED);
}

// Fatal when a function of pthreads has failed on this lock.
void check(int error, const char* what, const void* lock, const char* file, int line) {
  if (error != 0) upcr::fatal("%s (lock %p) at %s:%d: %s", what, lock, file, line, std::strerror(error));
}

}  // namespace

extern "C" {

void gasnetti_lock_misuse(const char* what, const void* lock, const char* file, int line) {
  upcr::fatal("%s (lock %p) at %s:%d", what, lock, file, line);
}

void gasnetti_mutex_destroy(gasnett_mutex_t* p, const char* file, int line) {
  if (holder_of(p) != 0)
    gasnetti_lock_misuse("gasnett_mutex_destroy of a mutex that is locked", p, file, line);
  check(pthread_mutex_destroy(&p->gasnetti_mutex), "gasnett_mutex_destroy", p, file, line);
}

void gasnetti_mutex_lock(gasnett_mutex_t* p, const char* file, int line) {
  if (holder_of(p) == me())
    gasnetti_lock_misuse("gasnett_mutex_lock by the thread that holds the mutex already", p, file, line);
  check(pthread_mutex_lock(&p->gasnetti_mutex), "gasnett_mutex_lock", p, file, line);
  set_holder(p, me());
}

int gasnetti_mutex_trylock(gasnett_mutex_t* p, const char* file, int line) {
  if (holder_of(p) == me())
    gasnetti_lock_misuse("gasnett_mutex_trylock by the thread that holds the mutex already", p, file, line);
  const int result = pthread_mutex_trylock(&p->gasnetti_mutex);
  if (result == 0) set_holder(p, me());
  return result;
}

void gasnetti_mutex_unlock(gasnett_mutex_t* p, const char* file, int line) {
  if (holder_of(p) != me())
    gasnetti_lock_misuse("gasnett_mutex_unlock by a thread that does not hold the mutex", p, file, line);
  set_holder(p, 0);
  check(pthread_mutex_unlock(&p->gasnetti_mutex), "gasnett_mutex_unlock", p, file, line);
}

void gasnetti_mutex_assert(const gasnett_mutex_t* p, int locked, const char* file, int line) {
  if ((holder_of(p) == me()) == (locked != 0)) return;
  gasnetti_lock_misuse(locked ? "gasnett_mutex_assertlocked: this thread does not hold the mutex"
                              : "gasnett_mutex_assertunlocked: this thread holds the mutex",
                       p, file, line);
}

void gasnetti_cond_wait(gasnett_cond_t* pc, gasnett_mutex_t* pm, const char* file, int line) {
  gasnetti_mutex_assert(pm, 1, file, line);
  set_holder(pm, 0);
  check(pthread_cond_wait(&pc->gasnetti_cond, &pm->gasnetti_mutex), "gasnett_cond_wait", pm, file, line);
  set_holder(pm, me());
}

void gasnett_rwlock_init(gasnett_rwlock_t* p) {
  *p = gasnett_rwlock_t GASNETT_RWLOCK_INITIALIZER;
  (void)pthread_rwlock_init(lock_of(p), nullptr);
}

void gasnetti_rwlock_destroy(gasnett_rwlock_t* p, const char* file, int line) {
  check(pthread_rwlock_destroy(lock_of(p)), "gasnett_rwlock_destroy", p, file, line);
}

void gasnetti_rwlock_rdlock(gasnett_rwlock_t* p, const char* file, int line) {
  check(pthread_rwlock_rdlock(lock_of(p)), "gasnett_rwlock_rdlock", p, file, line);
  count_readers(p, 1);
}

void gasnetti_rwlock_wrlock(gasnett_rwlock_t* p, const char* file, int line) {
  check(pthread_rwlock_wrlock(lock_of(p)), "gasnett_rwlock_wrlock", p, file, line);
  __atomic_store_n(&p->gasnetti_writer, me(), __ATOMIC_RELAXED);
}

void gasnetti_rwlock_unlock(gasnett_rwlock_t* p, const char* file, int line) {
  const std::uintptr_t writer = writer_of(p);
  if (writer == me())
    __atomic_store_n(&p->gasnetti_writer, 0, __ATOMIC_RELAXED);
  else if (writer != 0 || __atomic_load_n(&p->gasnetti_readers, __ATOMIC_RELAXED) == 0)
    gasnetti_lock_misuse("gasnett_rwlock_unlock by a thread that does not hold the lock", p, file, line);
  else
    count_readers(p, static_cast<std::uintptr_t>(-1));
  check(pthread_rwlock_unlock(lock_of(p)), "gasnett_rwlock_unlock", p, file, line);
}

int gasnett_rwlock_tryrdlock(gasnett_rwlock_t* p) {
  const int result = pthread_rwlock_tryrdlock(lock_of(p));
  if (result == 0) count_readers(p, 1);
  return result;
}

int gasnett_rwlock_trywrlock(gasnett_rwlock_t* p) {
  const int result = pthread_rwlock_trywrlock(lock_of(p));
  if (result == 0) __atomic_store_n(&p->gasnetti_writer, me(), __ATOMIC_RELAXED);
  return result;
}

void gasnetti_rwlock_assert(const gasnett_rwlock_t* p, int what, const char* file, int line) {
  const bool writing = writer_of(p) == me();
  const bool reading = __atomic_load_n(&p->gasnetti_readers, __ATOMIC_RELAXED) != 0;
  const bool holds[] = {!writing, writing || reading, reading, writing};
  static const char* const kMisuses[] = {
      "gasnett_rwlock_assertunlocked: this thread has locked it for writing",
      "gasnett_rwlock_assertlocked: it is not locked",
      "gasnett_rwlock_assertrdlocked: nobody has locked it for reading",
      "gasnett_rwlock_assertwrlocked: this thread has not locked it for writing"};
  if (!holds[what]) gasnetti_lock_misuse(kMisuses[what], p, file, line);
}

}  // extern "C"
