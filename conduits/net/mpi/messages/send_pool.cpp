// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/messages/send_pool.hpp"

#include "conduits/net/mpi/library/session.hpp"
#include "conduits/net/mpi/messages/tags.hpp"

namespace upcr::mpi {

void SendPool::open(MPI_Comm comm, unsigned buffers, PacketCheck* check) {
  comm_ = comm;
  check_ = check;
  lines_each_ = packet_lines(check != nullptr ? check->extra_bytes() : 0);
  lines_ = std::make_unique_for_overwrite<Line[]>(buffers * lines_each_);
  free_.reserve(buffers);
  for (unsigned i = buffers; i > 0; --i) free_.push_back(i - 1);
  waiting_.reserve(buffers);
  waiting_packet_.reserve(buffers);
  which_.resize(buffers);
}

void SendPool::send(Rank to, std::size_t bytes) {
  const std::uint32_t number = free_.back();
  char* const at = packet(number);
  if (__builtin_expect(check_ != nullptr, 0)) bytes = check_->seal(at, bytes);
  const int peer = static_cast<int>(to);
  MPI_Request request;
  check(MPI_Isend(at, static_cast<int>(bytes), MPI_BYTE, peer, kPacketTag, comm_, &request),
        "sending a packet", peer);
  int left = 0;
  check(MPI_Test(&request, &left, MPI_STATUS_IGNORE), "sending a packet", peer);
  if (left != 0) return;
  free_.pop_back();
  waiting_.push_back(request);
  waiting_packet_.push_back(number);
}

void SendPool::reap() {
  int count = 0;
  check(MPI_Testsome(static_cast<int>(waiting_.size()), waiting_.data(), &count, which_.data(),
                     MPI_STATUSES_IGNORE),
        "sending packets");
  if (count <= 0) return;
  for (int i = 0; i < count; ++i) free_.push_back(waiting_packet_[static_cast<std::size_t>(which_[i])]);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (waiting_[i] == MPI_REQUEST_NULL) continue;
    waiting_[kept] = waiting_[i];
    waiting_packet_[kept++] = waiting_packet_[i];
  }
  waiting_.resize(kept);
  waiting_packet_.resize(kept);
}

void SendPool::close() {
  while (!all_sent_out()) reap();
}

}  // namespace upcr::mpi
