// SPDX-License-Identifier: BSD-3-Clause
// Locks that must be initialised: a Label on thread 0 has the state of the lock and, after initialisation, a
// pointer to a lock of upcr. The thread that changes the state from kNew initialises it.
#include "upcr/lock.h"

#include <cstddef>

#include "upcr/allv.h"
#include "upcr/atomic.h"
#include "upcr/gupc.h"
#include "upcr/heap.h"
#include "upcr/mupc/lock.hpp"
#include "upcr/mupc/pointer.hpp"
#include "upcr/val.h"

namespace mupc {
namespace {

struct Label {
  uint64_t state;
  uint64_t thread, offset;  // of upcr's lock, if kReady
};
// Values that other memory is unlikely to have.
constexpr uint64_t kNew = 0x6d7570632d6e6577, kBusy = kNew + 1, kReady = kNew + 2;

uint64_t read(mupc_shared_ptr_t lock, size_t member) {
  return upcr_get_shared_val_strict(to_upcr(lock), static_cast<ptrdiff_t>(member), 8);
}
void write(mupc_shared_ptr_t lock, size_t member, uint64_t value) {
  upcr_put_shared_val_strict(to_upcr(lock), static_cast<ptrdiff_t>(member), value, 8);
}

mupc_shared_ptr_t make_label() {
  const mupc_shared_ptr_t made = from_upcr(upcr_global_alloc(1, sizeof(Label)));
  write(made, offsetof(Label, state), kNew);
  return made;
}

// The word that is the state if a label is there. Other memory is assumed to have none of the three states.
uint64_t word_at(mupc_shared_ptr_t p) { return p.va % 8 == 0 ? read(p, offsetof(Label, state)) : 0; }
bool is_state(uint64_t word) { return word >= kNew && word <= kReady; }

uint64_t state_of(const char* function, mupc_shared_ptr_t lock) {
  check_range(function, lock, sizeof(Label));
  const uint64_t state = word_at(lock);
  if (!is_state(state))
    upcri_err(
        "%s: va %#llx of UPC thread %u is no lock; locks are made by upc_global_lock_alloc and "
        "upc_all_lock_alloc",
        function, static_cast<unsigned long long>(lock.va), lock.th);
  return state;
}

upcr_shared_ptr_t target(mupc_shared_ptr_t lock) {
  return upcri_make_shared(read(lock, offsetof(Label, offset)),
                           static_cast<upcr_thread_t>(read(lock, offsetof(Label, thread))), 0);
}

upcr_shared_ptr_t initialised(const char* function, mupc_shared_ptr_t lock) {
  if (state_of(function, lock) != kReady)
    upcri_err(
        "%s: the lock at va %#llx of UPC thread %u was not initialised; call upc_lock_init before its first "
        "use",
        function, static_cast<unsigned long long>(lock.va), lock.th);
  return target(lock);
}

}  // namespace

bool is_lock(mupc_shared_ptr_t p) {
  const bool fits = p.th == 0 && p.va <= upcri_window.segment_bytes - sizeof(Label);
  return fits && is_state(word_at(p));
}

extern "C" {

mupc_shared_ptr_t upc_global_lock_alloc(void) {
  check_running("upc_global_lock_alloc");
  return make_label();
}

mupc_shared_ptr_t upc_all_lock_alloc(void) {
  check_running("upc_all_lock_alloc");
  mupc_shared_ptr_t made = {};
  if (upcr_mythread() == 0) made = make_label();
  return *static_cast<mupc_shared_ptr_t*>(upcri_allv_broadcast(&made, sizeof made, 0));
}

void upc_lock_init(mupc_shared_ptr_t lock) {
  uint64_t state = state_of("upc_lock_init", lock);
  if (state == kReady) return;
  const upcr_shared_ptr_t word = to_upcr(lock);
  state = bupc_atomicU64_cswap_strict(word, kNew, kBusy);
  if (state == kNew) {
    const mupc_shared_ptr_t made = from_upcr(upcr_global_lock_alloc());
    write(lock, offsetof(Label, thread), made.th);
    write(lock, offsetof(Label, offset), made.va);
    write(lock, offsetof(Label, state), kReady);
  }
  while (state == kBusy) {  // another thread is initialising it
    upcr_poll();
    state = read(lock, offsetof(Label, state));
  }
}

void upc_lock(mupc_shared_ptr_t lock) {
  upcr_lock(initialised("upc_lock", lock));
  upcri_gupc_sync(UPCRI_GUPC_LOCK);
}

int upc_lock_attempt(mupc_shared_ptr_t lock) {
  const int locked = upcr_lock_attempt(initialised("upc_lock_attempt", lock));
  if (locked != 0) upcri_gupc_sync(UPCRI_GUPC_LOCK_ATTEMPT);
  return locked;
}

void upc_unlock(mupc_shared_ptr_t lock) {
  const upcr_shared_ptr_t its = initialised("upc_unlock", lock);
  upcri_gupc_sync(UPCRI_GUPC_UNLOCK);
  upcr_unlock(its);
}

void upc_lock_free(mupc_shared_ptr_t lock) {
  check_running("upc_lock_free");
  if (is_null(lock)) return;
  const uint64_t state = state_of("upc_lock_free", lock);
  if (state == kReady) upcr_lock_free(target(lock));
  write(lock, offsetof(Label, state), 0);
  upcr_free(to_upcr(lock));
}

}  // extern "C"

}  // namespace mupc
