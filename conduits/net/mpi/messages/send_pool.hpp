// SPDX-License-Identifier: BSD-3-Clause
// Send buffers. Packets are sent by MPI_Isend, because MPI_Send may wait for a peer that computes. A packet
// has nearly always left when MPI_Isend returns, which one MPI_Test of its request shows without a look at
// the network; so the same one or two buffers are used again and again and stay in the cache.
//
// Threads: under the conduit's lock.
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
  // `check`: appends a checksum to every packet; may be null.
  void open(MPI_Comm comm, unsigned buffers, PacketCheck* check);
  // Waits until everything has left.
  void close();

  unsigned available() const noexcept { return static_cast<unsigned>(free_.size()); }
  bool all_sent_out() const noexcept { return waiting_.empty(); }
  // The memory of the next packet, kPacketBytes: write the packet there, then send() it. Not when available()
  // is 0.
  char* front() noexcept { return packet(free_.back()); }
  void send(Rank to, std::size_t bytes);
  // Makes buffers available whose packets have left meanwhile. Not when all_sent_out().
  void reap();

 private:
  char* packet(std::uint32_t i) noexcept { return lines_[i * lines_each_].bytes; }

  MPI_Comm comm_ = MPI_COMM_NULL;
  PacketCheck* check_ = nullptr;
  std::unique_ptr<Line[]> lines_;
  std::size_t lines_each_ = 0;                 // of a packet
  std::vector<std::uint32_t> free_;            // a stack: the buffer used last is used next
  std::vector<MPI_Request> waiting_;           // sends that have not completed
  std::vector<std::uint32_t> waiting_packet_;  // the buffer of each of these
  std::vector<int> which_;                     // scratch of reap()
};

}  // namespace upcr::mpi
