// SPDX-License-Identifier: BSD-3-Clause
// The start and the end of the job (job/job.hpp), in two steps.
//   start_job()   bootstrap, configuration and topology (upcr_startup_init, gasnet_init)
//   attach_job()  segments, conduit, active messages, barrier (upcr_startup_attach, gasnet_attach)
// Only these two functions and end_job() write the Job. Main thread.
#pragma once
#include <cstddef>

#include "conduits/core/model/topology.hpp"

namespace upcr {

struct Job;

struct StartOptions {
  int argc = 0;
  char** argv = nullptr;
  unsigned processes = 0;  // to start when there is no launcher; 0: as many as UPCR_THREADS
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
  std::size_t null_bytes = 0;     // at the start of each segment, not mapped: SegmentMap::null_bytes
  bool everything = false;        // Long messages and remote access may name any address of a process
  unsigned stride_bits = 34;      // of the address reservation
  bool multithreaded = false;
  bool progress_thread = false;  // wanted by the program; UPCR_PROGRESS_THREAD decides
  bool one_thread_only = false;  // the program does not allow a progress thread: none is started
  // Called when topology and segments.bytes are known and before the shared memory is created: reserve()
  // areas here.
  void (*plan)(Job& job) = nullptr;
  // Called when all else is attached, before any process may send and before the progress thread exists:
  // register handlers and hooks here.
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
