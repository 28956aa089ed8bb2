// SPDX-License-Identifier: BSD-3-Clause
// A job that mpirun started, joined through MPI itself: the bootstrap that this module exports beside its
// conduit. Also used with other conduits, when the program has initialised MPI or the launcher speaks to MPI
// libraries only. Main thread, but for global_exit() and abort().
#include "conduits/bootstrap/bootstrap.hpp"

#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <mutex>

#include "conduits/base/flush.hpp"
#include "conduits/base/report.hpp"
#include "conduits/bootstrap/end_watch.hpp"
#include "conduits/bootstrap/module.hpp"
#include "conduits/mpi/launcher.hpp"
#include "conduits/mpi/session.hpp"

namespace upcr::mpi {
namespace {

class MpiBootstrap;
// Who is told of the job's end; null once the bootstrap is destroyed, which the control thread survives.
std::atomic<MpiBootstrap*> joined{nullptr};

class MpiBootstrap final : public Bootstrap {
 public:
  MpiBootstrap() : pid_(::getpid()) {
    session().open();
    rank_ = session().rank();
    size_ = session().size();
    comm_ = duplicate_world();
    agree_on_job_id();
    find_launcher();
    joined.store(this, std::memory_order_release);
    watch_ = new EndWatch(*this, {&job_ended, &say_goodbye});
  }
  ~MpiBootstrap() override { joined.store(nullptr, std::memory_order_release); }

  void allgather(const void* mine, std::size_t bytes, void* all) override {
    if (bytes == 0) return;
    if (bytes > INT_MAX) fatal("internal error: %zu bytes a rank in a start-up collective", bytes);
    const int n = static_cast<int>(bytes);
    complete("MPI_Iallgather", [&](MPI_Request* request) {
      return MPI_Iallgather(mine, n, MPI_BYTE, all, n, MPI_BYTE, comm_, request);
    });
  }
  void barrier() override {
    complete("MPI_Ibarrier", [&](MPI_Request* request) { return MPI_Ibarrier(comm_, request); });
  }
  void finalize() override {
    if (finalized_by_program()) return watch_->retire();
    barrier();
    watch_->retire();
    check(MPI_Comm_free(&comm_), "MPI_Comm_free");
    session().close();
  }

  [[noreturn]] void global_exit(int status) override {
    (void)flush_all_files();
    if (is_member()) {
      claim_end();
      end(status);
    }
    ::_exit(status);
  }

  [[noreturn]] void leave(int status, unsigned grace_ms) override {
    (void)flush_all_files();
    if (is_member()) {
      claim_end();
      if (!watch_->leave_together(grace_ms) || !say_goodbye()) end(status);
    }
    ::_exit(status);
  }

  // The launcher sees a process that ends without MPI_Finalize and ends the others, which have flushed by
  // then.
  [[noreturn]] void abort(int status) override {
    if (is_member() && (!watch_->tell(status) || !watch_->each_by_itself()))
      (void)end_job_from_handler(status);
    ::_exit(status);
  }

 private:
  static void job_ended(int status) {
    MpiBootstrap* const self = joined.load(std::memory_order_acquire);
    if (self == nullptr) return;
    if (auto hook = self->exit_hook_.load(std::memory_order_acquire)) hook(status);
  }

  // A child that the program forked is none.
  bool is_member() const { return ::getpid() == pid_; }

  // One thread ends the job; others wait for the effect. MPI_Abort calls exit(), which may lead here again.
  void claim_end() {
    if (!ending_.test_and_set()) {
      ender_.store(::pthread_self());
      return;
    }
    if (::pthread_equal(ender_.load(), ::pthread_self())) ::_exit(last_status_);
    for (;;) ::pause();
  }

  void end(int status) {
    last_status_ = status;
    if (watch_->tell(status) && watch_->each_by_itself()) watch_->end_orderly(status);
    if (!end_job(status)) MPI_Abort(MPI_COMM_WORLD, status);
  }

  // A progress thread of this process may be at work already: so the session's lock is held in MPI's calls,
  // and not while the others are late.
  template <typename Start>
  static void complete(const char* what, Start&& start) {
    MPI_Request request = MPI_REQUEST_NULL;
    {
      const std::lock_guard<SpinLock> guard(session().lock());
      check(start(&request), what);
    }
    wait_politely(&request, what, true);
  }

  static bool finalized_by_program() {
    int finalized = 0;
    check(MPI_Finalized(&finalized), "MPI_Finalized");
    return finalized != 0;
  }

  void agree_on_job_id() {
    char id[40] = "";
    unsigned long long number = 0;
    (void)!::getrandom(&number, sizeof number, 0);
    (void)std::snprintf(id, sizeof id, "mpi-%d-%016llx", static_cast<int>(pid_), number);
    check(MPI_Bcast(id, sizeof id, MPI_CHAR, 0, comm_), "MPI_Bcast");
    job_id_ = id;
  }

  const pid_t pid_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  EndWatch* watch_ = nullptr;  // never destroyed
  std::atomic<pthread_t> ender_{};
  int last_status_ = 255;
  std::atomic_flag ending_ = ATOMIC_FLAG_INIT;
};

}  // namespace
}  // namespace upcr::mpi

extern "C" UPCR_MODULE_API const upcr::BootstrapModule upcr_bootstrap_module;
const upcr::BootstrapModule upcr_bootstrap_module = {
    {upcr::kBootstrapAbi, "mpi"},
    []() -> std::unique_ptr<upcr::Bootstrap> { return std::make_unique<upcr::mpi::MpiBootstrap>(); }};
