// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/messages/transfers.hpp"

#include <algorithm>

#include "conduits/net/mpi/library/session.hpp"
#include "conduits/net/mpi/messages/tags.hpp"

namespace upcr::mpi {

void Transfers::open(MPI_Comm comm, std::size_t capacity) {
  comm_ = comm;
  capacity_ = capacity;
  requests_.reserve(capacity);
  transfers_.reserve(capacity);
  which_.resize(capacity);
}

void Transfers::start(Transfer transfer) {
  requests_.push_back(MPI_REQUEST_NULL);
  transfers_.push_back(transfer);
  post(requests_.size() - 1);
}

void Transfers::post(std::size_t at) {
  Transfer& t = transfers_[at];
  const std::size_t piece = std::min<std::size_t>(t.left, t.piece);
  const int bytes = static_cast<int>(piece), peer = static_cast<int>(t.peer);
  const bool put = t.role != Role::kGetOut && t.role != Role::kGetIn;
  const int tag = put ? put_tag(t.index) : get_tag(t.index);
  if (t.role == Role::kPutOut || t.role == Role::kGetOut)
    check(MPI_Isend(t.next, bytes, MPI_BYTE, peer, tag, comm_, &requests_[at]), "sending data", peer);
  else
    check(MPI_Irecv(t.next, bytes, MPI_BYTE, peer, tag, comm_, &requests_[at]), "receiving data", peer);
  t.next += piece;
  t.left -= piece;
}

int Transfers::test() {
  int count = 0;
  if (requests_.size() == 1) {
    check(MPI_Test(requests_.data(), &count, MPI_STATUS_IGNORE), "a transfer of data",
          static_cast<int>(transfers_[0].peer));
    which_[0] = 0;
    return count;
  }
  check(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, which_.data(),
                     MPI_STATUSES_IGNORE),
        "transfers of data");
  return count == MPI_UNDEFINED ? 0 : count;
}

void Transfers::compact() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    requests_[kept] = requests_[i];
    transfers_[kept++] = transfers_[i];
  }
  requests_.resize(kept);
  transfers_.resize(kept);
}

}  // namespace upcr::mpi
