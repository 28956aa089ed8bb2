// SPDX-License-Identifier: BSD-3-Clause
// One process's view of a job: every object of core that belongs to the job. Start-up attaches each and gives
// it the others that it needs (core/startup/startup.hpp). A process may have several; core keeps no pointer
// to any of them. A client API, whose C functions do not name a job, keeps its own (upcr/state/runtime.hpp,
// conduits/api/gasnet/state/client.hpp).
//
// Not part of a job but of the process: the environment (base/config), the log, reports of errors
// and signals (base/report), the lengths of spins that a thread has learnt (thread-local), and the debug
// library's packet checksums (checksum/packet_sums.hpp).
//
// Start-up writes it; later it is only read. Each object states its threads. Never destroyed while threads
// may use it.
#pragma once
#include <cstddef>
#include <memory>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/barrier/blocking.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/memory/access_guard.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_thread.hpp"
#include "conduits/core/rma/atomic.hpp"
#include "conduits/core/rma/deferred_requests.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/core/vis/vis.hpp"
#include "conduits/core/wait/doorbells.hpp"

namespace upcr {

struct Job {
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  std::unique_ptr<Bootstrap> bootstrap;
  std::unique_ptr<Conduit> conduit;
  std::unique_ptr<AmEngine> engine;
  Topology topology;
  SegmentMap segments;
  MemoryFile memory_file;          // the window group's
  MemoryFile machine_memory_file;  // the machine's, where that is larger: for the conduit and the doorbells
  Doorbells doorbells;
  bool bypass = true;          // UPCR_PSHM: neighbours' segments are mapped
  bool multithreaded = false;  // several client threads, or a progress thread
  bool everything = false;     // remote access may name any address, segments are not used
  bool attached = false;
  bool separate_machine_memory = false;
  bool oversubscribed = false;  // more UPC threads on this machine than CPUs; the same in all its processes
  bool processes_fit = false;   // each process can have a CPU; the same in all processes of the machine
  std::uint32_t threads_per_cpu = 1;  // on this machine

  ProgressEngine progress;
  Rma rma;
  Atomics atomics;
  DeferredRequests deferred_requests;
  Vis vis;
  BlockingBarrier barrier;
  ProgressThread progress_thread;

  // The memory that conduits may share with the processes of this machine.
  MemoryFile& machine_memory() noexcept {
    return separate_machine_memory ? machine_memory_file : memory_file;
  }
  // The memory of this process that peers may name in messages.
  AccessGuard access_guard() noexcept;
  // Makes the engine over the conduit, which is attached, and attaches progress and rma, which messages need.
  void make_engine();
  // Wakes the threads of this process that sleep.
  void wake_threads() const noexcept { doorbells.ring_process(topology, topology.rank); }
};

}  // namespace upcr
