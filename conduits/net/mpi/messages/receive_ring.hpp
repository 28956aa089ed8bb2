// SPDX-License-Identifier: BSD-3-Clause
// Receive buffers: persistent receives from any source. MPI matches them in the order in which they were
// started, so only the oldest one has to be tested: a poll that finds nothing is one MPI_Test. (MPI_Testsome
// over all of them costs 1.4 to 2.3 times as much a round trip, MPI_Iprobe and MPI_Recv 1.1 to 1.4.)
//
// receive() hands out the oldest packet; its buffer is the caller's until release(), in any order.
//
// Threads: under the conduit's lock.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/base/system/status.hpp"
#include "conduits/net/mpi/messages/wire.hpp"

namespace upcr::mpi {

struct Arrived {
  Rank source;
  std::uint32_t buffer;
  std::size_t bytes;
  char* data;  // aligned to a cache line
};

class ReceiveRing {
 public:
  // `extra`: bytes that may follow the kPacketBytes of a packet.
  void open(MPI_Comm comm, unsigned buffers, std::size_t extra);
  // Drops what has arrived and cancels the other receives.
  void close();

  // False: nothing has arrived, or every buffer is handed out.
  bool receive(Arrived* arrived);
  // Has a packet arrived? The next receive() returns it.
  bool test();
  void release(std::uint32_t buffer);

 private:
  char* packet(std::uint32_t i) noexcept { return lines_[i * lines_each_].bytes; }
  std::uint32_t wrapped(std::uint32_t i) const noexcept { return i < order_.size() ? i : 0; }

  std::unique_ptr<Line[]> lines_;
  std::size_t lines_each_ = 0;         // of a packet
  std::vector<MPI_Request> requests_;  // of each buffer
  std::vector<std::uint32_t> order_;   // a ring: the buffers whose receives are started, oldest first
  std::uint32_t oldest_ = 0, end_ = 0, started_ = 0;
  MPI_Status status_{};  // of the oldest one, if arrived_
  bool arrived_ = false;
};

}  // namespace upcr::mpi
