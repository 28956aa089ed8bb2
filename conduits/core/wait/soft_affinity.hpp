// SPDX-License-Identifier: BSD-3-Clause
// Where UPC threads run that must share CPUs, in processes of several. Each has a home: the CPUs are dealt to
// the threads of the machine in order, so that threads of one process share as few of them as may be. Then
// each process has a thread that runs and serves messages for all of them. Left alone, the kernel may give
// all CPUs to the threads of one process, which wait for another that has none, or one CPU to three threads
// that wait for each other beside a CPU that is idle: it does not move threads that run for some
// microseconds at a time.
//
// Nothing is pinned. A thread that is about to give its CPU away while it waits, and is not at home, goes
// there, now and then; what it may run on stays as it was, so the kernel goes on balancing those that
// compute.
#pragma once
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

// At attach, on a thread that may run where all may. `place` of `threads`: the process's first UPC thread
// among those of the machine. threads = 0: there are no homes.
void choose_preferred_cpus(const Topology& topology, std::uint64_t place, std::uint64_t threads) noexcept;

// Of the caller, UPC thread `slot`, which waits. A few nanoseconds where it is at home or has none.
void return_to_preferred_cpu(Slot slot) noexcept;

// Which of `cpus` CPUs is the home of thread `place` of `threads`.
constexpr unsigned preferred_cpu_of(std::uint64_t place, std::uint64_t threads, unsigned cpus) noexcept {
  return static_cast<unsigned>(place * cpus / threads);
}

}  // namespace upcr
