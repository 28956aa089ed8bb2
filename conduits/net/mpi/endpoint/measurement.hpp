// SPDX-License-Identifier: BSD-3-Clause
// Times of puts and gets by messages and through the window, for the mpi conduit's attach(), between two
// processes that do not share memory (rma/pairs.hpp).
//
// The transfers move zeros into the target's first segment, whose memory is all zero still; where there are
// no segments (remote access to any address), into a buffer. The machine may be busy: who waits yields, the
// clock is read after each transfer, and each size is measured twice. Sizes for which the time does not
// suffice take the path of the next smaller one; if there is none, the favoured path (choice.hpp).
//
// Threads: main thread.
#pragma once
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/net/mpi/endpoint/message_path.hpp"
#include "conduits/net/mpi/rma/choice.hpp"
#include "conduits/net/mpi/rma/window.hpp"

namespace upcr::mpi {

// The result of the measurement; travels as bytes.
struct CalibrationResult {
  Choice choice;
  bool short_pieces = false;  // MessagePath::set_short_pieces()
  bool slow = false;          // too slow to measure: everything takes the favoured path
  bool measured = true;       // at least one size of each operation
};

class Measurement {
 public:
  // `conduit`: polled while a transfer is in progress. `oversubscribed`: this process's machine has more UPC
  // threads than CPUs.
  Measurement(Conduit& conduit, MessagePath& messages, Window& window, MPI_Comm comm, bool oversubscribed)
      : conduit_(conduit),
        messages_(messages),
        window_(window),
        comm_(comm),
        oversubscribed_(oversubscribed) {}

  // The origin's part. `otherwise`: the short_pieces of the result if measuring does not tell.
  [[gnu::cold]] CalibrationResult measure(Rank target, bool puts, bool gets, bool otherwise);
  // The target's part: polls until the origin is done.
  [[gnu::cold]] void serve(Rank origin, const Topology& topology, const SegmentMap& segments,
                           bool everything);

 private:
  using Clock = std::chrono::steady_clock;
  // What the target tells the origin: the memory that it offers, and whether threads share its CPUs.
  struct Offer {
    std::uint64_t address = 0, bytes = 0, oversubscribed = 0;
  };

  bool out_of_time() const { return Clock::now() > end_; }
  double time_one(Access access, std::size_t bytes, bool by_window);
  template <typename Round>
  bool rounds(Round&& round);
  std::vector<Measured> measure_both(Access access);
  bool is_slow();
  bool short_pieces_win(bool otherwise);
  void poll();

  Conduit& conduit_;
  MessagePath& messages_;
  Window& window_;
  const MPI_Comm comm_;
  const bool oversubscribed_;
  Rank target_ = 0;
  Offer there_;               // the target's
  std::vector<char> memory_;  // the origin's, as long
  Clock::time_point end_;
};

}  // namespace upcr::mpi
