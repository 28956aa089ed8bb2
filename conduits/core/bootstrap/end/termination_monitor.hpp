// SPDX-License-Identifier: BSD-3-Clause
// Detects the end of a job whose launcher is not upcrun and ends processes by killing them only. A control
// thread handles
//   datagrams  of processes that end the job (acknowledged when this process has written its buffered output)
//              or leave it in order,
//   SIGTERM,   with which launchers end processes, unless the program handles that signal, and
//   the hang-up of the launcher's process on this host, which could not end the other processes any more.
// Used by LaunchedBootstrap.
#pragma once
#include <atomic>
#include <vector>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/bootstrap/end/termination_channel.hpp"
#include "conduits/core/bootstrap/open_file.hpp"

namespace upcr {

class TerminationMonitor {
 public:
  struct Callbacks {
    void (*ended)(int status);  // runs once, on the control thread, after the flush
    bool (*disconnect)();       // from the launcher: this process may end with any status afterwards
  };
  // The connection to the launcher's process on this host. Its hang-up means that the launcher's process has
  // died, unless the program has left the job by then.
  struct Launcher {
    int fd = -1;  // owned by the monitor; -1: there is none
    const char* name = nullptr;
    bool (*has_left)() = nullptr;
  };
  // Collective, in `bootstrap`'s constructor, which knows its rank, size and job by then. The object lives
  // until the process is gone. Main thread.
  TerminationMonitor(Bootstrap& bootstrap, const Callbacks& callbacks, const Launcher& launcher);
  TerminationMonitor(const TerminationMonitor&) = delete;
  TerminationMonitor& operator=(const TerminationMonitor&) = delete;
  ~TerminationMonitor() = delete;

  // Notifies the other processes that the job ends with `status`, and returns when they have flushed, after a
  // second at most. False: not all of them were reached. This process has flushed before, if it can. Any
  // thread, async-signal-safe; not in a forked child.
  bool broadcast_end(int status);
  // Under srun each process that is notified of the end ends by itself, with the job's status. Under other
  // launchers it waits to be killed.
  bool processes_end_themselves() const noexcept { return processes_end_themselves_; }
  // Disconnects from the launcher and ends this process.
  [[noreturn]] void disconnect_and_exit(int status);
  // Returns when all processes are in this call, after `grace_ms` at most. False: some are not. Once.
  bool exit_together(unsigned grace_ms);
  // The program has left the job: ends of the job do not concern it any more; SIGTERM is handled as before.
  void retire() { retired_.store(true); }

 private:
  static void* run(void* self);
  int poll_timeout_ms();
  void check_descriptors() const;
  void handle_datagram(int fd);
  void note_leaving(Rank rank);
  [[noreturn]] void end_by_sigterm();
  void flush_for_end(int status);
  void handle_hang_up();
  void end_after_lost_launcher();

  const Rank rank_, size_;
  const Callbacks callbacks_;
  const bool processes_end_themselves_;
  TerminationChannel channel_;
  Launcher launcher_;
  long lost_at_ = 0;  // when the launcher's process counts as dead, in ms; 0: it has not hung up
  int wake_ = -1;     // readable: SIGTERM came
  static constexpr int kWatched = 4;
  OpenFile watched_[kWatched];  // wake_, the channel's sockets, the launcher's connection
  std::vector<char> replied_;   // by rank; in broadcast_end()
  // The control thread's, on rank 0, by rank: is leaving; knows that all are.
  std::vector<char> leaving_, informed_;
  Rank leaving_count_ = 0;
  std::atomic<Rank> informed_count_{0};
  std::atomic<bool> all_left_{false};
  std::atomic<bool> retired_{false};
  std::atomic_flag ending_ = ATOMIC_FLAG_INIT;
};

}  // namespace upcr
