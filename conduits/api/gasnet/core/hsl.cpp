// SPDX-License-Identifier: BSD-3-Clause
// Handler-safe locks beyond their inlined fast path, and the checks of the debug library. There are no
// interrupts: of gasnet_hold_interrupts() and the like only the rules are checked.
#include "include/gasnet/hsl.h"

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/thread.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/cpu.hpp"

namespace upcr::gasnet {

thread_local ThreadRules thread_rules;

void require_free_thread(const char* function) {
  const ThreadRules& rules = thread_rules;
  if (AmEngine::in_handler()) fatal("%s called in an active-message handler", function);
  if (rules.held != nullptr) fatal("%s called while a handler-safe lock (%p) is held", function, rules.held);
  if (rules.no_interrupts)
    fatal("%s called between gasnet_hold_interrupts and gasnet_resume_interrupts", function);
}

void require_no_lock(const char* function) {
  if (thread_rules.held != thread_rules.held_before)
    fatal("%s called by a handler that holds a handler-safe lock (%p)", function, thread_rules.held);
}

namespace {

constexpr unsigned kSpins = 64;

void acquire(gasnet_hsl_t* hsl) {
  if (__atomic_exchange_n(&hsl->word, 1, __ATOMIC_ACQUIRE) == 0) return;
  const Traced traced(Event::kLockWait);
  while (__atomic_exchange_n(&hsl->word, 1, __ATOMIC_ACQUIRE) != 0) {
    for (unsigned spins = 0; __atomic_load_n(&hsl->word, __ATOMIC_RELAXED) != 0; ++spins) {
      if (spins < kSpins)
        cpu_pause();
      else
        sched_yield();
    }
  }
}

#ifdef UPCR_DEBUG
constexpr bool kChecks = true;
#else
constexpr bool kChecks = false;
#endif

void require_live(const gasnet_hsl_t* hsl, const char* function) {
  if (kChecks && hsl->tag != GASNETI_HSL_LIVE)
    fatal("%s: the lock at %p is not initialized", function, static_cast<const void*>(hsl));
}

void require_not_mine(const gasnet_hsl_t* hsl, const char* function) {
  if (kChecks && __atomic_load_n(&hsl->owner, __ATOMIC_RELAXED) == &thread_rules)
    fatal("%s: this thread holds the lock at %p already", function, static_cast<const void*>(hsl));
}

void note_locked(gasnet_hsl_t* hsl) {
  if (!kChecks) return;
  __atomic_store_n(&hsl->owner, &thread_rules, __ATOMIC_RELAXED);
  hsl->below = thread_rules.held;
  thread_rules.held = hsl;
}

void note_unlocked(gasnet_hsl_t* hsl) {
  if (!kChecks) return;
  if (__atomic_load_n(&hsl->word, __ATOMIC_RELAXED) == 0)
    fatal("gasnet_hsl_unlock: the lock at %p is not locked", static_cast<void*>(hsl));
  if (__atomic_load_n(&hsl->owner, __ATOMIC_RELAXED) != &thread_rules)
    fatal("gasnet_hsl_unlock: another thread holds the lock at %p", static_cast<void*>(hsl));
  if (thread_rules.held != hsl)
    fatal("gasnet_hsl_unlock: the lock at %p is released before one that was locked later, at %p",
          static_cast<void*>(hsl), static_cast<void*>(thread_rules.held));
  thread_rules.held = hsl->below;
  __atomic_store_n(&hsl->owner, nullptr, __ATOMIC_RELAXED);
}

// Where the calls have no effect by the specification.
[[maybe_unused]] bool interrupts_are_off_anyway() {
  return AmEngine::in_handler() || thread_rules.held != nullptr;
}

}  // namespace

extern "C" {

GASNETI_API void gasneti_hsl_init(gasnet_hsl_t* hsl) {
  if (kChecks && hsl->tag == GASNETI_HSL_LIVE)
    fatal("gasnet_hsl_init: the lock at %p is initialized already", static_cast<void*>(hsl));
  hsl->tag = GASNETI_HSL_LIVE;
  hsl->owner = nullptr;
  hsl->below = nullptr;
  __atomic_store_n(&hsl->word, 0, __ATOMIC_RELEASE);
}

GASNETI_API void gasneti_hsl_destroy(gasnet_hsl_t* hsl) {
  require_live(hsl, "gasnet_hsl_destroy");
  if (kChecks && __atomic_load_n(&hsl->word, __ATOMIC_RELAXED) != 0)
    fatal("gasnet_hsl_destroy: the lock at %p is locked", static_cast<void*>(hsl));
  hsl->tag = 0;
}

GASNETI_API void gasneti_hsl_lock(gasnet_hsl_t* hsl) {
  require_live(hsl, "gasnet_hsl_lock");
  require_not_mine(hsl, "gasnet_hsl_lock");
  acquire(hsl);
  note_locked(hsl);
}

GASNETI_API int gasneti_hsl_trylock(gasnet_hsl_t* hsl) {
  require_live(hsl, "gasnet_hsl_trylock");
  require_not_mine(hsl, "gasnet_hsl_trylock");
  if (__atomic_exchange_n(&hsl->word, 1, __ATOMIC_ACQUIRE) != 0) {
    sched_yield();  // the lock's holder may need this CPU
    return GASNET_ERR_NOT_READY;
  }
  note_locked(hsl);
  return GASNET_OK;
}

GASNETI_API void gasneti_hsl_unlock(gasnet_hsl_t* hsl) {
  require_live(hsl, "gasnet_hsl_unlock");
  note_unlocked(hsl);
  __atomic_store_n(&hsl->word, 0, __ATOMIC_RELEASE);
}

#ifdef UPCR_DEBUG
GASNETI_API void gasneti_hold_interrupts(void) {
  if (interrupts_are_off_anyway()) return;
  if (thread_rules.no_interrupts)
    fatal("gasnet_hold_interrupts called twice without gasnet_resume_interrupts");
  thread_rules.no_interrupts = true;
}

GASNETI_API void gasneti_resume_interrupts(void) {
  if (interrupts_are_off_anyway()) return;
  if (!thread_rules.no_interrupts) fatal("gasnet_resume_interrupts called without gasnet_hold_interrupts");
  thread_rules.no_interrupts = false;
}
#endif

}  // extern "C"

}  // namespace upcr::gasnet
