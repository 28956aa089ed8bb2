// SPDX-License-Identifier: BSD-3-Clause
// Detects how a process was started, and makes the bootstrap that joins its job. Once, on the main thread.
#pragma once
#include <memory>

#include "conduits/core/bootstrap/bootstrap.hpp"

namespace upcr {

// How many UPC threads the user asked for and how they are distributed: process r has the threads r *
// pthreads .. min(threads, (r + 1) * pthreads) - 1. A launcher decides both numbers. Without one they are
// those of UPCR_THREADS and UPCR_PTHREADS (one process, so threads <= pthreads); where these are unset, the
// numbers are 1 and the caller may choose others.
struct JobShape {
  unsigned threads = 1;
  unsigned pthreads = 1;  // per process, at most
  bool from_launcher = false;
  bool threads_given = false;   // by the launcher or UPCR_THREADS
  bool pthreads_given = false;  // by the launcher or UPCR_PTHREADS

  unsigned processes() const noexcept { return (threads + pthreads - 1) / pthreads; }
  unsigned first_thread(Rank r) const noexcept { return r * pthreads; }
  unsigned threads_of(Rank r) const noexcept {
    const unsigned rest = threads - first_thread(r);
    return rest < pthreads ? rest : pthreads;
  }
};
// Valid after make_bootstrap().
const JobShape& job_shape() noexcept;

// Detects how this process was started and joins its job. Called once. With UPCR_THREADS=n in the
// environment, n > 1 and no launcher, replaces this process by `upcrun -n n` of itself; `processes`, when it
// is not 0, replaces UPCR_THREADS (and UPCR_PTHREADS is ignored); `conduit`, when it is not null, becomes
// UPCR_CONDUIT where that is not set.
std::unique_ptr<Bootstrap> make_bootstrap(int argc, char** argv, unsigned processes = 0,
                                          const char* conduit = nullptr);

}  // namespace upcr
