// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/launcher/launched.hpp"

#include <unistd.h>

#include "conduits/core/base/report/fatal_filter.hpp"
#include "conduits/core/base/report/flush.hpp"
#include "conduits/core/base/report/process_end.hpp"

namespace upcr {
namespace {

// Notified of the job's end; null once the bootstrap is destroyed, which the control thread survives.
std::atomic<LaunchedBootstrap*> joined{nullptr};

}  // namespace

LaunchedBootstrap::LaunchedBootstrap(bool (*disconnect)()) : pid_(::getpid()), disconnect_(disconnect) {}

LaunchedBootstrap::~LaunchedBootstrap() { joined.store(nullptr, std::memory_order_release); }

void LaunchedBootstrap::start_termination_monitor(const TerminationMonitor::Launcher& launcher) {
  joined.store(this, std::memory_order_release);
  monitor_ = new TerminationMonitor(*this, {&job_ended, disconnect_}, launcher);
}

void LaunchedBootstrap::job_ended(int status) {
  LaunchedBootstrap* const self = joined.load(std::memory_order_acquire);
  if (self == nullptr) return;
  if (auto hook = self->exit_hook_.load(std::memory_order_acquire)) hook(status);
}

// False in a child that the program forked.
bool LaunchedBootstrap::is_member() const { return ::getpid() == pid_; }

// One thread ends the job; others wait for that. A launcher's library may call exit(), which may call this
// again.
void LaunchedBootstrap::claim_end(int status) {
  if (!ending_.test_and_set()) {
    ender_.store(::pthread_self());
    status_ = status;
    return;
  }
  if (::pthread_equal(ender_.load(), ::pthread_self())) ::_exit(status_);
  for (;;) ::pause();
}

void LaunchedBootstrap::end(int status) {
  if (monitor_->broadcast_end(status) && monitor_->processes_end_themselves())
    monitor_->disconnect_and_exit(status);
  end_job(status);
}

void LaunchedBootstrap::global_exit(int status) {
  const bool flushed = flush_all_files();
  claim_process_end();
  if (flushed) status = status_after_output(status);
  if (is_member()) {
    claim_end(status);
    end(status);
  }
  ::_exit(status);
}

void LaunchedBootstrap::leave(int status, unsigned grace_ms) {
  const bool flushed = flush_all_files();
  claim_process_end();
  if (flushed) status = status_after_output(status);
  if (is_member()) {
    claim_end(status);
    if (!monitor_->exit_together(grace_ms) || !disconnect_()) end(status);
  }
  ::_exit(status);
}

void LaunchedBootstrap::abort(int status) {
  if (is_member()) {
    if (!monitor_->broadcast_end(status) || !monitor_->processes_end_themselves())
      end_job_signal_safe(status);
    linger_after_fatal();
  }
  ::_exit(status);
}

void LaunchedBootstrap::end_job_signal_safe(int) {}

void abort_joined_job(int status) {
  if (LaunchedBootstrap* const self = joined.load(std::memory_order_acquire)) self->abort(status);
}

}  // namespace upcr
