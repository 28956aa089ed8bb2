// SPDX-License-Identifier: BSD-3-Clause
// Buffers for packets that leave. MPI_Isend and not MPI_Send: that one may wait for a peer that computes. A
// packet has nearly always left when MPI_Isend returns, which one MPI_Test of its request tells, without
// looking at the network; so the same one or two buffers are used again and again and stay in the cache.
//
// Under the conduit's lock.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/checksum/packet_check.hpp"
#include "conduits/net/mpi/messages/wire.hpp"

namespace upcr::mpi {

class SendPool {
 public:
  // `check`: seals every packet; may be null.
  void open(MPI_Comm comm, unsigned buffers, PacketCheck* check);
  // Waits until everything has left.
  void close();

  unsigned available() const noexcept { return static_cast<unsigned>(free_.size()); }
  bool all_sent_out() const noexcept { return waiting_.empty(); }
  // The next packet's memory, kPacketBytes. available() is not 0. Build the packet, then send() it before the
  // next front().
  char* front() noexcept { return packet(free_.back()); }
  void send(Rank to, std::size_t bytes);
  // Finds out which packets have left since. Worth calling when !all_sent_out().
  void reap();

 private:
  char* packet(std::uint32_t i) noexcept { return lines_[i * lines_each_].bytes; }

  MPI_Comm comm_ = MPI_COMM_NULL;
  PacketCheck* check_ = nullptr;
  std::unique_ptr<Line[]> lines_;
  std::size_t lines_each_ = 0;                 // of a packet
  std::vector<std::uint32_t> free_;            // a stack: the last one used is the next
  std::vector<MPI_Request> waiting_;           // still leaving
  std::vector<std::uint32_t> waiting_packet_;  // the buffer of each of them
  std::vector<int> which_;                     // scratch of reap()
};

}  // namespace upcr::mpi
