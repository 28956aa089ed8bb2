// SPDX-License-Identifier: BSD-3-Clause
// How the processes of a job are started, observed and ended: as children of upcrun (local_processes.hpp), or
// by agents (remote_processes.hpp). The rules, by which the job fails or ends, are the supervisor's
// (supervisor.hpp), to which a backend reports events. Single-threaded, never blocks.
#pragma once
#include <poll.h>
#include <sys/types.h>

#include <cstddef>
#include <vector>

#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/process_table.hpp"
#include "tools/upcrun/plan/plan.hpp"

namespace upcrun {

class ProcessBackend {
 public:
  virtual ~ProcessBackend() = default;

  // Starts processes, at most as many as take a short time. Returns whether there are more to start. Throws
  // Failure.
  virtual bool start_some() = 0;

  // Appends the descriptors to poll; handle() takes the same entries after poll().
  virtual void collect(std::vector<pollfd>& fds) = 0;
  virtual void handle(const pollfd* fds, std::size_t count) = 0;
  // Sends what could not be sent before. After each poll().
  virtual void flush() {}
  // A child of upcrun has ended, perhaps an orphan that it has adopted.
  virtual void on_child_exit(pid_t pid, int wait_status) = 0;

  // The earliest time limit; 0: there is none.
  virtual Milliseconds next_deadline() const { return 0; }
  virtual void check_deadlines() {}

  // The process that joined as this rank is not the one that was started, but a descendant.
  virtual void on_descendant_joined(unsigned rank) = 0;
  // The process of rank `rank` cannot communicate with that of `peer`, which has not ended: tells it by
  // Control::send_alive() if the peer is alive.
  virtual void on_peer_lost(unsigned rank, unsigned peer) = 0;
  // Sends the signal to all programs.
  virtual void forward_signal(int number) = 0;
  // A process reports an error while the job ends.
  virtual void await_report() {}
  // Whether the process exits, and its status will follow. If the kernel does not end it: false, with the
  // reason in Process::fail_reason.
  virtual bool awaits_exit(unsigned rank, Milliseconds now) = 0;

  // Ends the programs, except those that have joined, which have got a packet. Returns the time after which
  // they are killed; 0: at once.
  virtual Milliseconds end_programs() = 0;
  // Sends SIGTERM to the launchers of agents, once. Returns the time after which they are killed; 0: no
  // launcher runs, or it has got the signal before.
  virtual Milliseconds terminate_launchers() { return 0; }
  // The descendants of upcrun have been killed.
  virtual void close_links() {}
  // Whether no process of the job is left, nor what started it.
  virtual bool finished() = 0;

  // For the message of --timeout: prints the output of launchers.
  virtual void report_launchers() {}
  // Processes that need a longer grace period at the end: every mpirun whose monitor was killed.
  virtual std::vector<ProcessId> without_monitor() const { return {}; }
};

// The job for the variable of its processes; the rank is still to be set.
upcr::wire::JobVariable describe_job(const Plan& plan);

}  // namespace upcrun
