// SPDX-License-Identifier: BSD-3-Clause
// Times of both ways, for the mpi conduit's attach(): two processes that do not share memory (pairs.hpp),
// main thread. Transfers of zeros into the target's first segment, whose memory is all zero still; where
// there are no segments (remote access to any address), into a buffer.
//
// The machine may be busy: whoever waits gives the processor away, the clock is looked at after each
// transfer, and what a few transfers a size do not show clearly, twice, is not decided.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/mpi/endpoint/conduit.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {
namespace {

using Clock = std::chrono::steady_clock;

LogComponent log_mpi("mpi");

constexpr int kTagMeasure = 3;
constexpr std::size_t kSizes[] = {64, 512, 4096, 32768, 262144};
constexpr std::size_t kLargest = kSizes[std::size(kSizes) - 1];
// All of it: no transfer is begun later.
constexpr std::chrono::milliseconds kAllTime{10};
// Of one size, both ways in turns, and at least so many rounds; the first one warms up.
constexpr std::chrono::microseconds kTimeOfOne{300};
constexpr unsigned kLeastRounds = 4;
// A network that answers later than this, or a machine so busy: nothing would be learnt in time.
constexpr double kSlowNs = 200e3;
constexpr double kClearlyLess = 0.9;  // twice

class NoMessages final : public AmSink {
 public:
  void deliver(const AmArrival& arrival) override {
    fatal("a message of rank %u arrived before the job was ready for it", arrival.source);
  }
  bool accepts_requests() const override { return true; }
};

// What the target offers.
struct Range {
  std::uint64_t address, bytes;
};

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

void keep_least(double& least, double ns) {
  if (least == 0 || ns < least) least = ns;
}

}  // namespace

class MpiConduit::Stopwatch {
 public:
  Stopwatch(MpiConduit& conduit, Rank target, Range there)
      : conduit_(conduit), target_(target), there_(there), memory_(there.bytes) {}

  bool out_of_time() const { return Clock::now() > end_; }

  // The time of one transfer by the way that the conduit has chosen now; 0: it does not carry this.
  double time_one(Access access, std::size_t bytes) {
    const auto start = Clock::now();
    Pending done, local;
    const auto begin = [&] {
      return access == Access::kPut
                 ? conduit_.put(target_, there_.address, memory_.data(), bytes, done, &local)
                 : conduit_.get(target_, memory_.data(), there_.address, bytes, done);
    };
    Status status;
    while ((status = begin()) == Status::kNoResource) poll();
    while (!done.done() || !local.done()) poll();
    return status == Status::kInProgress ? ns_since(start) : 0;
  }

  // Calls `round(first)` until the time of one size is over. False: for too few times.
  template <typename Round>
  bool rounds(Round&& round) {
    const auto first = Clock::now();
    unsigned n = 0;
    for (; n < kLeastRounds || Clock::now() - first < kTimeOfOne; ++n) {
      if (out_of_time()) break;
      round(n == 0);
    }
    return n >= kLeastRounds;
  }

  std::vector<Measured> both_ways(Access access) {
    std::vector<Measured> all;
    for (const std::size_t bytes : kSizes) {
      if (bytes > memory_.size()) break;
      Measured best{bytes, 0, 0};
      const bool enough = rounds([&](bool warms_up) {
        for (const bool window : {false, true}) {
          conduit_.choice_ = Choice::window(window, window);
          const double ns = time_one(access, bytes);
          if (!warms_up) keep_least(window ? best.window_ns : best.messages_ns, ns);
        }
      });
      conduit_.choice_ = Choice();
      if (!enough) break;  // what is not measured goes by messages
      UPCR_LOG(log_mpi, kInfo, "%s of %zu bytes to rank %u: %.2f us by messages, %.2f us through the window",
               access == Access::kPut ? "put" : "get", bytes, target_, best.messages_ns * 1e-3,
               best.window_ns * 1e-3);
      all.push_back(best);
    }
    return all;
  }

  bool is_slow() {
    double least = 0;
    return !rounds([&](bool) { keep_least(least, time_one(Access::kGet, kSizes[0])); }) || least > kSlowNs;
  }

