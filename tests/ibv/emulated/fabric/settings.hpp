// SPDX-License-Identifier: BSD-3-Clause
// What environment variables say about the devices (docs/how-to/rdma-vm.md).
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>
#include <string>
#include <vector>

namespace emulated {

struct Settings {
  std::string directory;  // of the fabric; empty: there are no devices
  unsigned devices = 1, ports = 1;
  bool infiniband = false;  // the link layer; else RoCE version 2
  ibv_mtu mtu = IBV_MTU_4096;
  ibv_atomic_cap atomics = IBV_ATOMIC_HCA;
  bool xrc = true;
  bool on_demand = false;  // pages memory on demand
  std::uint32_t max_qp = 4096, max_qp_wr = 16384, max_sge = 30, max_inline = 256;
  std::uint32_t max_cq = 4096, max_cqe = 4194303, max_mr = 65536, max_pd = 1024;
  std::uint32_t max_srq = 1024, max_srq_wr = 32767;
  std::uint32_t max_reads = 16;  // outstanding, of a queue pair
  std::uint32_t max_message = 1U << 30;
  std::vector<std::uint16_t> partitions{0xffff};  // the table of keys of each port
  bool log_regions = false, log_paths = false;    // a line for each, on stderr
  // Faults.
  std::uint32_t fail_create_qp = 0;            // the n-th queue pair of this process is refused; 0: none
  std::uint32_t lose_datagrams = 0;            // one of n datagrams of a port gets lost; 0: none
  std::uint32_t defer = 0;                     // every n-th request waits for the retry thread; 0: none
  std::uint64_t lockable = ~std::uint64_t{0};  // bytes of memory that a process may register
};

// Read once.
const Settings& settings();

}  // namespace emulated
