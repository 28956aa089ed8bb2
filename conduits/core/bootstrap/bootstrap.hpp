// SPDX-License-Identifier: BSD-3-Clause
// Bootstrap: a process's rank, the job's size, and slow collectives to set the fast ones up. Nothing else.
// One implementation for each method of starting a job: fork (by upcrun, here or through an agent on another
// host), MPI and PMIx (by mpirun or srun; modules), singleton.
// All calls come from the process's main thread during start-up and shutdown, except abort(), global_exit()
// and await_death_report(), which any thread may call at any time.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/bootstrap/table.hpp"

namespace upcr {

class Bootstrap {
 public:
  virtual ~Bootstrap() = default;

  Rank rank() const noexcept { return rank_; }
  Rank size() const noexcept { return size_; }
  // The launcher's name of this job: the same on every process, different for each job.
  const std::string& job_id() const noexcept { return job_id_; }

  // Collective: `bytes` bytes of every rank, in rank order, land in `all` (size() * bytes).
  virtual void allgather(const void* mine, std::size_t bytes, void* all) = 0;
  // Collective: the same, to be read where the launcher has left it. Processes that upcrun has started share
  // one copy on each host, so a table that lives as long as the job should be kept in this form.
  virtual Table gather(const void* mine, std::size_t bytes) {
    std::vector<char> all(bytes * size_);
    allgather(mine, bytes, all.data());
    return Table(std::move(all));
  }
  // Collective: the text that `root` passes, of any length. Other ranks' texts are ignored; `root` is the
  // same on all ranks.
  virtual std::string broadcast(Rank root, const std::string& text) {
    const std::uint64_t length = text.size();
    std::vector<std::uint64_t> lengths(size_);
    allgather(&length, sizeof length, lengths.data());
    std::string part = text;
    part.resize(lengths[root]);
    std::string all(part.size() * size_, '\0');
    allgather(part.data(), part.size(), all.data());
    return all.substr(part.size() * root, part.size());
  }
  // Collective.
  virtual void barrier() = 0;
  // Collective. Calls `poll` again and again until all processes have arrived: for a process whose peers may
  // need its receive buffers, or its answers, before they arrive.
  virtual void polling_barrier(const std::function<void()>& poll) = 0;
  // Collective, and the last call: afterwards this process may end with any status without ending the job.
  virtual void finalize() = 0;
  // Has the launcher end every process of the job with `status`, and ends this one. Each process flushes its
  // stdio and runs the hook of on_job_exit() first. Does not return.
  [[noreturn]] virtual void global_exit(int status) = 0;
  // As global_exit(), but gives the others up to `grace_ms` to do the same before they are ended; the first
  // status counts.
  [[noreturn]] virtual void leave(int status, unsigned grace_ms) {
    (void)grace_ms;
    global_exit(status);
    __builtin_unreachable();
  }
  // As global_exit() but without flushing anything here, and async-signal-safe: for fatal errors.
  // The launcher prints nothing more for this process.
  [[noreturn]] virtual void abort(int status) = 0;

  // Before an error that this process cannot communicate with `peer` is reported. If `peer` has died, or its
  // exit is under way, the launcher reports that, and knows more: then this waits for the job's end, at most
  // 20 seconds. Returns otherwise, also where the launcher cannot be asked.
  virtual void await_death_report(Rank peer) { (void)peer; }

  // Has the launcher report what the UPC threads of all processes do: one of them has waited for `seconds`.
  // False: it cannot be asked. Any thread.
  virtual bool report_stall(std::int64_t seconds) {
    (void)seconds;
    return false;
  }
  // What the UPC threads of this process do, in lines of ThreadReport::format(), for the launcher. Runs on a
  // thread of the bootstrap's, at any time.
  void on_question(std::string (*describe_threads)()) noexcept {
    describe_threads_.store(describe_threads, std::memory_order_release);
  }

  // `hook(status)` runs once, on a thread of the bootstrap's, when another process has ended the job.
  void on_job_exit(void (*hook)(int status)) noexcept { exit_hook_.store(hook, std::memory_order_release); }

 protected:
  Rank rank_ = 0;
  Rank size_ = 1;
  std::string job_id_;
  // Read by the bootstrap's own thread.
  std::atomic<void (*)(int)> exit_hook_{nullptr};
  std::atomic<std::string (*)()> describe_threads_{nullptr};
};

}  // namespace upcr
