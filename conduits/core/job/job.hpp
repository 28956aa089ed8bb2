// SPDX-License-Identifier: BSD-3-Clause
// The running job as both client faces see it: one per process, made in two steps.
//   start_job()   the processes know each other (upcr_startup_init, gasnet_init)
//   attach_job()  segments, conduit, active messages and barrier work (upcr_startup_attach, gasnet_attach)
// Everything below reads it; nobody but these two functions and end_job() writes it.
#pragma once
#include <cstddef>
#include <memory>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/memory/node_memory.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/core/wait/doorbells.hpp"

namespace upcr {

struct Job {
  std::unique_ptr<Bootstrap> bootstrap;
  std::unique_ptr<Conduit> conduit;
  std::unique_ptr<AmEngine> engine;
  NodeMemory node_memory;    // the window's
  NodeMemory beyond_window;  // the machine's, where that is more: for the conduit and the doorbells
  Topology topology;
  SegmentMap segments;
  Doorbells doorbells;
  bool bypass = true;          // UPCR_PSHM: neighbours' segments are mapped
  bool multithreaded = false;  // several client threads, or a progress thread
  bool everything = false;     // remote access may name any address, segments are not used
  bool attached = false;
  bool separate_machine_memory = false;
  bool oversubscribed = false;  // more UPC threads on this machine than CPUs; the same in all its processes
  bool processes_fit = false;   // but each process can have a CPU; the same

  // What conduits may share with the processes of this machine.
  NodeMemory& machine_memory() noexcept { return separate_machine_memory ? beyond_window : node_memory; }
};

// Made when it is asked for first, which is before there are threads, and never destroyed: threads may
// outlive main.
UPCR_MODULE_API Job& make_job() noexcept;
UPCR_MODULE_API extern Job* the_job;
inline Job& job() noexcept { return __builtin_expect(the_job != nullptr, 1) ? *the_job : make_job(); }

struct StartOptions {
  int argc = 0;
  char** argv = nullptr;
  unsigned processes = 0;  // to start when there is no launcher; 0: as UPCR_THREADS says
};
// Joins the job: bootstrap, configuration, host groups. `slots_here` segments will be asked for by this
// process (UPC threads of the process).
void start_job(const StartOptions& options);

// Makes the conduit before attach, so that its limits may be asked for; attach_job() does it otherwise. First
// its name, on all processes together: `name` is taken where the user chooses none (UPCR_CONDUIT); null: what
// suits the job. Then the conduit, each process for itself.
const char* choose_conduit(const char* name);
void load_conduit(const char* name);

struct AttachOptions {
  Slot slots_here = 1;
  std::size_t segment_bytes = 0;  // of each slot; the same on every process, a page multiple
  std::size_t null_bytes = 0;     // at the start of each that are to be left out: SegmentMap::null_bytes
  bool everything = false;        // Long messages and remote access may name any address of a process
  unsigned stride_bits = 34;      // of the window
  bool multithreaded = false;
  bool progress_thread = false;  // wanted by the program; UPCR_PROGRESS_THREAD decides
  bool one_thread_only = false;  // the program cannot stand a progress thread: nobody gets one
  // Called when topology and segments.bytes are known and before the shared memory is created: reserve()
  // areas here.
  void (*plan)(Job& job) = nullptr;
  // Called when everything else is there and before anybody may send: register handlers here.
  void (*ready)(Job& job) = nullptr;
};
void attach_job(const AttachOptions& options);

// Collective: everything sent has arrived, the conduit is gone, the bootstrap is finalized.
void end_job();

// The largest segment that this machine can give to each of its slots when every process asks for as many
// as this one (`slots_here`); and the smallest such number over all machines (collective).
std::size_t max_local_segment(Slot slots_here);
std::size_t max_global_segment(Slot slots_here);

}  // namespace upcr
