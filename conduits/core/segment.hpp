// SPDX-License-Identifier: BSD-3-Clause
// Segments: the remotely accessible memory, one per slot, mapped into one address window per process.
//
//   window.base + (slot - window.first_slot) * 2^stride_bits + offset      for slots of the window
//
// The window is reserved (PROT_NONE) at an address agreed by the host's processes, so that an address in a
// neighbour's segment means the same everywhere; where that address is taken, each has its own base.
// When no window can be reserved (ulimit -v) segments are mapped one by one: base[] still tells where.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/base/visibility.hpp"
#include "conduits/core/topology.hpp"

namespace upcr {

class Bootstrap;
class NodeMemory;

struct UPCR_MODULE_API SegmentMap {
  std::size_t bytes = 0;  // of each segment (the same for all), a page multiple
  unsigned stride_bits = 0;
  bool has_window = false;             // false: use mapped[] only
  std::uintptr_t window_base = 0;      // address of slot window_first_slot
  std::vector<std::uintptr_t> mapped;  // of each slot: its address here, 0 when it is not in the window
  std::vector<std::uint64_t> remote;   // of each slot: its address in its own process

  // This process's slots hold [address, address + n)? The check before a remote address is used.
  bool mine(const Topology& t, std::uint64_t address, std::size_t n) const noexcept {
    for (Slot s = t.my_first_slot(); s < t.my_first_slot() + t.my_slots(); ++s)
      if (address - remote[s] <= bytes && n <= bytes - (address - remote[s])) return true;
    return false;
  }
  // The slot that a local address lies in and the offset there; false when it is in no mapped segment.
  UPCR_MODULE_API bool find(const Topology& t, const void* address, Slot* slot,
                            std::uint64_t* offset) const noexcept;
};

// What the machine and its cgroup can give to one process of this host, in bytes.
UPCR_MODULE_API std::uint64_t available_memory();

// Maps the segments of the window's slots. Collective; `bytes` is the same everywhere.
SegmentMap map_segments(Bootstrap& bootstrap, const Topology& topology, const NodeMemory& memory,
                        std::size_t bytes, unsigned stride_bits);

}  // namespace upcr
