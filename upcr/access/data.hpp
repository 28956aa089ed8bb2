// SPDX-License-Identifier: BSD-3-Clause
// Access to shared memory for the runtime's own code (heap, locks, broadcasts, bulk): directly where the
// memory is mapped here, by core/rma where not. Blocking unless it says otherwise; not from a handler.
#pragma once
#include "upcr/pointer/pointer.hpp"

namespace upcr {

// The calling UPC thread's slot; during start-up, before the thread is one, the first of its process.
Slot my_slot() noexcept;
// wait_until() for a Pending. `what`, and `whose` memory if it is one thread's: for reports of waits.
void wait_for(const Pending& pending, const char* what);
void wait_for(const Pending& pending, const char* what, Slot whose);

// Fatal if there is no such UPC thread, as in a pointer-to-shared that was never assigned.
void check_thread(SharedAddr a);

void put_bytes(SharedAddr to, const void* src, std::size_t bytes);
void get_bytes(void* dst, SharedAddr from, std::size_t bytes);
// Start the transfer and count it in `done`. `local`: as in Rma::put().
void put_bytes_nb(SharedAddr to, const void* src, std::size_t bytes, Pending& done, Pending* local);
void get_bytes_nb(void* dst, SharedAddr from, std::size_t bytes, Pending& done);

inline void put_word(SharedAddr to, std::uint64_t value) { put_bytes(to, &value, sizeof value); }
inline std::uint64_t get_word(SharedAddr from) {
  std::uint64_t value;
  get_bytes(&value, from, sizeof value);
  return value;
}

// Wakes the thread if it sleeps in wait_until, after a store that it waits for. A store by active message has
// woken the process already.
void ring(Slot thread);

}  // namespace upcr
