// SPDX-License-Identifier: BSD-3-Clause
// The last part of the mpi conduit's attach(): is there a window, what goes through it, and in which pieces
// does data travel? Main thread, all processes together; nobody sends messages of the job yet. Two processes
// of each kind of neighbourhood try for all (pairs.hpp, measure.cpp), while the others wait and leave the
// processors to them.
#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/mpi/endpoint/conduit.hpp"
#include "conduits/net/mpi/library/session.hpp"
#include "conduits/net/mpi/rma/pairs.hpp"

namespace upcr::mpi {
namespace {

// For auto; a machine that is busy elsewhere may take longer, and then the target counts as absent.
constexpr unsigned kPatienceMs = 5, kPatienceWhenAskedMs = 200;

}  // namespace

// Why the window is not even tried; null: it is.
const char* MpiConduit::reason_for_messages(const Capabilities& all) const {
  if (all.policy == Policy::kNo) return "UPCR_MPI_RMA=no";
  if (sums_ != nullptr) return "UPCR_CHECKSUM=yes";
  if (everything_) return "remote access may name any address";
#if defined(MPICH_VERSION)
  // Over TCP with several network devices, a window uses connections on which not both sides have sent
  // anything, and then MPI_Finalize may still hang (quiesce.hpp).
  if (all.policy == Policy::kAuto) return "with MPICH only UPCR_MPI_RMA=yes asks for one";
#endif
  if (!all.slower().exists()) return topology_->size == 1 ? "there is one process" : "all memory is mapped";
  if (all.policy == Policy::kAuto && all.far.exists() && !all.may_pin)
    return "a network might pin all of the segments: more than 1 GiB a process, or than ulimit -l; "
           "UPCR_MPI_RMA=yes does it";
  return nullptr;
}

// Do puts complete without their target's processor, as far as two processes of each kind can tell?
bool MpiConduit::try_puts(const Capabilities& all) {
  const unsigned patience = all.policy == Policy::kYes ? kPatienceWhenAskedMs : kPatienceMs;
  int mine = 1, least = 0;
  for (const Pair& pair : {all.near, all.far})
    if (pair.has(topology_->rank) && !window_.is_asynchronous(pair.origin, pair.target, patience)) mine = 0;
  MPI_Request request;
  check(MPI_Iallreduce(&mine, &least, 1, MPI_INT, MPI_MIN, data_, &request), "MPI_Iallreduce");
  wait_with_yield(&request, "MPI_Iallreduce");
  return least != 0;
}

// What the slower pair finds out, known to everybody.
MpiConduit::HelloStatus MpiConduit::learn(const Capabilities& all, bool puts, bool gets, bool fetches) {
  const Pair& pair = all.slower();
  HelloStatus verdict;
  verdict.short_pieces = !fetches;
  if (!pair.exists() || (segments_->bytes == 0 && !everything_)) return verdict;
  if (topology_->rank == pair.origin) verdict = measure(pair.target, puts, gets, verdict.short_pieces);
  if (topology_->rank == pair.target) calibrate_target(pair.origin);
  MPI_Request request;
  check(MPI_Ibcast(&verdict, sizeof verdict, MPI_BYTE, static_cast<int>(pair.origin), data_, &request),
        "MPI_Ibcast");
  wait_with_yield(&request, "MPI_Ibcast");
  return verdict;
}

void MpiConduit::choose_ways() {
  const Capabilities all =
      find_capabilities(data_, *topology_, *segments_, {config_string("UPCR_MPI_RMA"), long_piece_});
  const bool asked = all.policy == Policy::kYes;
  const char* reason = reason_for_messages(all);
  const bool tried = reason == nullptr;
  if (tried && !window_.open(duplicate_world(), *topology_, *segments_)) {
    reason = window_.why_not();
    if (asked && topology_->rank == 0)
      warn(
          "UPCR_MPI_RMA=yes: there is no MPI window, %s; messages are used. UPCR_MPI_RMA=auto is silent "
          "about it",
          reason);
  }
  const bool window = reason == nullptr, puts = window && try_puts(all);
  // Does MPI fetch the data of long messages by itself? What to believe if measuring does not tell: where
  // puts need no help from their target it does. Elsewhere hardly between machines, and within one if there
  // is a window, or nobody has tried, or the library makes none for processes of several threads.
  const bool tried_in_vain = tried && !window && session().thread_level() < MPI_THREAD_MULTIPLE;
  const bool fetches = puts || !(all.far.exists() || tried_in_vain);
  const HelloStatus found = learn(all, puts && !asked, window && !asked, fetches);
  asks_for_long_ = found.short_pieces;
  if (window) {
    choice_ = asked ? Choice::window(puts, true) : found.choice;
    ways_ = (asked        ? "window, "
             : found.slow ? "window, 64 bytes take too long to measure more: "
                          : "window, measured: ") +
            choice_.describe();
    if (!puts) ways_ += " (a put through it would wait for the target's processor)";
    if (!choice_.any(Access::kPut) && !choice_.any(Access::kGet)) window_.close();
  } else {
    ways_ = std::string("no window (") + reason + "), puts and gets by messages";
  }
  if (asks_for_long_) ways_ += "; up to " + std::to_string(2 * kShortPiece / 1024) + " KiB in two pieces";
}

}  // namespace upcr::mpi
