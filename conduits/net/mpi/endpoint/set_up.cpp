// SPDX-License-Identifier: BSD-3-Clause
// How the mpi conduit starts and ends. Main thread.
#include <sched.h>

#include <algorithm>
#include <cstdlib>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/transport/registry.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/mpi/endpoint/conduit.hpp"
#include "conduits/net/mpi/library/finalize_guard.hpp"
#include "conduits/net/mpi/library/library_yields.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {
namespace {

LogComponent log_mpi("mpi");

void check_threads(bool multithreaded) {
  const Session& s = session();
  if (!multithreaded) return;
  // With MPI_THREAD_SERIALIZED our lock keeps our threads apart, but not from calls of the program's own.
  const int needed = s.ours() ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
  if (s.thread_level() < needed)
    fatal(
        "several threads of this process use the network (UPCR_PTHREADS, UPCR_PROGRESS_THREAD, a client "
        "compiled with GASNET_PAR), but %s grants %s and this needs %s; %s%s",
        library_version(), thread_level_name(s.thread_level()), thread_level_name(needed),
        s.ours() ? "" : "initialise MPI by MPI_Init_thread() with that level, or ",
        "use one UPC thread a process and no progress thread, or compile the client with GASNET_SEQ or "
        "GASNET_PARSYNC");
}

// How MPI and the job would find the same processes.
const char* other_start() {
#ifdef MPICH_VERSION
  if (std::getenv("PMIX_NAMESPACE") != nullptr && std::getenv("SLURM_STEP_NUM_TASKS") != nullptr)
    return "start the program with `srun --mpi=pmi2` (MPICH does not use the PMIx of `--mpi=pmix`)";
#endif
  return "start the program with the mpirun of that library, or by upcrun --conduit mpi";
}

}  // namespace

Status MpiConduit::attach(const AttachInfo& info) {
  topology_ = &info.topology;
  segments_ = &info.segments;
  doorbells_ = &info.doorbells;
  constexpr std::uint64_t kLeast = 1024, kMost = kLongPiece;
  long_piece_ = static_cast<std::uint32_t>(std::clamp(config_size("UPCR_MPI_PIECE"), kLeast, kMost));
  multithreaded_ = info.multithreaded;
  everything_ = info.everything;
  Session& s = session();
  s.open();
  if (s.rank() != topology_->rank || s.size() != topology_->size)
    fatal("the job has this process as rank %u of %u, but %s as rank %u of %u; %s", topology_->rank,
          topology_->size, library_version(), s.rank(), s.size(), other_start());
  check_threads(multithreaded_);
  raise_finalize_guard();
  lock_ = &s.lock();
  packets_ = duplicate_world();
  data_ = duplicate_world();
  open_tables();
  caps_.rma_put = caps_.rma_get = true;
  caps_.poll_yields = !multithreaded_ && library_yields();  // of several threads one may find another polling
  choose_ways();
  return Status::kOk;
}

std::string MpiConduit::describe() const {
  return std::string("mpi: ") + library_version() + ", " + thread_level_name(session().thread_level()) +
         "; " + ways_ + (caps_.poll_yields ? "; its idle polls give the CPU away" : "");
}

void MpiConduit::open_tables() {
  const std::size_t n = topology_->size, peers = n - 1;
  const unsigned window = credit_limit_for(topology_->size);
  peers_.resize(n);
  outstanding_.resize(n * window);
  for (std::size_t r = 0; r < n; ++r) peers_[r].flow.open(&outstanding_[r * window], window);
  // A served request's credit is on its way before its buffer is free again: one more than the credits.
  held_.open(peers * window + 1);
  pending_acks_.open(n);
  transfers_.open(data_, 2 * kMaxRendezvous * peers);
  done_puts_.reserve(2 * kMaxRendezvous * peers);
  PacketCheck* const check = packet_check();
  if (check != nullptr && check->sums()) sums_ = check;
  sends_.open(packets_, kSendBuffers, check);
  // What may be set aside: requests that wait their turn, and from each peer the first part of a reply.
  const std::size_t receives = peers * (window + 1) + kSpareReceives;
  receives_.open(packets_, static_cast<unsigned>(receives), sums_ != nullptr ? sums_->extra_bytes() : 0);
  UPCR_LOG(log_mpi, kInfo, "%u packets of %zu bytes to each process, %zu receives", window, kPacketBytes,
           receives);
}

bool MpiConduit::idle() const noexcept {
  return held_.empty() && !window_.busy() && transfers_.empty() && done_puts_.empty() &&
         pending_acks_.empty() && sends_.all_sent_out();
}

namespace {

void poll_and_yield(AmEngine& engine) {
  if (engine.poll() == 0) ::sched_yield();
}

}  // namespace

// Everybody learns how many packets each other process had sent to it before this call, and takes them.
void MpiConduit::drain() {
  while (!idle()) poll_and_yield(*engine_);
  const std::size_t n = peers_.size();
  std::vector<std::uint32_t> sent(n), expected(n);
  MPI_Request exchange;
  {
    const OptionalGuard guard(*lock_, multithreaded_);
    for (std::size_t r = 0; r < n; ++r) sent[r] = peers_[r].packets_sent;
    check(MPI_Ialltoall(sent.data(), 1, MPI_UINT32_T, expected.data(), 1, MPI_UINT32_T, data_, &exchange),
          "MPI_Ialltoall");
  }
  for (int known = 0; known == 0;) {
    poll_and_yield(*engine_);
    const OptionalGuard guard(*lock_, multithreaded_);
    check(MPI_Test(&exchange, &known, MPI_STATUS_IGNORE), "MPI_Ialltoall");
  }
  for (std::size_t r = 0; r < n; ++r)
    while (static_cast<std::int32_t>(expected[r] - peers_[r].packets_received) > 0) poll_and_yield(*engine_);
  while (!idle()) poll_and_yield(*engine_);
}

Status MpiConduit::detach() {
  drain();  // requests, and what answers them
  silent_ = true;
  drain();  // the answers, which nothing answers
  window_.close();
  receives_.close();
  sends_.close();
  check(MPI_Comm_free(&packets_), "MPI_Comm_free");
  check(MPI_Comm_free(&data_), "MPI_Comm_free");
  lower_finalize_guard();
  session().close();
  return Status::kOk;
}

namespace {

std::unique_ptr<Conduit> create() { return std::make_unique<MpiConduit>(); }

}  // namespace
}  // namespace upcr::mpi

extern "C" UPCR_MODULE_API const upcr::ConduitModule upcr_conduit_module;
const upcr::ConduitModule upcr_conduit_module = {{upcr::kConduitAbi, "mpi"}, upcr::mpi::create};
