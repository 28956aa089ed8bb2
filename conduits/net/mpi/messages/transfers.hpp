// SPDX-License-Identifier: BSD-3-Clause
// The data of large transfers in progress: MPI_Isend from its source and MPI_Irecv into its destination,
// without a copy of the conduit's. MPI counts bytes in an int, so a transfer longer than kLongPiece (or
// UPCR_MPI_PIECE, by which tests cut small ones) is sent one piece after the other, with the same tag, which
// MPI keeps in order.
//
// Over TCP, MPI libraries send about 64 KiB eagerly, and use a rendezvous for more, which costs a round trip:
// there a transfer that fits in two short pieces is sent as two. Where the receiver fetches data by itself
// (shared memory, RDMA) one piece is faster.
//
// Threads: under the conduit's lock.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/base/system/status.hpp"

namespace upcr::mpi {

inline constexpr std::uint32_t kLongPiece = 1u << 30, kShortPiece = 32u << 10;

// This process's part: it sends a put or receives one, answers a get or receives the answer, receives the
// data of a request in bulk, which is sent as a put is.
enum class Role : std::uint8_t { kPutOut, kPutIn, kGetOut, kGetIn, kBulkIn };

struct Transfer {
  Role role;
  std::uint8_t index;  // of the process that has started it
  Rank peer;
  char* next;        // data not yet handed to MPI
  std::size_t left;  // bytes of it
  std::uint32_t piece = kLongPiece;
  char* message = nullptr;  // of kBulkIn: what the data is the end of
};

class Transfers {
 public:
  void open(MPI_Comm comm, std::size_t capacity);

  bool empty() const noexcept { return requests_.empty(); }
  bool full() const noexcept { return requests_.size() == capacity_; }
  void start(Transfer transfer);  // not when full()
  // Makes progress; calls done(transfer) for each one that is complete, which may start others. Returns how
  // many pieces are complete.
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