  // Are two short pieces clearly faster than one long one?
  bool short_pieces_win(bool otherwise) {
    constexpr std::size_t kBytes = 2 * kShortPiece;
    if (kBytes > memory_.size()) return otherwise;
    bool wins = true;
    for (unsigned pass = 0; pass < 2; ++pass) {
      double ns[2] = {};
      const bool enough = rounds([&](bool warms_up) {
        for (const bool pieces : {false, true}) {
          conduit_.asks_for_long_ = pieces;
          const double time = time_one(Access::kPut, kBytes);
          if (!warms_up) keep_least(ns[pieces], time);
        }
      });
      if (!enough) return otherwise;
      UPCR_LOG(log_mpi, kInfo, "put of %zu bytes to rank %u: %.2f us in one piece, %.2f us in two", kBytes,
               target_, ns[0] * 1e-3, ns[1] * 1e-3);
      wins = wins && ns[1] < kClearlyLess * ns[0];
    }
    return wins;
  }

 private:
  void poll() {
    if (conduit_.poll(16, sink_) == 0) ::sched_yield();
  }

  MpiConduit& conduit_;
  const Rank target_;
  const Range there_;
  std::vector<char> memory_;
  NoMessages sink_;
  const Clock::time_point end_ = Clock::now() + kAllTime;
};

// The target's part: it polls until the origin has found out.
void MpiConduit::calibrate_target(Rank origin) {
  const int o = static_cast<int>(origin);
  std::vector<char> buffer;
  Range here;
  if (everything_) {
    buffer.resize(kLargest);
    here = {reinterpret_cast<std::uintptr_t>(buffer.data()), buffer.size()};
  } else {
    const SegmentMap& segments = *segments_;
    here = {segments.remote[topology_->my_first_slot()] + segments.null_bytes,
            std::min(kLargest, segments.bytes - segments.null_bytes)};
  }
  check(MPI_Send(&here, sizeof here, MPI_BYTE, o, kTagMeasure, packets_), "MPI_Send", o);
  NoMessages sink;
  MPI_Request end;
  check(MPI_Irecv(nullptr, 0, MPI_BYTE, o, kTagMeasure, packets_, &end), "MPI_Irecv", o);
  for (int over = 0; over == 0;) {
    if (poll(16, sink) == 0) ::sched_yield();
    check(MPI_Test(&end, &over, MPI_STATUS_IGNORE), "MPI_Test", o);
  }
  // From now on it takes no packets: nobody may leave attach(), and send some, before that is known.
  check(MPI_Send(nullptr, 0, MPI_BYTE, o, kTagMeasure, packets_), "MPI_Send", o);
}

// The origin's part. `otherwise`: are pieces to be short when measuring does not tell?
MpiConduit::HelloStatus MpiConduit::measure(Rank target, bool puts, bool gets, bool otherwise) {
  const int t = static_cast<int>(target);
  const auto receive = [this](void* data, int bytes, int peer) {
    MPI_Request request;
    check(MPI_Irecv(data, bytes, MPI_BYTE, peer, kTagMeasure, packets_, &request), "MPI_Irecv", peer);
    wait_with_yield(&request, "MPI_Irecv");
  };
  Range there;
  receive(&there, sizeof there, t);
  HelloStatus v;
  {
    Stopwatch watch(*this, target, there);
    v.slow = watch.is_slow();
    v.short_pieces = watch.short_pieces_win(otherwise);
    asks_for_long_ = v.short_pieces;
    for (const Access access : {Access::kPut, Access::kGet}) {
      if (v.slow || !(access == Access::kPut ? puts : gets)) continue;
      const std::vector<Measured> first = watch.both_ways(access);
      v.choice.learn(access, confirmed(first, watch.both_ways(access)));
    }
  }
  check(MPI_Send(nullptr, 0, MPI_BYTE, t, kTagMeasure, packets_), "MPI_Send", t);
  receive(nullptr, 0, t);
  return v;
}

}  // namespace upcr::mpi
