// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/messages/receive_ring.hpp"

#include "conduits/net/mpi/library/session.hpp"
#include "conduits/net/mpi/messages/tags.hpp"

namespace upcr::mpi {

void ReceiveRing::open(MPI_Comm comm, unsigned buffers, std::size_t extra) {
  lines_each_ = packet_lines(extra);
  lines_ = std::make_unique_for_overwrite<Line[]>(buffers * lines_each_);
  requests_.assign(buffers, MPI_REQUEST_NULL);
  order_.assign(buffers, 0);
  for (unsigned i = 0; i < buffers; ++i) {
    check(MPI_Recv_init(packet(i), static_cast<int>(kPacketBytes + extra), MPI_BYTE, MPI_ANY_SOURCE,
                        kPacketTag, comm, &requests_[i]),
          "MPI_Recv_init");
    release(i);
  }
}

void ReceiveRing::close() {
  Arrived unwanted;
  while (receive(&unwanted)) {
  }
  for (; started_ != 0; --started_, oldest_ = wrapped(oldest_ + 1)) {
    MPI_Request& request = requests_[order_[oldest_]];
    check(MPI_Cancel(&request), "MPI_Cancel");
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), "cancelling a receive");
  }
  for (MPI_Request& request : requests_) check(MPI_Request_free(&request), "MPI_Request_free");
  requests_.clear();
}

bool ReceiveRing::test() {
  if (arrived_) return true;
  if (started_ == 0) return false;
  int flag = 0;
  check(MPI_Test(&requests_[order_[oldest_]], &flag, &status_), "receiving a packet");
  arrived_ = flag != 0;
  return arrived_;
}

bool ReceiveRing::receive(Arrived* arrived) {
  if (!test()) return false;
  arrived_ = false;
  const std::uint32_t buffer = order_[oldest_];
  oldest_ = wrapped(oldest_ + 1);
  --started_;
  int bytes = 0;
  check(MPI_Get_count(&status_, MPI_BYTE, &bytes), "MPI_Get_count");
  *arrived = {static_cast<Rank>(status_.MPI_SOURCE), buffer, static_cast<std::size_t>(bytes), packet(buffer)};
  return true;
}

void ReceiveRing::release(std::uint32_t buffer) {
  check(MPI_Start(&requests_[buffer]), "MPI_Start");
  order_[end_] = buffer;
  end_ = wrapped(end_ + 1);
  ++started_;
}

}  // namespace upcr::mpi
