// SPDX-License-Identifier: BSD-3-Clause
// The limits of a device, after the user's variables are applied. Filled in when the device is opened
// (device.cpp), constant afterwards; any thread.
#pragma once
#include <cstdint>

namespace upcr::ibv {

struct Limits {
  std::uint32_t max_sge = 1;       // pieces of a send, write or receive
  std::uint32_t max_read_sge = 1;  // pieces that one read may be spread over; 1 for iWARP
  std::uint32_t max_inline = 0;  // bytes that a work request may carry in itself; found out with a queue pair
  std::uint32_t read_depth = 1;  // reads and atomics outstanding on one queue pair, at each end
  std::uint32_t max_send = 0;    // work requests of a queue pair's send queue, and of its receive queue
  std::uint32_t max_completions = 0;  // entries of a completion queue
  std::uint32_t max_receives = 0;     // of the shared receive queue; 0: there is none
  std::uint32_t max_queue_pairs = 0;
  std::uint32_t max_regions = 0;  // memory regions
  std::uint64_t max_message = 0;  // bytes of one send, write or read
  std::uint64_t max_region = 0;   // bytes of one memory region
  // Access flags of memory regions (ibv_access_flags): of memory that the device writes for requests of this
  // process (sinks of reads, receive buffers), and of shared segments.
  int private_access = 0, segment_access = 0;
  bool srq = false;                   // shared receive queues may be used (UPCR_IBV_SRQ)
  bool xrc = false;                   // one queue pair for all processes of a host (xrc/)
  bool on_demand = false;             // memory need not be pinned for reads and writes (IBV_ACCESS_ON_DEMAND)
  bool on_demand_xrc = false;         // nor for those of XRC's queue pairs
  bool iwarp = false;                 // transport: the sink of a read needs remote write access, and so on
  bool atomics = false;               // has remote add and compare-and-swap of 8 bytes
  bool atomics_coherent = false;      // with the processor's own
  bool software = false;              // emulated by the kernel (rxe, siw): no PCI device behind it
  bool words_by_kernel_copy = false;  // software, and this kernel copies bytewise: words may be torn
};

}  // namespace upcr::ibv
