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
  unsigned processes = 0;         // to start when there is no launcher; 0: as many as UPCR_THREADS
  const char* conduit = nullptr;  // of a job that is started so, if the user chooses none
};
// Joins the job, which is empty: bootstrap, configuration, host groups.
void start_job(Job& job, const StartOptions& options);

// The conduit before attach_job(), for clients that need its limits; otherwise attach_job() does both.
// choose_conduit() is collective: `name` is used if the user chooses none (UPCR_CONDUIT); null, or the
// default for one host (registry.hpp): a conduit that suits the job. load_conduit() is called by each process
// for itself.
const char* choose_conduit(Job& job, const char* name);
void load_conduit(Job& job, const char* name);

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
void attach_job(Job& job, const AttachOptions& options);

// Collective: delivers all messages, detaches the conduit and finalizes the bootstrap.
void end_job(Job& job);

// The largest segment that this machine can give to each of its slots when every process asks for as many
// as this one (`slots_here`); and the smallest such number over all machines (collective).
std::size_t max_local_segment(const Job& job, Slot slots_here);
std::size_t max_global_segment(Job& job, Slot slots_here);

}  // namespace upcr
