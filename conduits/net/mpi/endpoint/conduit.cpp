// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/endpoint/conduit.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/transport/registry.hpp"
#include "conduits/net/mpi/endpoint/calibration.hpp"
#include "conduits/net/mpi/library/finalize_guard.hpp"
#include "conduits/net/mpi/library/library_yields.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {

Status MpiConduit::am_send(Rank to, const AmPacket& packet) {
  const auto guard = lock_if(*lock_, multithreaded_);
  return messages_.send(to, packet);
}

Status MpiConduit::am_send_bulk(Rank to, const AmPacket& packet, Pending& local) {
  const auto guard = lock_if(*lock_, multithreaded_);
  return messages_.send_bulk(to, packet, local);
}

Status MpiConduit::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                       Pending* local) {
  const auto guard = lock_if(*lock_, multithreaded_);
  if (choice_.through_window(Access::kPut, bytes)) {
    const Status status = window_.put(to, raddr, src, bytes, remote, local);
    if (status != Status::kNotSupported) return status;
  }
  return messages_.put(to, raddr, src, bytes, remote, local);
}

Status MpiConduit::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  const auto guard = lock_if(*lock_, multithreaded_);
  if (choice_.through_window(Access::kGet, bytes)) {
    const Status status = window_.get(from, dst, raddr, bytes, done);
    if (status != Status::kNotSupported) return status;
  }
  return messages_.get(from, dst, raddr, bytes, done);
}

unsigned MpiConduit::poll(unsigned budget, AmSink& sink) {
  messages_.begin_poll(sink);
  auto guard = lock_if(*lock_, multithreaded_);
  const unsigned processed = messages_.poll(budget, guard);
  return processed + window_.poll();
}

bool MpiConduit::pending() const noexcept {
  const auto guard = lock_if(*lock_, multithreaded_);
  return !idle() || messages_.has_arrival();
}

// -- start and end: main thread

namespace {

void check_threads(bool multithreaded) {
  const Session& s = session();
  if (!multithreaded) return;
  // With MPI_THREAD_SERIALIZED the session's lock keeps the threads of this library apart, but not from calls
  // that the program makes.
  const int needed = s.ours() ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
  if (s.thread_level() < needed)
    fatal_setting(
        "several threads of this process use the network (UPCR_PTHREADS, UPCR_PROGRESS_THREAD, a client "
        "compiled with GASNET_PAR), but %s grants %s and this needs %s; %s%s",
        library_version(), thread_level_name(s.thread_level()), thread_level_name(needed),
        s.ours() ? "" : "initialise MPI by MPI_Init_thread() with that level, or ",
        "use one UPC thread a process and no progress thread, or compile the client with GASNET_SEQ or "
        "GASNET_PARSYNC");
}

// The cure when MPI and the job disagree about who is in it.
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
  constexpr std::uint64_t kMinPiece = 1024, kMaxPiece = kLongPiece;
  const auto piece =
      static_cast<std::uint32_t>(std::clamp(config_size("UPCR_MPI_PIECE"), kMinPiece, kMaxPiece));
  multithreaded_ = info.multithreaded;
  Session& s = session();
  s.open();
  if (s.rank() != topology_->rank || s.size() != topology_->size)
    fatal_setting("the job has this process as rank %u of %u, but %s as rank %u of %u; %s", topology_->rank,
                  topology_->size, library_version(), s.rank(), s.size(), other_start());
  check_threads(multithreaded_);
  raise_finalize_guard();
  lock_ = &s.lock();
  packets_ = duplicate_world();
  data_ = duplicate_world();
  messages_.open(
      {*topology_, info.doorbells, info.segments, info.everything, packets_, data_, packet_check(), piece});
  caps_.rma_put = caps_.rma_get = true;
  caps_.poll_yields = !multithreaded_ && library_yields();  // of several threads one may find another polling
  Calibration calibration(
      {*topology_, info.segments, info.everything, info.oversubscribed, packets_, data_, piece}, *this,
      messages_, window_);
  choice_ = calibration.choose();
  paths_ = calibration.describe();
  return Status::kOk;
}

std::string MpiConduit::describe() const {
  return std::string("mpi: ") + library_version() + ", " + thread_level_name(session().thread_level()) +
         "; " + paths_ + (caps_.poll_yields ? "; its idle polls give the CPU away" : "");
}

namespace {

void poll_and_yield(AmEngine& engine) {
  if (engine.poll() == 0) ::sched_yield();
}

}  // namespace

// Each process learns how many packets every other one has sent to it before this call, and receives them.
void MpiConduit::drain() {
  while (!idle()) poll_and_yield(*engine_);
  const std::vector<Peer>& peers = messages_.peers();
  const std::size_t n = peers.size();
  std::vector<std::uint32_t> sent(n), expected(n);
  MPI_Request exchange;
  {
    const auto guard = lock_if(*lock_, multithreaded_);
    for (std::size_t r = 0; r < n; ++r) sent[r] = peers[r].packets_sent;
    check(MPI_Ialltoall(sent.data(), 1, MPI_UINT32_T, expected.data(), 1, MPI_UINT32_T, data_, &exchange),
          "MPI_Ialltoall");
  }
  for (int known = 0; known == 0;) {
    poll_and_yield(*engine_);
    const auto guard = lock_if(*lock_, multithreaded_);
    check(MPI_Test(&exchange, &known, MPI_STATUS_IGNORE), "MPI_Ialltoall");
  }
  for (std::size_t r = 0; r < n; ++r)
    while (static_cast<std::int32_t>(expected[r] - peers[r].packets_received) > 0) poll_and_yield(*engine_);
  while (!idle()) poll_and_yield(*engine_);
}

Status MpiConduit::detach() {
  drain();  // requests, their replies and acknowledgements
  messages_.stop_acks();
  drain();  // the replies, which nothing acknowledges
  window_.close();
  messages_.close();
  check(MPI_Comm_free(&packets_), "MPI_Comm_free");
  check(MPI_Comm_free(&data_), "MPI_Comm_free");
  lower_finalize_guard();
  session().close();
  return Status::kOk;
}

namespace {

std::unique_ptr<Conduit> create() { return std::make_unique<MpiConduit>(); }

std::string obstacle(Preference) {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised != 0) return {};
  // Of Open MPI's mpirun, hydra and srun --mpi=pmi2, srun --mpi=pmix.
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_NAMESPACE"})
    if (std::getenv(variable) != nullptr) return {};
  return "neither mpirun nor srun has started the processes";
}

}  // namespace
}  // namespace upcr::mpi

extern "C" UPCR_MODULE_API const upcr::ConduitModule upcr_conduit_module;
const upcr::ConduitModule upcr_conduit_module = {
    {upcr::kConduitAbi, "mpi"}, upcr::mpi::create, upcr::mpi::obstacle};
