// SPDX-License-Identifier: BSD-3-Clause
// The data of large transfers under way: MPI_Isend from its source and MPI_Irecv into its destination,
// without a copy of ours. An int counts MPI's bytes, so what is longer than kLongPiece (or UPCR_MPI_PIECE,
// which lets small transfers test this) goes one piece after the other, with the same tag, which MPI keeps in
// order.
//
// Over TCP, MPI libraries send about 64 KiB at once, and for more they first ask the receiver, which costs a
// round trip: there transfers that fit two short pieces travel as such. Where the receiver fetches data by
// itself (shared memory, RDMA) one piece is better.
//
// Under the conduit's lock.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/base/system/status.hpp"

namespace upcr::mpi {

inline constexpr std::uint32_t kLongPiece = 1u << 30, kShortPiece = 32u << 10;

enum class Role : std::uint8_t {
  kPutOut,
  kPutIn,
  kGetOut,
  kGetIn
};  // the last two: the owner's, the asker's

struct Transfer {
  Role role;
  std::uint8_t slot;  // of the process that asked for it
  Rank peer;
  char* next;        // what has not been given to MPI
  std::size_t left;  // bytes from there
  std::uint32_t piece = kLongPiece;
};

class Transfers {
 public:
  void open(MPI_Comm comm, std::size_t capacity);

  bool empty() const noexcept { return requests_.empty(); }
  bool full() const noexcept { return requests_.size() == capacity_; }
  void start(Transfer transfer);  // not when full()
  // Moves on; calls done(transfer) for each one that is complete. `done` may start others.
  template <typename Done>
  unsigned advance(Done&& done) {
    const int count = test();
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(which_[static_cast<std::size_t>(i)]);
      if (transfers_[at].left != 0)
        post(at);
      else
        done(static_cast<const Transfer&>(transfers_[at]));
    }
    if (count > 0) compact();
    return static_cast<unsigned>(count);
  }

 private:
  void post(std::size_t at);
  int test();
  void compact();

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::size_t capacity_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<Transfer> transfers_;  // of each request
  std::vector<int> which_;
};

}  // namespace upcr::mpi
