// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/endpoint/calibration.hpp"

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {
namespace {

// How long the target of a trial waits for the data. A machine that is busy elsewhere may take longer, and
// then puts count as not asynchronous.
constexpr unsigned kTrialTimeoutMs = 5, kRequestedTrialTimeoutMs = 200;

}  // namespace

// Why no window is tried; null: it is.
const char* Calibration::reason_for_messages(const Capabilities& all) const {
  if (all.policy == Policy::kNo) return "UPCR_MPI_RMA=no";
  if (messages_.checks_sums()) return "UPCR_CHECKSUM=yes";
  if (setup_.everything) return "remote access may name any address";
#if defined(MPICH_VERSION)
  // Over TCP with several network devices, a window uses connections on which not both sides have sent
  // anything, and then MPI_Finalize may still hang (quiesce.hpp).
  if (all.policy == Policy::kAuto) return "with MPICH only UPCR_MPI_RMA=yes asks for one";
#endif
  if (!all.slower().exists())
    return setup_.topology.size == 1 ? "there is one process" : "all memory is mapped";
  if (all.policy == Policy::kAuto && all.far.exists() && !all.may_pin)
    return "a network might pin all of the segments: more than 1 GiB a process, or than ulimit -l; "
           "UPCR_MPI_RMA=yes does it";
  return nullptr;
}

// Do puts complete while their target is outside MPI, as far as two processes of each kind can tell?
bool Calibration::is_asynchronous(const Capabilities& all) {
  const unsigned timeout = all.policy == Policy::kYes ? kRequestedTrialTimeoutMs : kTrialTimeoutMs;
  int mine = 1, least = 0;
  for (const Pair& pair : {all.near, all.far})
    if (pair.has(setup_.topology.rank) && !window_.is_asynchronous(pair.origin, pair.target, timeout))
      mine = 0;
  MPI_Request request;
  check(MPI_Iallreduce(&mine, &least, 1, MPI_INT, MPI_MIN, setup_.data, &request), "MPI_Iallreduce");
  wait_with_yield(&request, "MPI_Iallreduce");
  return least != 0;
}

// The result of the slower pair, on all processes.
CalibrationResult Calibration::measure(const Capabilities& all, bool puts, bool gets, bool fetches) {
  const Pair& pair = all.slower();
  CalibrationResult result;
  result.short_pieces = !fetches;
  if (!pair.exists() || (setup_.segments.bytes == 0 && !setup_.everything)) return result;
  Measurement measurement(conduit_, messages_, window_, setup_.packets, setup_.oversubscribed);
  if (setup_.topology.rank == pair.origin)
    result = measurement.measure(pair.target, puts, gets, result.short_pieces);
  if (setup_.topology.rank == pair.target)
    measurement.serve(pair.origin, setup_.topology, setup_.segments, setup_.everything);
  MPI_Request request;
  check(MPI_Ibcast(&result, sizeof result, MPI_BYTE, static_cast<int>(pair.origin), setup_.data, &request),
        "MPI_Ibcast");
  wait_with_yield(&request, "MPI_Ibcast");
  return result;
}

Choice Calibration::choose() {
  const Capabilities all = find_capabilities(setup_.data, setup_.topology, setup_.segments,
                                             {config_string("UPCR_MPI_RMA"), setup_.piece});
  const bool requested = all.policy == Policy::kYes;
  const char* reason = reason_for_messages(all);
  const bool tried = reason == nullptr;
  if (tried && !window_.open(duplicate_world(), setup_.topology, setup_.segments)) {
    reason = window_.why_not();
    if (requested && setup_.topology.rank == 0)
      warn(
          "UPCR_MPI_RMA=yes: there is no MPI window, %s; messages are used. UPCR_MPI_RMA=auto is silent "
          "about it",
          reason);
  }
  const bool window = reason == nullptr, puts = window && is_asynchronous(all);
  // Does MPI fetch the data of long messages without the sender? This counts if measuring does not tell: it
  // does where puts complete without their target. Elsewhere hardly between machines, and within one if there
  // is a window, or none was tried, or the library makes none for processes of several threads.
  const bool trial_failed = tried && !window && session().thread_level() < MPI_THREAD_MULTIPLE;
  const bool fetches = puts || !(all.far.exists() || trial_failed);
  const CalibrationResult found = measure(all, puts && !requested, window && !requested, fetches);
  messages_.set_short_pieces(found.short_pieces);
  Choice choice;
  if (window) {
    choice = requested ? Choice::window(puts, true) : found.choice;
    words_ = (requested        ? "window, "
              : found.slow     ? "window, 64 bytes take too long to measure more: "
              : found.measured ? "window, measured: "
                               : "window, not all of it measured for want of time: ") +
             choice.describe();
    if (!puts) words_ += " (a put through it would wait for the target's processor)";
    if (!choice.any(Access::kPut) && !choice.any(Access::kGet)) window_.close();
  } else {
    words_ = std::string("no window (") + reason + "), puts and gets by messages";
  }
  if (found.short_pieces)
    words_ += "; up to " + std::to_string(2 * kShortPiece / 1024) + " KiB in two pieces";
  return choice;
}

}  // namespace upcr::mpi
