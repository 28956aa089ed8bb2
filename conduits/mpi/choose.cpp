// SPDX-License-Identifier: BSD-3-Clause
// The last part of the mpi conduit's attach(): is there a window, and what goes through it? Main thread, all
// processes together; nobody sends messages of the job yet. Two of them, which do not share memory, try both
// ways on the first segment of the second one, whose memory is still all zero and stays so.
#include <chrono>
#include <vector>

#include "conduits/base/config.hpp"
#include "conduits/base/log.hpp"
#include "conduits/base/report.hpp"
#include "conduits/core/job.hpp"
#include "conduits/mpi/conduit.hpp"
#include "conduits/mpi/session.hpp"

namespace upcr::mpi {
namespace {

using Clock = std::chrono::steady_clock;

LogComponent log_mpi("mpi");

constexpr int kTagChosen = 2;
// For auto; a machine that is busy elsewhere may take longer, and then the target counts as absent.
constexpr unsigned kPatienceMs = 5, kPatienceWhenAskedMs = 200;
constexpr std::size_t kSizes[] = {64, 512, 4096, 32768, 262144};
// No measurement is begun after this, and no pair of ways goes on for longer than its share.
constexpr std::chrono::milliseconds kAllTime{10};
constexpr std::chrono::microseconds kTimeOfOne{400};
constexpr unsigned kLeastRounds = 3;  // the first one warms up

class NoMessages final : public AmSink {
 public:
  void deliver(const AmArrival& arrival) override {
    fatal("a message of rank %u arrived before the job was ready for it", arrival.source);
  }
  bool takes_requests() const override { return true; }
};

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

}  // namespace

// The process that tries the ways together with rank 0: on another machine if there is one, else one whose
// memory is not mapped. Rank 0 decides; its own number: there is none.
Rank MpiConduit::find_partner() const {
  Rank partner = 0;
  if (topology_->rank == 0) {
    for (Rank r = topology_->size; r-- > 1;)
      if (!topology_->in_window(r) && (partner == 0 || !topology_->on_my_machine(r))) partner = r;
  }
  check(MPI_Bcast(&partner, 1, MPI_UINT32_T, 0, data_), "MPI_Bcast");
  return partner;
}

// The time of one transfer from rank 0, by way of `choice_`.
double MpiConduit::time_one(Access access, Rank partner, std::vector<char>& memory, std::size_t bytes,
                            AmSink& sink) {
  const std::uint64_t there = job().segments.remote[topology_->first_slot[partner]];
  const auto start = Clock::now();
  Pending done, local;
  const auto begin = [&] {
    return access == Access::kPut ? put(partner, there, memory.data(), bytes, done, &local)
                                  : get(partner, memory.data(), there, bytes, done);
  };
  Status status;
  while ((status = begin()) == Status::kNoResource) (void)poll(16, sink);
  while (!done.done() || !local.done()) (void)poll(16, sink);
  return status == Status::kInProgress ? ns_since(start) : 0;
}

std::vector<Measured> MpiConduit::measure(Access access, Rank partner, std::vector<char>& memory,
                                          AmSink& sink) {
  std::vector<Measured> all;
  const auto begin = Clock::now();
  for (const std::size_t bytes : kSizes) {
    Measured best{bytes, 0, 0};
    if (bytes > memory.size() || Clock::now() - begin > kAllTime / 2) {
      all.push_back(best);  // not measured: by messages
      continue;
    }
    const auto first = Clock::now();
    for (unsigned round = 0; round < kLeastRounds || Clock::now() - first < kTimeOfOne; ++round)
      for (const bool window : {false, true}) {
        choice_ = Choice::window(window, window);
        const double ns = time_one(access, partner, memory, bytes, sink);
        double& least = window ? best.window_ns : best.messages_ns;
        if (round != 0 && (least == 0 || ns < least)) least = ns;
      }
    UPCR_LOG(log_mpi, kInfo, "%s of %zu bytes to rank %u: %.2f us by messages, %.2f us through the window",
             access == Access::kPut ? "put" : "get", bytes, partner, best.messages_ns * 1e-3,
             best.window_ns * 1e-3);
    all.push_back(best);
  }
  return all;
}

// Rank 0 and its partner find out what is faster; rank 0 returns it.
Choice MpiConduit::compare(Rank partner, bool puts) {
  NoMessages sink;
  if (topology_->rank == 0) {
    std::vector<char> memory(std::min(kSizes[std::size(kSizes) - 1], job().segments.bytes));
    Choice learnt;
    if (puts) learnt.learn(Access::kPut, measure(Access::kPut, partner, memory, sink));
    learnt.learn(Access::kGet, measure(Access::kGet, partner, memory, sink));
    check(MPI_Send(nullptr, 0, MPI_BYTE, static_cast<int>(partner), kTagChosen, window_.comm()), "MPI_Send");
    return learnt;
  }
  MPI_Request end;
  check(MPI_Irecv(nullptr, 0, MPI_BYTE, 0, kTagChosen, window_.comm(), &end), "MPI_Irecv");
  for (int over = 0; over == 0;) {
    (void)poll(16, sink);
    check(MPI_Test(&end, &over, MPI_STATUS_IGNORE), "MPI_Test");
  }
  return Choice();
}

// Why the window is not even tried; null: it is.
const char* MpiConduit::reason_for_messages(const std::string& wish, Rank partner) const {
  if (wish == "no") return "UPCR_MPI_RMA=no";
  if (everything_) return "remote access may name any address";
#if defined(MPICH_VERSION)
  // Over TCP with several network devices, a window uses connections on which not both sides have sent
  // anything, and then MPI_Finalize may still hang (quiesce.hpp).
  if (wish == "auto") return "with MPICH only UPCR_MPI_RMA=yes asks for one";
#endif
  if (partner == 0) return topology_->size == 1 ? "there is one process" : "all memory is mapped";
  return nullptr;
}

void MpiConduit::choose_ways() {
  const std::string wish = config_string("UPCR_MPI_RMA");
  const bool asked = wish == "yes", speaks = topology_->rank == 0;
  const Rank partner = find_partner();
  if (const char* reason = reason_for_messages(wish, partner)) {
    ways_ = std::string("no window (") + reason + "), puts and gets by messages";
    return;
  }
  if (!window_.open(duplicate_world(), *topology_, job().segments)) {
    ways_ = std::string("no window (") + window_.why_not() + "), puts and gets by messages";
    asks_for_long_ = true;  // as far as can be told: a network that fetches data offers windows, too
    if (asked && speaks)
      warn(
          "UPCR_MPI_RMA=yes: there is no MPI window, %s; messages are used. UPCR_MPI_RMA=auto is silent "
          "about it",
          window_.why_not());
    return;
  }
  Choice chosen;
  int puts = 0;
  if (speaks || topology_->rank == partner) {
    puts = window_.is_asynchronous(0, partner, asked ? kPatienceWhenAskedMs : kPatienceMs) ? 1 : 0;
    chosen = asked ? Choice::window(puts != 0, true) : compare(partner, puts != 0);
  }
  check(MPI_Bcast(&puts, 1, MPI_INT, 0, window_.comm()), "MPI_Bcast");
  check(MPI_Bcast(&chosen, sizeof chosen, MPI_BYTE, 0, window_.comm()), "MPI_Bcast");
  choice_ = chosen;
  ways_ = (asked ? "window, " : "window, measured: ") + choice_.describe();
  if (puts == 0) ways_ += " (a put through it would wait for the target's processor)";
  if (!choice_.any(Access::kPut) && !choice_.any(Access::kGet)) window_.close();
}

}  // namespace upcr::mpi
