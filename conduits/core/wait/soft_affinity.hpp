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
#include <vector>

#include "conduits/core/model/topology.hpp"

namespace upcr {

class SoftAffinity {
 public:
  // At attach, on a thread that may run where all may. `index` of `threads`: the process's first UPC thread
  // among those of the machine. threads = 0: no thread prefers a CPU.
  void choose(const Topology& topology, std::uint64_t index, std::uint64_t threads) noexcept;

  // Moves the calling thread, UPC thread `slot`, to its CPU: called while it waits. Takes a few nanoseconds
  // if the thread is there already or prefers none.
  void return_to_preferred_cpu(Slot slot) const noexcept;

 private:
  std::vector<int> preferred_cpus_;  // of this process's threads; written before they run
  Slot first_slot_ = 0;
};

// The CPU, of `cpus`, that thread `index` of `threads` prefers.
constexpr unsigned preferred_cpu_of(std::uint64_t index, std::uint64_t threads, unsigned cpus) noexcept {
  return static_cast<unsigned>(index * cpus / threads);
}

}  // namespace upcr
