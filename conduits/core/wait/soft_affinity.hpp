// SPDX-License-Identifier: BSD-3-Clause
// Soft affinity of UPC threads that must share CPUs, in processes of several threads. Each thread prefers one
// CPU: the CPUs are assigned to the threads of the machine in order, so that the threads of one process share
// as few CPUs as possible. Then a thread of each process runs at any time and serves messages for all of
// them. By itself the kernel may give all CPUs to the threads of one process, which wait for another process
// without any, or one CPU to three threads that wait for each other while another CPU is idle: it does not
// move threads that run for some microseconds at a time.
//
// Nothing is pinned. A thread that is about to yield its CPU while it waits moves to its preferred CPU from
// time to time, if it is on another one. Its affinity mask is unchanged, so the kernel continues to balance
// threads that compute.
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
