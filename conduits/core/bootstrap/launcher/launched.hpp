// SPDX-License-Identifier: BSD-3-Clause
// The base class of the bootstraps for jobs that upcrun has not started: it ends such jobs. Their launchers
// end processes by killing them, so the processes notify each other first (termination_monitor.hpp), and
// flush. The bootstraps are modules, so the library exports the class.
#pragma once
#include <pthread.h>
#include <sys/types.h>

#include <atomic>

#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/bootstrap/end/termination_monitor.hpp"

namespace upcr {

class UPCR_MODULE_API LaunchedBootstrap : public Bootstrap {
 public:
  ~LaunchedBootstrap() override;

  [[noreturn]] void global_exit(int status) final;
  [[noreturn]] void leave(int status, unsigned grace_ms) final;
  [[noreturn]] void abort(int status) final;

 protected:
  // `disconnect`: from the launcher, so that this process may end with any status; false when that fails.
  explicit LaunchedBootstrap(bool (*disconnect)());

  // Collective, in the constructor, when rank, size and job are known: from here on this process is notified
  // of the job's end, until retire(), which finalize() calls.
  void start_termination_monitor(const TerminationMonitor::Launcher& launcher = {});
  void retire() { monitor_->retire(); }

  // Has the launcher end the job with `status`; the other processes have flushed. Returns when that is under
  // way.
  virtual void end_job(int status) = 0;
  // The same, async-signal-safe. Where it does nothing the launcher detects a process that ends without
  // disconnecting, and ends the others.
  virtual void end_job_signal_safe(int status);

  pid_t pid() const noexcept { return pid_; }

 private:
  static void job_ended(int status);
  bool is_member() const;
  void claim_end(int status);
  void end(int status);

  const pid_t pid_;
  bool (*const disconnect_)();
  TerminationMonitor* monitor_ = nullptr;  // never destroyed
  std::atomic<pthread_t> ender_{};
  int status_ = 255;  // that the job is ended with
  std::atomic_flag ending_ = ATOMIC_FLAG_INIT;
};

// As abort() of the bootstrap by which this process has joined a launcher's job; returns when it has joined
// none. For errors before make_bootstrap() has returned it.
void abort_joined_job(int status);

}  // namespace upcr
