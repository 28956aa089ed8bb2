// SPDX-License-Identifier: BSD-3-Clause
// A semaphore where it is mapped: its memory, and the operations on it for the calls of sem.cpp and the
// handlers of sem_remote.cpp. Any thread that has it mapped; handlers too.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

inline constexpr std::uint64_t kLiveSem = 0x65726f68706d6573, kFreedSem = 0x6465657266206d65;

// In shared memory, 64 bytes of its own.
struct Sem {
  std::atomic<std::uint64_t> value;
  std::uint64_t mark;  // kLiveSem, kFreedSem
  std::atomic<std::uint32_t>
      sleeper;          // the thread + 1 that sleeps until a post, kWholeHost: several, 0: none
  std::uint32_t flags;  // BUPC_SEM_ flags, with defaults
  std::atomic<std::uint32_t> producer, consumer;  // debug: the first one's thread + 1
};

inline constexpr std::uint32_t kWholeHost = ~std::uint32_t{0};

// `caller`: the UPC thread that posts or waits; `counted`: by a form with N. Debug: fatal if the semaphore's
// flags forbid it.
void post_mapped(Sem& s, std::uint64_t n, Slot caller, bool counted);
void check_acquire(Sem& s, std::uint64_t n, Slot caller, bool counted);
bool try_acquire(Sem& s, std::uint64_t n) noexcept;
// A thread (+ 1), or kWholeHost, is about to sleep until a post. To be called before the test of the value
// that decides whether it sleeps.
void register_sleeper(Sem& s, std::uint32_t sleeper) noexcept;

}  // namespace upcr
