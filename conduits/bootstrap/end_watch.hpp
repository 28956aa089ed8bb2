// SPDX-License-Identifier: BSD-3-Clause
// How a process learns that its job ends, where the launcher is not upcrun and only kills: a control thread
// takes
//   words  from processes of the same host that end the job (datagrams of an abstract socket, answered when
//          this process has written its buffered output), and
//   SIGTERM, with which launchers end processes, if the program leaves that signal alone.
// Used by the bootstraps that join a launcher's job; they are modules, so the library exports it.
#pragma once
#include <atomic>
#include <string>

#include "conduits/base/status.hpp"
#include "conduits/base/visibility.hpp"

namespace upcr {

class UPCR_MODULE_API EndWatch {
 public:
  struct Ends {
    void (*ended)(int status);  // runs once, on the control thread, after the flush
    bool (*goodbye)();          // tells the launcher that this process may end as it likes
  };
  // All processes of the job give the same `job_id`. The object lives until the process is gone. Main thread.
  EndWatch(const std::string& job_id, Rank rank, Rank size, const Ends& ends);
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;
  ~EndWatch() = delete;

  // Tells the other processes of this host that the job ends with `status`, and returns when they have
  // flushed, after a second at most. False: not all processes of the job were reached. This process has
  // flushed before, if it can. Any thread, async-signal-safe; not in a forked child.
  bool tell(int status);
  // Under srun each process that hears of the end ends by itself, with the job's status. Others wait to be
  // killed.
  bool each_by_itself() const noexcept { return each_by_itself_; }
  // Says goodbye and ends this process.
  [[noreturn]] void end_orderly(int status);
  // Tells them that this process leaves, and returns when they have all said the same, after `grace_ms` at
  // most. False: some have not. Once.
  bool leave_together(unsigned grace_ms);
  // The same words from a source of the bootstrap's, about processes of other hosts. Any thread.
  void hear_end(int status);
  void hear_leaving() { leaving_.fetch_add(1); }
  // The program is over for the job: words are not taken any more, SIGTERM still is.
  void retire() { retired_.store(true); }

 private:
  static void* run(void* self);
  void take_word();
  [[noreturn]] void take_signal();
  void end_by(int status);
  unsigned send_to_all(int fd, int kind, int status) const;

  const std::string name_;  // of the job's sockets, but for the rank
  const Rank rank_, size_;
  const Ends ends_;
  const bool each_by_itself_;
  int socket_ = -1;
  int wake_ = -1;                     // readable: SIGTERM came
  std::atomic<unsigned> leaving_{0};  // other processes that have said so
  std::atomic<bool> retired_{false};
  std::atomic_flag ending_ = ATOMIC_FLAG_INIT;
};

}  // namespace upcr
