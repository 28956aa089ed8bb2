// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/endpoint/measurement.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {
namespace {

LogComponent log_mpi("mpi");

constexpr int kTagMeasure = 3;
constexpr std::size_t kSizes[] = {64, 512, 4096, 32768, 262144};
constexpr std::size_t kLargest = kSizes[std::size(kSizes) - 1];
// Of the whole measurement: no transfer is started later.
constexpr std::chrono::milliseconds kTotalTime{10};
// Of one size, both paths in turns, and the fewest rounds; the first round warms up.
constexpr std::chrono::microseconds kTimePerSize{300};
constexpr unsigned kMinRounds = 4;
// A network with a longer latency, or a machine so busy, would show nothing in time.
constexpr double kSlowNs = 200e3;
constexpr double kClearlyLess = 0.9;  // twice

// The job has not started: no message arrives.
class NoMessages final : public AmSink {
 public:
  void deliver(const AmArrival& arrival) override {
    fatal("a message of rank %u arrived before the job was ready for it", arrival.source);
  }
  bool accepts_requests() const override { return true; }
};

void keep_minimum(double& least, double ns) {
  if (least == 0 || ns < least) least = ns;
}

}  // namespace

void Measurement::poll() {
  NoMessages sink;
  if (conduit_.poll(16, sink) == 0) ::sched_yield();
}

// The time of one transfer in nanoseconds; 0: the path does not support it.
double Measurement::time_one(Access access, std::size_t bytes, bool by_window) {
  const auto start = Clock::now();
  Pending done, local;
  char* const here = memory_.data();
  const std::uint64_t there = there_.address;
  const auto begin = [&] {
    if (access == Access::kPut)
      return by_window ? window_.put(target_, there, here, bytes, done, &local)
                       : messages_.put(target_, there, here, bytes, done, &local);
    return by_window ? window_.get(target_, here, there, bytes, done)
                     : messages_.get(target_, here, there, bytes, done);
  };
  Status status;
  while ((status = begin()) == Status::kNoResource) poll();
  while (!done.done() || !local.done()) poll();
  if (status != Status::kInProgress) return 0;
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// Calls round(warms_up) until the time of one size is over. False: it was over too soon.
template <typename Round>
bool Measurement::rounds(Round&& round) {
  const auto first = Clock::now();
  unsigned n = 0;
  for (; n < kMinRounds || Clock::now() - first < kTimePerSize; ++n) {
    if (out_of_time()) break;
    round(n == 0);
  }
  return n >= kMinRounds;
}

std::vector<Measured> Measurement::measure_both(Access access) {
  std::vector<Measured> all;
  for (const std::size_t bytes : kSizes) {
    if (bytes > memory_.size()) break;
    std::vector<double> times[2];
    const bool enough = rounds([&](bool warms_up) {
      for (const bool by_window : {false, true}) {
        const double ns = time_one(access, bytes, by_window);
        if (!warms_up && ns != 0) times[by_window].push_back(ns);
      }
    });
    if (!enough) break;  // larger ones are not measured
    const Measured found{bytes, deciding_time(std::move(times[false]), there_.oversubscribed != 0),
                         deciding_time(std::move(times[true]), there_.oversubscribed != 0)};
    UPCR_LOG(log_mpi, kInfo, "%s of %zu bytes to rank %u: %.2f us by messages, %.2f us through the window",
             access == Access::kPut ? "put" : "get", bytes, target_, found.messages_ns * 1e-3,
             found.window_ns * 1e-3);
    all.push_back(found);
  }
  return all;
}

bool Measurement::is_slow() {
  double least = 0;
  const bool enough = rounds([&](bool) { keep_minimum(least, time_one(Access::kGet, kSizes[0], false)); });
  return !enough || least > kSlowNs;
}

// Are two short pieces clearly faster than one long one?
bool Measurement::short_pieces_win(bool otherwise) {
  constexpr std::size_t kBytes = 2 * kShortPiece;
  if (kBytes > memory_.size()) return otherwise;
  bool wins = true;
  for (unsigned pass = 0; pass < 2; ++pass) {
    double ns[2] = {};
    const bool enough = rounds([&](bool warms_up) {
      for (const bool pieces : {false, true}) {
        messages_.set_short_pieces(pieces);
        const double time = time_one(Access::kPut, kBytes, false);
        if (!warms_up) keep_minimum(ns[pieces], time);
      }
    });
    if (!enough) return otherwise;
    UPCR_LOG(log_mpi, kInfo, "put of %zu bytes to rank %u: %.2f us in one piece, %.2f us in two", kBytes,
             target_, ns[0] * 1e-3, ns[1] * 1e-3);
    wins = wins && ns[1] < kClearlyLess * ns[0];
  }
  return wins;
}

void Measurement::serve(Rank origin, const Topology& topology, const SegmentMap& segments, bool everything) {
  const int o = static_cast<int>(origin);
  std::vector<char> buffer;
  Offer here;
  if (everything) {
    buffer.resize(kLargest);
    here = {reinterpret_cast<std::uintptr_t>(buffer.data()), buffer.size(), oversubscribed_};
  } else {
    here = {segments.remote[topology.my_first_slot()] + segments.null_bytes,
            std::min(kLargest, segments.bytes - segments.null_bytes), oversubscribed_};
  }
  check(MPI_Send(&here, sizeof here, MPI_BYTE, o, kTagMeasure, comm_), "MPI_Send", o);
  MPI_Request end;
  check(MPI_Irecv(nullptr, 0, MPI_BYTE, o, kTagMeasure, comm_, &end), "MPI_Irecv", o);
  for (int over = 0; over == 0;) {
    poll();
    check(MPI_Test(&end, &over, MPI_STATUS_IGNORE), "MPI_Test", o);
  }
  // This process receives no packets from now on. The origin must know that before any process may leave
  // attach() and send some.
  check(MPI_Send(nullptr, 0, MPI_BYTE, o, kTagMeasure, comm_), "MPI_Send", o);
}

CalibrationResult Measurement::measure(Rank target, bool puts, bool gets, bool otherwise) {
  const int t = static_cast<int>(target);
  const auto receive = [this, t](void* data, int bytes) {
    MPI_Request request;
    check(MPI_Irecv(data, bytes, MPI_BYTE, t, kTagMeasure, comm_, &request), "MPI_Irecv", t);
    wait_with_yield(&request, "MPI_Irecv");
  };
  receive(&there_, sizeof there_);
  target_ = target;
  memory_.resize(there_.bytes);
  end_ = Clock::now() + kTotalTime;
  const Favoured favoured = favoured_path(there_.oversubscribed != 0, puts);
  CalibrationResult result;
  result.slow = is_slow();
  result.short_pieces = short_pieces_win(otherwise);
  messages_.set_short_pieces(result.short_pieces);
  for (const Access access : {Access::kPut, Access::kGet}) {
    if (!(access == Access::kPut ? puts : gets)) continue;
    std::vector<Measured> sizes;
    if (!result.slow) {
      const std::vector<Measured> first = measure_both(access);
      sizes = confirmed(first, measure_both(access), favoured);
    }
    result.measured = result.measured && !sizes.empty();
    result.choice.learn(access, sizes, favoured);
  }
  check(MPI_Send(nullptr, 0, MPI_BYTE, t, kTagMeasure, comm_), "MPI_Send", t);
  receive(nullptr, 0);
  return result;
}

}  // namespace upcr::mpi
