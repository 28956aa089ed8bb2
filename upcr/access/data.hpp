// SPDX-License-Identifier: BSD-3-Clause
// Moving bytes between any two places, as the runtime's own code does it (heap, locks, broadcasts, bulk):
// through the window where the memory is mapped, by core/rma where not. Blocking; not from a handler.
#pragma once
#include "upcr/pointer/pointer.hpp"

namespace upcr {

// The calling UPC thread's slot; during start-up, before it is one, its process's first.
Slot my_slot() noexcept;
// wait_until() for a Pending. `whose` memory, for the watchdog.
void wait_for(const Pending& pending, const char* what, Slot whose = 0);

void put_bytes(SharedAddr to, const void* src, std::size_t bytes);
void get_bytes(void* dst, SharedAddr from, std::size_t bytes);
// Starts; counts in `done`. put: `local` as in rma_put.
void put_bytes_nb(SharedAddr to, const void* src, std::size_t bytes, Pending& done, Pending* local);
void get_bytes_nb(void* dst, SharedAddr from, std::size_t bytes, Pending& done);

std::uint64_t amo(SharedAddr at, AmoOp op, std::uint64_t a, std::uint64_t b = 0);
inline void put_word(SharedAddr to, std::uint64_t value) { put_bytes(to, &value, sizeof value); }
inline std::uint64_t get_word(SharedAddr from) {
  std::uint64_t value;
  get_bytes(&value, from, sizeof value);
  return value;
}

// Wakes the thread when it sleeps in wait_until, after a store into memory that it looks at. A store that
// travelled by active message has woken its process already.
void ring(Slot thread);

}  // namespace upcr
